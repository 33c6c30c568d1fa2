package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// maxFile bounds the settings file and the secret files, in bytes.
const maxFile = 1 << 20

// readFile takes the settings from a file. One that need not exist may be
// missing.
func (s *Settings) readFile(path string, required bool, env func(string) string) error {
	text, err := readPrivate(path, env)
	if errors.Is(err, fs.ErrNotExist) {
		if required {
			return fmt.Errorf("there is no settings file %s", show(path))
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the settings file: %w", err)
	}
	return s.readText(path, text)
}

// readText takes the settings from the text of a settings file.
func (s *Settings) readText(path, text string) error {
	var content map[string]any
	if _, err := toml.Decode(text, &content); err != nil {
		return fmt.Errorf("settings file %s: %w", show(path), place(err))
	}
	keys := Keys()
	if err := unknown(content, keys); err != nil {
		return fmt.Errorf("settings file %s: %w", show(path), err)
	}
	for _, key := range keys {
		value, given := content[key.Name]
		if !given {
			continue
		}
		where := key.Name + " in " + show(path)
		values, err := texts(value)
		if err != nil {
			return &SettingError{Where: where, Problem: err}
		}
		if err := key.apply(s, where, values); err != nil {
			return err
		}
	}
	return nil
}

// place tells where the file is no TOML. The parser's own message may quote
// what stands there, which may be a secret.
func place(err error) error {
	const hint = "a text stands in double quotes, as in shop = \"Chez Rado\", and a key stands once"
	if fault, ok := errors.AsType[toml.ParseError](err); ok {
		return fmt.Errorf("line %d cannot be read: %s", fault.Position.Line, hint)
	}
	return errors.New("it cannot be read: " + hint)
}

// texts returns the values that a key has in the file.
func texts(value any) ([]string, error) {
	switch value := value.(type) {
	case string:
		return []string{value}, nil
	case bool:
		return []string{fmt.Sprint(value)}, nil
	case []any:
		values := make([]string, 0, len(value))
		for _, element := range value {
			text, ok := element.(string)
			if !ok {
				return nil, errors.New("a list holds texts in double quotes")
			}
			values = append(values, text)
		}
		return values, nil
	}
	return nil, errors.New("write the value in double quotes")
}

// unknown refuses keys that do not exist, and names the one that was meant.
func unknown(content map[string]any, keys []Key) error {
	names := make([]string, 0, len(keys))
	for _, key := range keys {
		names = append(names, key.Name)
	}
	var wrong []string
	for name := range content {
		if !slices.Contains(names, name) {
			wrong = append(wrong, name)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	slices.Sort(wrong)
	nearest := slices.MinFunc(names, func(a, b string) int {
		return distance(wrong[0], a) - distance(wrong[0], b)
	})
	return fmt.Errorf("there is no setting %q: did you mean %s?", show(wrong[0]), nearest)
}

// distance counts the letters to insert, drop or change to make b of a, case
// and hyphens aside. Longer names are not worth the work.
func distance(a, b string) int {
	const longest = 64
	a, b = strings.ReplaceAll(strings.ToLower(a), "-", "_"), strings.ReplaceAll(b, "-", "_")
	if len(a) > longest {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// readSecret reads a file that holds one secret. Exactly one line break at its
// end is dropped: editors add it, and nobody sees it.
func readSecret(path string, env func(string) string) (string, error) {
	text, err := readPrivate(path, env)
	if err != nil {
		return "", err
	}
	if line, cut := strings.CutSuffix(text, "\r\n"); cut {
		return line, nil
	}
	return strings.TrimSuffix(text, "\n"), nil
}

// readPrivate reads a file that nobody but its owner may read. It looks at the
// rights of the file that it opened, not at those of a name.
func readPrivate(path string, env func(string) string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	about, err := file.Stat()
	if err != nil {
		return "", err
	}
	if about.IsDir() {
		return "", fmt.Errorf("%s is a folder, not a file", show(path))
	}
	if runtime.GOOS != "windows" && about.Mode().Perm()&others(path, env) != 0 {
		return "", fmt.Errorf("other users of this machine can read %s: run  chmod 600 %s", show(path), shellWord(path))
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxFile {
		return "", fmt.Errorf("%s is larger than 1 MiB", show(path))
	}
	return string(text), nil
}

// others returns the rights that nobody but the owner may have to a file. The
// credentials that systemd hands to a service lie in a folder that the service
// alone can enter, and where the right to read them is given by name it shows
// as the group's.
func others(path string, env func(string) string) fs.FileMode {
	const all, allButGroupReads = 0o077, 0o037
	if folder := env("CREDENTIALS_DIRECTORY"); filepath.IsAbs(folder) && filepath.Dir(path) == filepath.Clean(folder) {
		return allButGroupReads
	}
	return all
}

// shellWord quotes a path so that the advice can be pasted into a shell.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@%", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(show(path), "'", `'\''`) + "'"
}
