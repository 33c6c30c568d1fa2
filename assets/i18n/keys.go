package i18n

import (
	"cmp"
	"strings"
)

// KeyNames maps the name of a key, such as "enter", to its label on the keyboards of a language.
type KeyNames map[string]Text

// Of returns the label of a key: "enter" is "Entrée" in French. The label of "ctrl+z" is that of
// "ctrl+", followed by Z. A blank separates two keys. A name without a label is returned unchanged.
func (k KeyNames) Of(name string) string {
	if at := strings.LastIndex(name, "+") + 1; at > 0 && at < len(name) && k[name[:at]] != "" {
		return k[name[:at]] + strings.ToUpper(name[at:])
	}
	if key, others, several := strings.Cut(name, " "); several && key != "" && others != "" {
		return k.Of(key) + " " + k.Of(others)
	}
	return cmp.Or(k[name], name)
}
