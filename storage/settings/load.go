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

// maxFile is the maximum size of a settings file or of a secret's file, in bytes.
const maxFile = 1 << 20

// Sources are the inputs of [Load]: the command line, the environment and the settings file.
type Sources struct {
	// Path is the path of a settings file. If Path is empty, TILL_CONFIG names the file. [Load]
	// fails if a file that one of them names is missing. If both are empty, Load uses the default
	// file if that exists.
	Path string
	// Env returns an environment variable; empty means not set.
	Env func(string) string
	// Flags are the values on the command line, by the name of the key.
	Flags map[string]string
}

// Load loads the settings. A flag overrides the environment, the environment overrides the settings
// file, and the file overrides the default. Load checks every given value, even one that another
// source overrides. An invalid value gives a [*ValueError], an unknown key an [*UnknownKeyError],
// and a file that is not TOML a [*SyntaxError]. A settings file that others can read or change
// gives a [*RightsError].
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
			var names []string
			for _, key := range keys {
				names = append(names, key.Name)
			}
			return Settings{}, &UnknownKeyError{show(name), show(settings.Files.Settings), Nearest(name, names)}
		}
	}
	fromFile := func(key Key) ([]string, string, error) {
		where := key.Name + " (" + show(settings.Files.Settings) + ")"
		values, err := texts(content[key.Name], where)
		return values, where, err
	}
	for _, key := range keys {
		if key.Default != "" {
			if err := key.set(&settings, "the default of "+key.Name, key.split(key.Default)); err != nil {
				return Settings{}, err
			}
		}
		// Each function returns the key's values and the display name of the source, or nil values
		// if the source does not set the key.
		for _, read := range []func(Key) ([]string, string, error){fromFile, from.variable, from.flag} {
			values, where, err := read(key)
			if err == nil && values != nil {
				err = key.set(&settings, where, values)
				settings.Files.noteSource(key, where)
				settings.Webhook.Listens = settings.Webhook.Listens || key.Name == "listen"
			}
			if account := settings.Account; account.BaseURL != "" && !account.Local() {
				settings.Account.Remote = account.BaseURL
			}
			if err != nil {
				return Settings{}, err
			}
		}
	}
	if err := storage.CheckVisible(settings.Files.Database); from.Flags["database"] != "" && err != nil {
		return Settings{}, &ValueError{Where: "--database", Problem: err}
	}
	settings.Files.derive(from.Env, settings.Counter.Till, settings.Webhook.Relay != "")
	settings.Files.anchor(from)
	settings.Webhook.Listens = settings.Webhook.Listens || !storage.IsPostgres(settings.Files.Database)
	return settings, nil
}

// noteSource adds a flag or an environment variable to [Files].Outside if it sets one of the keys
// below.
func (f *Files) noteSource(key Key, where string) {
	inFile := strings.HasPrefix(where, key.Name)
	if !inFile && slices.Contains([]string{"database", "base_url", "access_token", "webhook_secret"}, key.Name) {
		f.Outside = strings.TrimPrefix(f.Outside+", "+where, ", ")
	}
}

// variable reads a key's environment variable. For a secret, the variable with the suffix _FILE may
// instead name a file that contains the secret.
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
		// Drop exactly one line break: editors add one, which the user does not see.
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

func (s Sources) flag(key Key) ([]string, string, error) {
	value, given := s.Flags[key.Name]
	switch {
	case !given:
		return nil, "", nil
	case key.Secret:
		return nil, "", fmt.Errorf("%s has no flag: a command line is visible to every user of the machine", key.Name)
	}
	return key.split(value), "--" + key.Flag(), nil
}

// readFile returns the text of a settings file, and its values by key. The file may be
// missing unless required is set.
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
		// Do not return the parser's message, because it may quote a secret from the file.
		fault, _ := errors.AsType[toml.ParseError](err)
		return "", nil, &SyntaxError{show(path), fault.Position.Line}
	}
	return text, content, nil
}

func texts(value any, where string) ([]string, error) {
	switch value := value.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{value}, nil
	case []string:
		return value, nil
	case bool, int64:
		return []string{fmt.Sprint(value)}, nil
	case []any:
		values := make([]string, 0, len(value))
		for _, element := range value {
			text, ok := element.(string)
			if !ok {
				return nil, &ValueError{where, "quotes", errors.New("a list holds texts in double quotes")}
			}
			values = append(values, text)
		}
		return values, nil
	}
	return nil, &ValueError{where, "quotes", errors.New("write the value in double quotes")}
}

// readPrivate reads a file. It refuses a file that belongs to another user than this user or root,
// and one that others can read or change. It checks the rights of the open file, so that the file
// cannot be replaced between the check and the read.
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
	// Allow group read for systemd credentials: systemd may give access by an ACL, which the file's
	// mode shows as a right of the group. This is safe, because only the service can enter the
	// credentials folder.
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

// Loose returns chmod commands for files of the till that other users can read, and for folders that
// other users can write to. It skips the settings file, because [Load] checks that file.
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
		if file == "" || storage.IsPostgres(file) {
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

// shellWord quotes a path so that a command with the path can be pasted into a shell.
func shellWord(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("/._-+@%", r) }) {
		return path
	}
	return "'" + strings.ReplaceAll(show(path), "'", `'\''`) + "'"
}
