package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
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
	var named bool
	settings.Files.Settings, named = from.file()
	_, content, err := readFile(settings.Files.Settings, named, from.Env)
	if err != nil {
		return Settings{}, err
	}
	keys := Keys()
	for _, name := range slices.Sorted(maps.Keys(content)) {
		if !slices.ContainsFunc(keys, func(key Key) bool { return key.Name == name }) {
			return Settings{}, &UnknownKeyError{Name: show(name), File: show(settings.Files.Settings)}
		}
	}
	// Each source returns a key's values, nil where it is not set there, and its own
	// name for people.
	fromFile := func(key Key) ([]string, string, error) {
		where := key.Name + " in " + show(settings.Files.Settings)
		values, err := texts(content[key.Name], where)
		return values, where, err
	}
	fromFlag := func(key Key) ([]string, string, error) {
		value, given := from.Flags[key.Name]
		switch {
		case !given:
			return nil, "", nil
		case key.Secret:
			return nil, "", fmt.Errorf("%s has no flag: a command line is visible to every user of the machine", key.Name)
		}
		return key.split(value), "--" + key.Flag(), nil
	}
	for _, key := range keys {
		given := false
		for _, read := range []func(Key) ([]string, string, error){fromFile, from.variable, fromFlag} {
			values, where, err := read(key)
			if err == nil && values != nil {
				given, err = true, key.set(&settings, where, values)
			}
			if account := settings.Account; account.BaseURL != "" && !account.Local() {
				settings.Account.Remote = account.BaseURL
			}
			if err != nil {
				return Settings{}, err
			}
		}
		if !given && key.Default != "" {
			if err := key.set(&settings, "the default of "+key.Name, []string{key.Default}); err != nil {
				return Settings{}, err
			}
		}
		settings.Webhook.Listens = settings.Webhook.Listens || given && key.Name == "listen"
	}
	if err := storage.CheckVisible(settings.Files.Database); from.Flags["database"] != "" && err != nil {
		return Settings{}, &ValueError{Where: "--database", Problem: err}
	}
	settings.Files.derive(from.Env, settings.Counter.Till)
	settings.Webhook.Listens = settings.Webhook.Listens || !storage.Served(settings.Files.Database)
	return settings, nil
}

// variable reads a key's environment variable; a secret's also from the file that
// NAME_FILE names.
func (s Sources) variable(key Key) ([]string, string, error) {
	value, where := s.Env(key.Env()), key.Env()
	if file := s.Env(where + "_FILE"); key.Secret && file != "" {
		if value != "" {
			return nil, "", fmt.Errorf("%s and %s_FILE are both set: unset one of them", where, where)
		}
		where += "_FILE"
		text, err := readPrivate(file, s.Env)
		if err != nil {
			return nil, "", &ValueError{Where: where, Problem: err}
		}
		// Exactly one line break is dropped: editors add it, and nobody sees it.
		line, ended := strings.CutSuffix(text, "\n")
		if ended {
			line = strings.TrimSuffix(line, "\r")
		}
		return []string{line}, where, nil
	}
	if value == "" {
		return nil, "", nil
	}
	return key.split(value), where, nil
}

// readFile reads what a settings file has by the names of the keys. Unless it is
// required it may be missing.
func readFile(path string, required bool, env func(string) string) (text string, content map[string]any, err error) {
	if path == "" {
		return "", nil, nil
	}
	text, err = readPrivate(path, env)
	switch {
	case errors.Is(err, fs.ErrNotExist) && required:
		return "", nil, fmt.Errorf("there is no settings file: %w", err)
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, nil
	case err != nil:
		return "", nil, fmt.Errorf("read the settings file: %w", err)
	}
	if _, err := toml.Decode(text, &content); err != nil {
		// The parser's own message may quote what stands there, which may be a secret.
		place := ""
		if fault, ok := errors.AsType[toml.ParseError](err); ok {
			place = fmt.Sprintf("line %d ", fault.Position.Line)
		}
		return "", nil, fmt.Errorf("settings file %s: %scannot be read: a text stands in double quotes, as in shop = \"Chez Rado\", "+
			"and a key stands once", show(path), place)
	}
	return text, content, nil
}

// texts returns the values that a key has in the file; nil is none.
func texts(value any, where string) ([]string, error) {
	switch value := value.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{value}, nil
	case bool:
		return []string{fmt.Sprint(value)}, nil
	case []any:
		values := make([]string, 0, len(value))
		for _, element := range value {
			text, ok := element.(string)
			if !ok {
				return nil, &ValueError{Where: where, Problem: errors.New("a list holds texts in double quotes")}
			}
			values = append(values, text)
		}
		return values, nil
	}
	return nil, &ValueError{Where: where, Problem: errors.New("write the value in double quotes")}
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
	}
	forbidden := fs.FileMode(0o077)
	// The credentials that systemd hands to a service lie in a folder that the
	// service alone can enter, and where the right to read them is given by name it
	// shows as the group's.
	if folder := env("CREDENTIALS_DIRECTORY"); filepath.IsAbs(folder) && filepath.Dir(path) == filepath.Clean(folder) {
		forbidden = 0o037
	}
	if err := checkRights(file, path, forbidden); err != nil {
		return "", err
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

// Loose returns the commands that mend the rights of the till's own files: of those
// that other users can read, and of folders that they can write to. The rights of the
// settings file are checked when it is read.
func (f Files) Loose() []string {
	if runtime.GOOS == "windows" {
		return nil
	}
	var mend []string
	check := func(path, mode string, forbidden fs.FileMode) {
		if about, err := os.Stat(path); err == nil && about.Mode().Perm()&forbidden != 0 {
			mend = append(mend, "chmod "+mode+" "+shellWord(path))
		}
	}
	for _, file := range []string{f.Settings, f.Database, f.Outbox, f.Drafts, f.Log} {
		if file == "" || storage.Served(file) {
			continue
		}
		check(filepath.Dir(file), "700", 0o022)
		if file != f.Settings {
			check(file, "600", 0o077)
		}
	}
	slices.Sort(mend)
	return slices.Compact(mend)
}

// shellWord quotes a path so that the advice can be pasted into a shell.
func shellWord(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("/._-+@%", r) }) {
		return path
	}
	return "'" + strings.ReplaceAll(show(path), "'", `'\''`) + "'"
}
