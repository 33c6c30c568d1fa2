package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/storage"
	"checkout/till/storage/settings"
)

// chooseLanguage chooses the till's language before the command line is read,
// whose help is in it: by the flag, the environment, the settings file, what F7
// chose last, and the locale. Settings that are wrong are told of later.
func (a *App) chooseLanguage() (err error) {
	path, asked := "", a.Env("TILL_LANGUAGE")
	for i, argument := range a.Args {
		name, value, joined := strings.Cut(argument, "=")
		if !joined && i+1 < len(a.Args) {
			value = a.Args[i+1]
		}
		switch name {
		case "--lang", "--language":
			asked = value
		case "--config":
			path = value
		}
	}
	loaded, _ := settings.Load(settings.Sources{Path: path, Env: a.Env})
	if slices.Contains(i18n.Languages(), asked) {
		loaded.Counter.Language = asked
	}
	a.Language = cmp.Or(withLanguage(loaded).Counter.Language,
		i18n.Choose(a.Env("LC_ALL"), a.Env("LC_MESSAGES"), a.Env("LANG")))
	a.Texts, err = i18n.Load(assets.Locales, a.Language)
	return err
}

// languageFile is where the till keeps the language that F7 chose: beside the
// file that has its sales. Blank where there is no such file.
func languageFile(files settings.Files) string {
	own := cmp.Or(files.Drafts, files.Database)
	if own == "" || storage.Served(own) {
		return ""
	}
	return filepath.Join(filepath.Dir(own), "language")
}

// withLanguage returns the settings with the language that was chosen last, when
// they name none.
func withLanguage(settings settings.Settings) settings.Settings {
	if settings.Counter.Language != "" {
		return settings
	}
	kept, _ := os.ReadFile(languageFile(settings.Files)) // Without one the locale decides.
	if code := strings.TrimSpace(string(kept)); slices.Contains(i18n.Languages(), code) {
		settings.Counter.Language = code
	}
	return settings
}

// KeepLanguage returns what keeps a language for a till's next start; nil where no
// file would.
func KeepLanguage(files settings.Files) func(code string) error {
	path := languageFile(files)
	if path == "" {
		return nil
	}
	return func(code string) error { return os.WriteFile(path, []byte(code+"\n"), 0o600) }
}
