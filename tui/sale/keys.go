package sale

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

type keyMap struct {
	Enter, Charge, Back, Undo, Note, Favourite, Tab, Next, Previous, Drop key.Binding
	Up, Down, Edit, More, Less, Reduce, Remove                            key.Binding // Keys for the chosen line.
	Resume, DropHeld                                                      key.Binding // Keys for the list of held sales.
	Owed, Debts, Held, Moves, WriteOff                                    key.Binding // Keys for the lists of debts. Owed is only for the help.
	Cash, Given, Usual                                                    key.Binding // Only for the help: Cash changes from a link to cash, Given and Usual answer the question for cash.
}

// Number keys of the favourites, and what they type without shift on an AZERTY keyboard.
const (
	numberKeys = "123456789"
	azerty     = "&é\"'(-è_ç"
)

// placeOf returns the number of the favourite for a key such as Alt+1.
func placeOf(msg tea.KeyMsg) int {
	return 1 + slices.Index([]rune(numberKeys+azerty), msg.Runes[0])%len(numberKeys)
}

func newKeyMap(texts i18n.Texts) keyMap {
	words, bind := texts.Keys, screen.Bind
	var favourites []string
	for _, char := range numberKeys + azerty {
		favourites = append(favourites, "alt+"+string(char))
	}
	return keyMap{
		Enter:     bind("enter", words.Adds, "enter"),
		Charge:    bind("enter", words.Charge, "enter"),
		Back:      bind("esc", words.Back, "esc"),
		Undo:      bind("ctrl+z", words.Undo, "ctrl+z"),
		Note:      bind("ctrl+n", words.Note, "ctrl+n"),
		Favourite: bind("alt+1…9", words.Quick, favourites...),
		Tab:       bind("tab", words.Quick, "tab"),
		Next:      bind("tab", words.Pick, "tab", "down"),
		Previous:  bind("tab", words.Pick, "shift+tab", "up"),
		Drop:      bind("esc", words.Drop, "esc"),
		Up:        bind("↑/↓", words.Move, "up"),
		Down:      bind("↑/↓", words.Move, "down"),
		Edit:      bind("enter", words.Edit, "enter"),
		More:      bind("+", words.More, "+"),
		Less:      bind("-", words.Less, "-"),
		Reduce:    bind("d", words.Reduce, "d"),
		Remove:    bind("del", words.Remove, "delete", "backspace", "ctrl+d"),
		Resume:    bind("enter", words.Resume, "enter"),
		DropHeld:  bind("del", words.Drop, "delete", "backspace", "ctrl+d"),
		Owed:      bind("F5 tab", texts.Debts.Switch, "f5"),
		Debts:     bind("tab", texts.Debts.Switch, "tab"),
		Held:      bind("tab", texts.Debts.Held, "tab"),
		Moves:     bind("enter", texts.Debts.Moves, "enter"),
		WriteOff:  bind("w", texts.Debts.WriteOff, "w"),
		Cash:      bind("tab", texts.WhenKeys.CashAsked, "tab"),
		Given:     bind("enter", texts.WhenKeys.CashGiven, "enter"),
		Usual:     bind("alt+1…6", texts.WhenKeys.CashUsual, favourites[:6]...),
	}
}
