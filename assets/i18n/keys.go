package i18n

import (
	"cmp"
	"strings"
)

// KeyNames are what stands on the keys of a keyboard that people of a language
// use, by the name that a binding's help has for them.
type KeyNames map[string]Text

// Of returns what a person calls a key that a binding's help names: "enter" is
// "Entrée" in French, and "ctrl+z" is "Ctrl+Z" everywhere.
func (k KeyNames) Of(name string) string {
	if at := strings.LastIndex(name, "+") + 1; at > 0 && at < len(name) && k[name[:at]] != "" {
		return k[name[:at]] + strings.ToUpper(name[at:])
	}
	return cmp.Or(k[name], name)
}
