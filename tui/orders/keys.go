package orders

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

type keyMap struct {
	Open, Switch, Back, Search      key.Binding
	Paid, Unpaid, Match, Code, Seen key.Binding
	Lines                           key.Binding
	Enter, Whole                    key.Binding // While one searches.
}

func newKeyMap(words i18n.Texts) keyMap {
	return keyMap{
		Open:   screen.Bind("enter", words.PayKeys.Open, "enter"),
		Switch: screen.Bind("tab", words.Keys.Switch, "tab"),
		Back:   screen.Bind("esc", words.Keys.Back, "esc"),
		Search: screen.Bind("/", words.Search.Key, "/"),
		Paid:   screen.Bind("y", words.PayKeys.Paid, "y"),
		Unpaid: screen.Bind("u", words.PayKeys.Unpaid, "u"),
		Match:  screen.Bind("m", words.PayKeys.Match, "m"),
		Code:   screen.Bind("o", words.Detail.Code, "o"),
		Lines:  screen.Bind("n", words.PayKeys.Again, "n"),
		Seen:   screen.Bind("s", words.Alarms.Seen, "s"),
		Enter:  screen.Bind("enter", words.Search.Enter, "enter"),
		Whole:  screen.Bind("esc", words.Search.Whole, "esc"),
	}
}

// ShortHelp returns the keys that matter now: none while a question is open,
// which names its own. What settles a dispute about an order stands first.
func (m Model) ShortHelp() []key.Binding {
	switch {
	case m.ask.Open():
		return nil
	case m.typing:
		return []key.Binding{m.keys.Enter, m.keys.Whole, m.master.List.Move()}
	case m.inside():
		return []key.Binding{m.keys.Match, m.keys.Paid, m.keys.Unpaid, m.keys.Code, m.keys.Lines, m.keys.Back}
	}
	return []key.Binding{m.keys.Seen, m.keys.Open, m.keys.Search, m.keys.Switch, m.keys.Match, m.keys.Paid, m.keys.Unpaid, m.keys.Code, m.keys.Lines, m.keys.Back}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts)
	return [][]key.Binding{
		append(m.master.List.FullHelp(), all.Open, all.Search, all.Switch, all.Back),
		{all.Paid, all.Unpaid, all.Match, all.Code, all.Lines, all.Seen},
	}
}
