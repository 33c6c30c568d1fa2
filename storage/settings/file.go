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

// File is a settings file that is being edited. [File.Save] writes the changed values, and keeps
// the other lines as they are, with their comments and unknown keys.
type File struct {
	Path       string
	content    map[string]any
	statements []statement
}

// statement is a key with its value as written in the file, or a line that has no key.
type statement struct{ key, text string }

// file returns the path of the settings file, and whether a flag or TILL_CONFIG named it.
func (s Sources) file() (path string, named bool) {
	path = cmp.Or(s.Path, s.Env("TILL_CONFIG"))
	return cmp.Or(path, places(runtime.GOOS, s.Env).Settings), path != ""
}

// Edit reads the settings file to change it. A missing file counts as empty. Edit does not check
// the values, so that invalid ones can be corrected.
func Edit(from Sources) (*File, error) {
	path, _ := from.file()
	if path == "" {
		return nil, errors.New("there is no folder for the settings file: set HOME, or name a file by --config")
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // Edit the target of a symbolic link, so that the link is kept.
	}
	text, content, err := readFile(path, false, from.Env)
	if err != nil {
		return nil, err
	}
	for name, value := range content {
		switch value.(type) {
		// Refuse a table: a key that is added at the end of the file would belong to the table.
		case map[string]any, []map[string]any:
			return nil, &UnknownKeyError{Name: show(name), File: show(path)}
		}
	}
	if content == nil {
		content = map[string]any{}
	}
	return &File{path, content, statements(text)}, nil
}

func statements(text string) []statement {
	var all []statement
	lines := slices.Collect(strings.Lines(text))
	for len(lines) > 0 {
		// A value may have several lines. It ends with the line that makes the part valid TOML.
		var content map[string]any
		end := 0
		part := ""
		for end == 0 || toml.Unmarshal([]byte(part), &content) != nil {
			part += lines[end]
			end++
		}
		each := statement{text: strings.TrimSuffix(part, "\n") + "\n"} // The last line may lack a line break.
		for each.key = range content {
			break // A statement has one key. A comment or a blank line has no key.
		}
		all = append(all, each)
		lines = lines[end:]
	}
	return all
}

// Get returns the value of a key; of a list, it returns the first value. It returns "" for a
// missing key.
func (f *File) Get(name string) string { return append(f.List(name), "")[0] }

// List returns the values of a key. A value that is not a list is returned as one element.
func (f *File) List(name string) []string {
	// Treat an invalid value as missing: the user must enter it again.
	values, _ := texts(f.content[name], name)
	return values
}

// Set changes the value of a key; an empty value removes the key.
func (f *File) Set(name, value string) {
	values, err := texts(f.content[name], name)
	if err == nil && value == append(values, "")[0] {
		// Do not write the key again: that would lose further values of a list, or a comment on the line.
		return
	}
	f.SetList(name, value)
}

// SetList changes the values of a key. An empty first value removes the key.
func (f *File) SetList(name string, values ...string) {
	at := slices.IndexFunc(f.statements, func(s statement) bool { return s.key == name })
	if at < 0 {
		at, f.statements = len(f.statements), append(f.statements, statement{key: name})
	}
	delete(f.content, name)
	f.statements[at].text = ""
	if values[0] == "" {
		return
	}
	f.content[name] = values[0]
	if len(values) > 1 {
		f.content[name] = values
	}
	text, _ := toml.Marshal(map[string]any{name: f.content[name]}) // Ignore the error: strings can always be encoded.
	f.statements[at].text = string(text)
}

// Save writes the file, with access only for its owner. The old file is kept until the new one is
// complete and durable.
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

// Check validates a value by the rule of its key, as [Load] does. It returns a [*ValueError] for an
// invalid value, and an [*UnknownKeyError] for an unknown key.
func Check(name, value string) error {
	for _, key := range Keys() {
		if key.Name == name {
			return key.set(new(Settings), name, key.split(value))
		}
	}
	return &UnknownKeyError{Name: show(name)}
}
