package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"strings"

	"checkout/till/storage"
)

// places returns where files lie when nobody says otherwise: where XDG says, or
// where programs of the system keep them. What has no home stays empty.
func places(system string, env func(string) string) Files {
	config, data, state := []string{".config"}, []string{".local", "share"}, []string{".local", "state"}
	base := [3]string{env("HOME"), env("HOME"), env("HOME")}
	switch system {
	case "windows":
		config, data, state = nil, nil, nil
		base = [3]string{env("AppData"), env("LocalAppData"), env("LocalAppData")}
	case "darwin":
		config, data, state = []string{"Library", "Application Support"}, []string{"Library", "Application Support"}, []string{"Library", "Logs"}
	}
	configHome := home(env, "XDG_CONFIG_HOME", base[0], config)
	dataHome := home(env, "XDG_DATA_HOME", base[1], data)
	return Files{
		Settings: within(configHome, "config.toml"),
		Database: within(dataHome, "till.db"),
		Demo:     within(dataHome, "demo.db"),
		Log:      within(home(env, "XDG_STATE_HOME", base[2], state), "till.log"),
		Marks:    within(configHome, "databases"),
	}
}

// home returns the folder that an XDG variable names, which must be absolute,
// or else the system's.
func home(env func(string) string, variable, base string, path []string) string {
	if named := env(variable); filepath.IsAbs(named) {
		return named
	}
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, path...)...)
}

// within returns the path of one of the program's own files below a folder, or
// nothing where there is no folder.
func within(folder, name string) string {
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, "till", name)
}

// derive completes the places once the database is known: where its server may
// be away, events and the sales that are being entered wait in files beside the
// log.
func (f *Files) derive(env func(string) string, till string) {
	f.Database, f.Spool = underHome(f.Database, env), underHome(f.Spool, env)
	if f.Log == "" || !storage.Served(f.Database) {
		return
	}
	state := filepath.Dir(f.Log)
	if f.Spool == "" {
		f.Spool = filepath.Join(state, "spool.db")
	}
	sum := sha256.Sum256([]byte(identity(f.Database) + "\n" + till))
	name := strings.Map(func(r rune) rune {
		if alphanumeric(r) {
			return r
		}
		return -1
	}, till)
	f.Drafts = filepath.Join(state, "drafts-"+name+"-"+hex.EncodeToString(sum[:4])+".db")
}

// identity identifies a database at a server, whatever the user, the password and
// other options of its address.
func identity(address string) string {
	_, place, _ := strings.Cut(address, "://")
	place, options, _ := strings.Cut(place, "?")
	server, name, _ := strings.Cut(place, "/")
	server = server[strings.LastIndex(server, "@")+1:]
	words := []string{server, name}
	values, _ := url.ParseQuery(options) // What cannot be read there fails to open.
	for _, key := range []string{"host", "port", "dbname", "search_path"} {
		words = append(words, values.Get(key))
	}
	return strings.Join(words, "\n")
}

// underHome expands a path that begins with ~/ as a shell would; in a settings
// file there is none to do it.
func underHome(path string, env func(string) string) string {
	rest, found := strings.CutPrefix(path, "~/")
	if home := env("HOME"); found && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}
