package i18n

import "strings"

// KeyNames is what stands on the keys of a keyboard that people of a language
// use. Keys that are not in it are called the same everywhere.
type KeyNames struct {
	Enter    Text `toml:"enter"`
	Escape   Text `toml:"escape"`
	Delete   Text `toml:"delete"`
	Tab      Text `toml:"tab"`
	Page     Text `toml:"page"` // Both: up and down.
	Ends     Text `toml:"ends"` // Both: home and end.
	PageUp   Text `toml:"page_up"`
	PageDown Text `toml:"page_down"`
	Home     Text `toml:"home"`
	End      Text `toml:"end"`
	Insert   Text `toml:"insert"`
	Ctrl     Text `toml:"ctrl"`
	Alt      Text `toml:"alt"`
}

// Of returns what a person calls a key that a binding's help names: "enter",
// "ctrl+z", "F1".
func (k KeyNames) Of(name string) string {
	switch name {
	case "enter":
		return k.Enter
	case "esc":
		return k.Escape
	case "del":
		return k.Delete
	case "ins":
		return k.Insert
	case "tab":
		return k.Tab
	case "pgup/dn":
		return k.Page
	case "pgup":
		return k.PageUp
	case "pgdn":
		return k.PageDown
	case "home/end":
		return k.Ends
	case "home":
		return k.Home
	case "end":
		return k.End
	}
	if digit, with := strings.CutSuffix(name, " tab"); with {
		return digit + " " + k.Tab
	}
	if letter, with := strings.CutPrefix(name, "ctrl+"); with {
		return k.Ctrl + letter
	}
	if digit, with := strings.CutPrefix(name, "alt+"); with {
		return k.Alt + digit
	}
	return name
}
