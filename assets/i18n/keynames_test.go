package i18n_test

import "testing"

func TestAKeyIsCalledWhatStandsOnIt(t *testing.T) {
	names := map[string]map[string]string{
		"en": {"enter": "enter", "esc": "esc", "del": "del", "ctrl+z": "ctrl+z", "F1": "F1", "n": "n"},
		"fr": {"enter": "Entrée", "esc": "Échap", "del": "Suppr", "ctrl+z": "Ctrl+z", "alt+0…9": "Alt+0…9", "tab": "Tab", "↑/↓": "↑/↓", "pgup/dn": "PgPréc/PgSuiv", "home/end": "Début/Fin"},
		"mg": {"enter": "Entrée", "esc": "Échap", "del": "Suppr"},
	}
	for language, keys := range names {
		texts := load(t, language)
		for name, want := range keys {
			if got := texts.KeyNames.Of(name); got != want {
				t.Errorf("%s calls %s %q, want %q", language, name, got, want)
			}
		}
	}
}
