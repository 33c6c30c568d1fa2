package settings

import (
	"cmp"
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

	"checkout/till/storage"
)

// maxFile bounds the settings file and the secret files, in bytes.
const maxFile = 1 << 20

// Sources say where settings come from.
type Sources struct {
	// Path is the settings file that was asked for, which must exist; empty for
	// TILL_CONFIG, or else for the usual one, which need not exist.
	Path string
	// Env reads an environment variable; an empty one is one that is not set.
	Env func(string) string
	// Flags are the values given on the command line, by the key's name.
	Flags map[string]string
}

// Load reads the settings: a flag goes before the environment, the environment
// before the settings file, the file before the default. Every value that is
// given is checked, also one that another overrides; a wrong one is a
// [*ValueError], a key that does not exist an [*UnknownKeyError]. A settings
// file that others can read or change is refused.
func Load(from Sources) (Settings, error) {
	settings := Settings{Files: places(runtime.GOOS, from.Env)}
	keys := Keys()
	if err := settings.setDefaults(keys); err != nil {
		return Settings{}, err
	}
	usual := settings.Webhook.Listen
	settings.Webhook.Listen = ""
	required := from.Path
	if required == "" {
		required = from.Env("TILL_CONFIG")
	}
	if required != "" {
		settings.Files.Settings = required
	}
	if err := settings.readFile(keys, required != "", from.Env); err != nil {
		return Settings{}, err
	}
	for _, key := range keys {
		if err := settings.readEnv(key, from.Env); err != nil {
			return Settings{}, err
		}
		if err := settings.readFlag(key, from.Flags); err != nil {
			return Settings{}, err
		}
	}
	settings.Files.derive(from.Env, settings.Counter.Till)
	settings.Webhook.Listens = settings.Webhook.Listen != "" || !storage.Served(settings.Files.Database)
	settings.Webhook.Listen = cmp.Or(settings.Webhook.Listen, usual)
	return settings, nil
}

// setDefaults sets the default of each key.
func (s *Settings) setDefaults(keys []Key) error {
	for _, key := range keys {
		if key.Default == "" {
			continue
		}
		if err := key.set(s, "the default of "+key.Name, []string{key.Default}); err != nil {
			return err
		}
	}
	return nil
}

// readFlag reads a key's flag.
func (s *Settings) readFlag(key Key, flags map[string]string) error {
	value, given := flags[key.Name]
	switch {
	case !given:
		return nil
	case key.Secret:
		return fmt.Errorf("%s has no flag: a command line is visible to every user of the machine", key.Name)
	}
	where := "--" + key.Flag()
	if err := key.set(s, where, key.split(value)); err != nil {
		return err
	}
	if err := storage.CheckVisible(s.Files.Database); key.check == "database" && err != nil {
		return &ValueError{Where: where, Problem: err}
	}
	return nil
}

// readEnv reads a key's environment variable; a secret's also from the file that
// NAME_FILE names.
func (s *Settings) readEnv(key Key, env func(string) string) error {
	value, where := env(key.Env()), key.Env()
	if file := env(where + "_FILE"); key.Secret && file != "" {
		if value != "" {
			return fmt.Errorf("%s and %s_FILE are both set: unset one of them", where, where)
		}
		where += "_FILE"
		var err error
		if value, err = readPrivate(file, env); err != nil {
			return &ValueError{Where: where, Problem: err}
		}
		// Exactly one line break is dropped: editors add it, and nobody sees it.
		line, _ := strings.CutSuffix(value, "\n")
		if line != value {
			line = strings.TrimSuffix(line, "\r")
		}
		return key.set(s, where, []string{line})
	}
	if value == "" {
		return nil
	}
	return key.set(s, where, key.split(value))
}

// readFile reads the settings file. Unless it is required it may be missing.
func (s *Settings) readFile(keys []Key, required bool, env func(string) string) error {
	path := s.Files.Settings
	if path == "" {
		return nil
	}
	text, err := readPrivate(path, env)
	switch {
	case errors.Is(err, fs.ErrNotExist) && required:
		return fmt.Errorf("there is no settings file %s", show(path))
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("read the settings file: %w", err)
	}
	var content map[string]any
	if _, err := toml.Decode(text, &content); err != nil {
		return fmt.Errorf("settings file %s: %w", show(path), syntaxError(err))
	}
	for _, key := range keys {
		value, given := content[key.Name]
		if !given {
			continue
		}
		delete(content, key.Name)
		where := key.Name + " in " + show(path)
		values, err := texts(value)
		if err != nil {
			return &ValueError{Where: where, Problem: err}
		}
		if err := key.set(s, where, values); err != nil {
			return err
		}
	}
	var unknown []string
	for name := range content {
		unknown = append(unknown, name)
	}
	if len(unknown) > 0 {
		return &UnknownKeyError{Name: show(slices.Min(unknown)), File: show(path)}
	}
	return nil
}

// syntaxError tells where the file is no TOML. The parser's own message may
// quote what stands there, which may be a secret.
func syntaxError(err error) error {
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

// readPrivate reads a file that belongs to the user or to root and that nobody
// else may read. It looks at the rights of the file that it opened, not at
// those of a name.
func readPrivate(path string, env func(string) string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	about, err := file.Stat()
	switch {
	case err != nil:
		return "", err
	case about.IsDir():
		return "", fmt.Errorf("%s is a folder, not a file", show(path))
	case runtime.GOOS == "windows": // Rights are not in the mode there.
	case foreign(about):
		return "", fmt.Errorf("%s belongs to another user of this machine, who can change it: run  chown %d %s",
			show(path), os.Geteuid(), shellWord(path))
	case about.Mode().Perm()&forbidden(path, env) != 0:
		return "", fmt.Errorf("other users of this machine can read %s: run  chmod 600 %s", show(path), shellWord(path))
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than 1 MiB", show(path))
	}
	if err != nil {
		return "", err
	}
	return string(text), nil
}

// forbidden returns the rights that nobody but the owner may have to a file.
// The credentials that systemd hands to a service lie in a folder that the
// service alone can enter, and where the right to read them is given by name it
// shows as the group's.
func forbidden(path string, env func(string) string) fs.FileMode {
	const all, allButGroupReads = 0o077, 0o037
	if folder := env("CREDENTIALS_DIRECTORY"); filepath.IsAbs(folder) && filepath.Dir(path) == filepath.Clean(folder) {
		return allButGroupReads
	}
	return all
}

// shellWord quotes a path so that the advice can be pasted into a shell.
func shellWord(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("/._-+@%", r) }) {
		return path
	}
	return "'" + strings.ReplaceAll(show(path), "'", `'\''`) + "'"
}
