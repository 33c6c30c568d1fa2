package orders

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/screen"
)

type keyMap struct {
	Open, Switch, Back, Search      key.Binding
	Paid, Unpaid, Match, Code, Seen key.Binding
	Lines, Money, Receipt           key.Binding
	Refund, Area, Void              key.Binding // Answers to the question that the key Money opens.
	Close                           key.Binding
	Enter, Whole                    key.Binding // Keys of the search field: Enter ends the typing, Whole removes the search.
}

func newKeyMap(words i18n.Texts) keyMap {
	return keyMap{
		Open:    screen.Bind("enter", words.PayKeys.Open, "enter"),
		Switch:  screen.Bind("tab", words.Keys.Switch, "tab"),
		Back:    screen.Bind("esc", words.Keys.Back, "esc"),
		Search:  screen.Bind("/", words.Orders.Search, "/"),
		Paid:    screen.Bind("y", words.PayKeys.Paid, "y"),
		Unpaid:  screen.Bind("u", words.PayKeys.Unpaid, "u"),
		Match:   screen.Bind("m", words.PayKeys.Match, "m"),
		Code:    screen.Bind("o", words.Detail.Code, "o"),
		Lines:   screen.Bind("n", words.PayKeys.Again, "n"),
		Seen:    screen.Bind("s", words.Alarms.Seen, "s"),
		Money:   screen.Bind("b", words.Cash.KeyBack, "b"),
		Refund:  screen.Bind("1", words.TenderBacks[string(drawer.TenderCash)], "1"),
		Area:    screen.Bind("2", words.TenderBacks[string(drawer.TenderLink)], "2"),
		Void:    screen.Bind("3", words.Cash.KeyVoid, "3"),
		Receipt: screen.Bind("p", words.Receipt.Shows, "p"),
		Close:   screen.Bind("esc", words.Receipt.Closes, "esc"),
		Enter:   screen.Bind("enter", words.Orders.Enter, "enter"),
		Whole:   screen.Bind("esc", words.Orders.Whole, "esc"),
	}
}

// ShortHelp returns the keys for the border of the pane, the most important ones first.
func (m Model) ShortHelp() []key.Binding {
	switch {
	case m.decision.open():
		return nil
	case m.typing:
		return []key.Binding{m.keys.Enter, m.keys.Whole, m.keys.Switch, m.master.List.Keys.Move}
	case m.slip.Shown():
		return []key.Binding{m.keys.Receipt, m.keys.Close}
	}
	k := m.keys
	keys := []key.Binding{k.Seen, k.Open, k.Match, k.Paid}
	if k.Paid.Enabled() { // For an order that counts as paid, the border omits Unpaid.
		keys = append(keys, k.Unpaid)
	}
	return append(keys, k.Code, k.Lines, k.Receipt, k.Money, k.Search, k.Switch, k.Back)
}

// FullHelp returns the keys of the screen for the help (F1).
func (m Model) FullHelp() []screen.Keys {
	all, words := newKeyMap(m.Texts), m.Texts.Guide
	return []screen.Keys{
		{Title: words.Lists, Keys: append(m.master.List.FullHelp(), all.Open, all.Search, all.Switch, all.Back)},
		{Title: words.Order, Keys: []key.Binding{all.Paid, all.Unpaid, all.Match, all.Code, all.Lines, all.Seen, all.Money, all.Receipt}},
	}
}
