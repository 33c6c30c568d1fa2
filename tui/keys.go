package tui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

// keyMap contains the keys that work on every screen. Opens contains the function key of each
// screen, or a binding that matches no key.
type keyMap struct {
	Help, Question, News, Hold, Language, Quit key.Binding
	// Turns the code to the customer; see package pay.
	Turn key.Binding
	// Disabled in a shop without cashiers.
	SignIn key.Binding

	Opens [routeCount]key.Binding
}

func newKeyMap(texts i18n.Texts, screens screens) keyMap {
	words := texts.Keys
	bar := texts.Bar
	lower := strings.ToLower
	keys := keyMap{
		Help:     screen.Bind("F1", lower(bar.Keys), "f1"),
		Question: screen.Bind("?", lower(bar.Keys), "?"),
		News:     screen.Bind("F2", words.News, "f2"),
		Hold:     screen.Bind("F5", words.Hold, "f5"),
		Language: screen.Bind("F7", words.Language, "f7"),
		Turn:     screen.Bind("F9", texts.PayKeys.Turn, "f9"),
		SignIn:   screen.Bind("F12", words.SignIn, "f12"),
		Quit:     screen.Bind("ctrl+c", lower(bar.Leave), "ctrl+c"),
	}
	for at, listed := range screens.all {
		if listed.opens != "" {
			keys.Opens[at] = screen.Bind(listed.opens, lower(listed.title(texts)), lower(listed.opens))
		}
	}
	return keys
}

// common returns the keys that the help lists for every screen.
func (k keyMap) common() []key.Binding {
	keys := append(slices.Clone(k.Opens[:]), k.Help, k.News, k.Hold, k.Language, k.Turn, k.SignIn)
	keys = slices.DeleteFunc(keys, func(b key.Binding) bool { return !b.Enabled() })
	slices.SortFunc(keys, func(a, b key.Binding) int { return number(a.Help().Key) - number(b.Help().Key) })
	return append(keys, k.Quit)
}

func number(name string) int {
	number, _ := strconv.Atoi(strings.TrimPrefix(name, "F"))
	return number
}
