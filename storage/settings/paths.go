package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"checkout/till/storage"
)

// places returns the default paths according to the XDG variables, or else those of the operating
// system. A path is empty if neither its XDG variable nor its base folder (HOME, or AppData or
// LocalAppData on Windows) is set.
func places(system string, env func(string) string) Files {
	home := env("HOME")
	config := []string{home, ".config"}
	data, state := []string{home, ".local", "share"}, []string{home, ".local", "state"}
	switch system {
	case "windows":
		config = []string{env("AppData")}
		data = []string{env("LocalAppData")}
		state = []string{env("LocalAppData")}
	case "darwin":
		config = []string{home, "Library", "Application Support"}
		data, state = config, []string{home, "Library", "Logs"}
	}
	// Ignore a relative path in an XDG variable.
	place := func(variable string, usual []string, name string) string {
		switch named := env(variable); {
		case filepath.IsAbs(named):
			usual = []string{named}
		case usual[0] == "":
			return ""
		}
		return filepath.Join(append(slices.Clone(usual), "till", name)...)
	}
	return Files{
		Settings: place("XDG_CONFIG_HOME", config, "config.toml"),
		Database: place("XDG_DATA_HOME", data, "till.db"),
		Demo:     place("XDG_DATA_HOME", data, "demo.db"),
		Log:      place("XDG_STATE_HOME", state, "till.log"),
		Marks:    place("XDG_CONFIG_HOME", config, "databases"),
	}
}

// derive expands ~/ in the paths of the database and the outbox. If Log is set, it also sets the
// paths that depend on the database. With a database server, the till has two files next to the
// log, because the server may be unavailable: an outbox for events, and the drafts of unfinished
// sales. A till with a relay has an outbox for any database: the outbox keeps events that the
// database rejects, so that they do not block later ones.
func (f *Files) derive(env func(string) string, till string, relayed bool) {
	f.Database, f.Outbox = ExpandHome(f.Database, env), ExpandHome(f.Outbox, env)
	served := storage.IsPostgres(f.Database)
	if f.Log == "" || !served && !relayed {
		return
	}
	state := filepath.Dir(f.Log)
	if f.Outbox == "" {
		f.Outbox = filepath.Join(state, f.outboxName(env))
	}
	if !served {
		return
	}
	// The name of the drafts file contains a hash of the database and the till. The hash leaves out the
	// user, the password and other options, so that the till finds the file again after they change.
	_, place, _ := strings.Cut(f.Database, "://")
	place, options, _ := strings.Cut(place, "?")
	words := []string{place[strings.LastIndex(place, "@")+1:], till}
	values, _ := url.ParseQuery(options) // Ignore a parse error: Open reports it.
	for _, key := range []string{"host", "port", "dbname", "search_path"} {
		words = append(words, values.Get(key))
	}
	sum := sha256.Sum256([]byte(strings.Join(words, "\n")))
	name := strings.Map(func(r rune) rune {
		if alphanumeric(r) {
			return r
		}
		return -1
	}, till)
	f.Drafts = filepath.Join(state, "drafts-"+name+"-"+hex.EncodeToString(sum[:4])+".db")
}

// outboxName returns the name of the till's outbox. Each settings file has an outbox of its own:
// otherwise, the events of a shop could be applied to the database of another one.
func (f *Files) outboxName(env func(string) string) string {
	path, err := filepath.Abs(f.Settings)
	if err != nil || path == places(runtime.GOOS, env).Settings {
		return "outbox.db"
	}
	sum := sha256.Sum256([]byte(path))
	return "outbox-" + hex.EncodeToString(sum[:4]) + ".db"
}

// anchor makes relative paths in the settings file relative to the folder of this file. Otherwise,
// a till that is started in another folder would open another database without a warning.
func (f *Files) anchor(from Sources) {
	for name, path := range map[string]*string{"database": &f.Database, "outbox": &f.Outbox} {
		overridden := from.Flags[name] != "" || from.Env(Key{Name: name}.Env()) != ""
		if !overridden && *path != "" && !filepath.IsAbs(*path) && !storage.IsPostgres(*path) {
			*path = filepath.Join(filepath.Dir(f.Settings), *path)
		}
	}
}

// ExpandHome expands ~/ at the beginning of a path, as a shell does on a command line. No shell
// expands a settings file.
func ExpandHome(path string, env func(string) string) string {
	rest, found := strings.CutPrefix(path, "~/")
	if home := env("HOME"); found && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}
