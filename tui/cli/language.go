package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/storage"
	"checkout/till/storage/settings"
)

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

// SaveLanguage returns what keeps a language for the next start.
func SaveLanguage(files settings.Files) func(code string) error {
	path := languageFile(files)
	if path == "" {
		return nil
	}
	return func(code string) error { return os.WriteFile(path, []byte(code+"\n"), 0o600) }
}
