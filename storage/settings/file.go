package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"checkout/till/storage"
)

// File is a settings file that is being edited. What is not edited stays as a
// person wrote it: order, comments, and keys that do not exist.
type File struct {
	Path       string
	content    map[string]any
	statements []statement
}

// statement is a key with its value, as it stands in the file, or a line without a
// key.
type statement struct{ key, text string }

// file returns the settings file, and whether somebody named it.
func (s Sources) file() (path string, named bool) {
	path = cmp.Or(s.Path, s.Env("TILL_CONFIG"))
	return cmp.Or(path, places(runtime.GOOS, s.Env).Settings), path != ""
}

// Edit reads the settings file to change it. One that does not exist is empty.
// Values are not checked, so that wrong ones can be mended.
func Edit(from Sources) (*File, error) {
	path, _ := from.file()
	if path == "" {
		return nil, errors.New("there is no folder for the settings file: set HOME, or name a file by --config")
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // A link stays one.
	}
	text, content, err := readFile(path, false, from.Env)
	if err != nil {
		return nil, err
	}
	for name, value := range content {
		switch value.(type) {
		case map[string]any, []map[string]any: // A key that is added behind a table would be the table's.
			return nil, &UnknownKeyError{Name: show(name), File: show(path)}
		}
	}
	if content == nil {
		content = map[string]any{}
	}
	return &File{path, content, statements(text)}, nil
}

// statements parts a sound file without tables.
func statements(text string) []statement {
	var all []statement
	lines := slices.Collect(strings.Lines(text))
	for len(lines) > 0 {
		// A value of several lines ends with the first line up to which it is sound.
		var content map[string]any
		end := 0
		part := ""
		for end == 0 || toml.Unmarshal([]byte(part), &content) != nil {
			part += lines[end]
			end++
		}
		each := statement{text: strings.TrimSuffix(part, "\n") + "\n"} // The last line may have none.
		for each.key = range content {
			break // There is one at most.
		}
		all = append(all, each)
		lines = lines[end:]
	}
	return all
}

// Get returns the value of a key: the first one of a list, and blank for a key
// that is not there.
func (f *File) Get(name string) string {
	values, _ := texts(f.content[name], name) // A wrong one is to be given anew.
	return append(values, "")[0]
}

// Set gives a key another value; a blank one removes it.
func (f *File) Set(name, value string) {
	if value == f.Get(name) {
		return // A list or a comment behind it stays.
	}
	at := slices.IndexFunc(f.statements, func(s statement) bool { return s.key == name })
	if at < 0 {
		at, f.statements = len(f.statements), append(f.statements, statement{key: name})
	}
	delete(f.content, name)
	f.statements[at].text = ""
	if value != "" {
		text, _ := toml.Marshal(map[string]string{name: value}) // A text always encodes.
		f.content[name], f.statements[at].text = value, string(text)
	}
}

// Save writes the file, for its owner alone to read. Until it is whole and durable
// the old one stays.
func (f *File) Save() error {
	var text strings.Builder
	for _, each := range f.statements {
		text.WriteString(each.text)
	}
	err := os.MkdirAll(filepath.Dir(f.Path), 0o700)
	if err == nil {
		err = storage.Replace(f.Path, func(out io.Writer) error {
			_, err := io.WriteString(out, text.String())
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("write the settings file: %w", err)
	}
	return nil
}

// Check validates a value by the rule of its key, as [Load] does: a wrong one is a
// [*ValueError].
func Check(name, value string) error {
	for _, key := range Keys() {
		if key.Name == name {
			return key.set(new(Settings), name, key.split(value))
		}
	}
	return &UnknownKeyError{Name: show(name)}
}
