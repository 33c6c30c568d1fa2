package i18n_test

import (
	"regexp"
	"testing"

	"checkout/till/assets/i18n"
)

func TestAKeyHasTheNameOnTheKeyboard(t *testing.T) {
	names := map[string]map[string]string{
		"en": {"enter": "Enter", "esc": "Esc", "del": "Del", "ctrl+z": "Ctrl+Z", "home": "Home", "F1": "F1", "n": "n"},
		"fr": {
			"enter": "Entrée", "esc": "Échap", "del": "Suppr", "ins": "Inser", "ctrl+z": "Ctrl+Z", "alt+0…9": "Alt+0…9",
			"tab": "Tab", "↑/↓": "↑/↓", "pgup/dn": "PgPréc/PgSuiv", "pgup": "PgPréc", "pgdn": "PgSuiv",
			"home/end": "Début/Fin", "home": "Début", "end": "Fin", "F5 tab": "F5 Tab", "F5 enter": "F5 Entrée",
		},
		"mg": {"enter": "Entrée", "esc": "Échap", "del": "Suppr", "home": "Début", "end": "Fin"},
	}
	for language, keys := range names {
		texts := i18n.Load(language)
		for name, want := range keys {
			if got := texts.KeyNames.Of(name); got != want {
				t.Errorf("%s: key %s has the name %q, want %q", language, name, got, want)
			}
		}
	}
}

func keyNames() []string {
	return []string{
		"enter", "esc", "del", "ins", "tab", "pgup/dn", "pgup", "pgdn", "home/end", "home", "end", "ctrl+", "alt+",
		"escape", "delete", "insert", "return", "backspace", "page up", "page down",
	}
}

func TestNoTextCallsAKeyByItsEnglishName(t *testing.T) {
	for _, language := range i18n.Languages() {
		if language == "en" {
			continue
		}
		texts := i18n.Load(language)
		for _, key := range keyNames() {
			written := regexp.MustCompile(`(?i)(?:^|[^\pL])(` + regexp.QuoteMeta(key) + `)(?:$|[^\pL]|[a-z]\b)`)
			for name, text := range texts.All() {
				for _, found := range written.FindAllStringSubmatch(text, -1) {
					if found[1] != texts.KeyNames.Of(key) {
						t.Errorf("%s %s has %q, want the key's name %q: %s", language, name, found[1], texts.KeyNames.Of(key), text)
					}
				}
			}
		}
	}
}
