package i18n

import (
	"cmp"
	"strings"
)

// KeyNames contains the labels that keys have on the keyboards of a language. Its keys are
// the names of keys in the help of a binding.
type KeyNames map[string]Text

// Of returns the label of a key: "enter" is "Entrée" in French, and "ctrl+z" is "Ctrl+Z" in
// every language.
func (k KeyNames) Of(name string) string {
	if at := strings.LastIndex(name, "+") + 1; at > 0 && at < len(name) && k[name[:at]] != "" {
		return k[name[:at]] + strings.ToUpper(name[at:])
	}
	return cmp.Or(k[name], name)
}
