package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"strings"
)

// folder is the name of the program's own folders.
const folder = "till"

// places returns where files lie when nobody says otherwise: where XDG says, or
// where programs of the system keep them. What has no home stays empty.
func places(system string, env func(string) string) Files {
	config := home(env, "XDG_CONFIG_HOME", configHome(system, env))
	data := home(env, "XDG_DATA_HOME", dataHome(system, env))
	state := home(env, "XDG_STATE_HOME", stateHome(system, env))
	return Files{
		Settings: within(config, "config.toml"),
		Database: within(data, "till.db"),
		Demo:     within(data, "demo.db"),
		Log:      within(state, "till.log"),
		Marks:    within(config, "databases"),
	}
}

// spoolPlace returns where events wait for a database elsewhere.
func spoolPlace(system string, env func(string) string) string {
	return within(home(env, "XDG_STATE_HOME", stateHome(system, env)), "spool.db")
}

// draftsPlace returns where a till keeps what is being entered: a file for each
// database at a server and each name of a till.
func draftsPlace(system string, env func(string) string, database, till string) string {
	sum := sha256.Sum256([]byte(identity(database) + "\n" + till))
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, till)
	return within(home(env, "XDG_STATE_HOME", stateHome(system, env)), "drafts-"+name+"-"+hex.EncodeToString(sum[:4])+".db")
}

// identity is what makes a database at a server another one. It stays the same
// when its user, its password or the way to it is changed.
func identity(address string) string {
	_, place, _ := strings.Cut(address, "://")
	place, options, _ := strings.Cut(place, "?")
	server, name, _ := strings.Cut(place, "/")
	if at := strings.LastIndex(server, "@"); at >= 0 {
		server = server[at+1:]
	}
	words := []string{server, name}
	values, _ := url.ParseQuery(options) // What cannot be read there fails to open.
	for _, key := range []string{"host", "port", "dbname", "search_path"} {
		words = append(words, values.Get(key))
	}
	return strings.Join(words, "\n")
}

// home returns the folder that an XDG variable names, which must be absolute,
// or else the system's.
func home(env func(string) string, variable, otherwise string) string {
	if named := env(variable); filepath.IsAbs(named) {
		return named
	}
	return otherwise
}

func configHome(system string, env func(string) string) string {
	switch system {
	case "windows":
		return env("AppData")
	case "darwin":
		return below(env("HOME"), "Library", "Application Support")
	}
	return below(env("HOME"), ".config")
}

func dataHome(system string, env func(string) string) string {
	switch system {
	case "windows":
		return env("LocalAppData")
	case "darwin":
		return below(env("HOME"), "Library", "Application Support")
	}
	return below(env("HOME"), ".local", "share")
}

func stateHome(system string, env func(string) string) string {
	switch system {
	case "windows":
		return env("LocalAppData")
	case "darwin":
		return below(env("HOME"), "Library", "Logs")
	}
	return below(env("HOME"), ".local", "state")
}

// below joins a path to a folder, or returns nothing when there is no folder.
func below(dir string, path ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, path...)...)
}

func within(dir, name string) string { return below(dir, folder, name) }

// underHome expands a path that begins with ~/ as a shell would; in a settings
// file there is none to do it.
func underHome(path string, env func(string) string) string {
	rest, cut := strings.CutPrefix(path, "~/")
	if home := env("HOME"); cut && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}
