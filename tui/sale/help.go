package sale

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/tui/counter"
	"checkout/till/tui/wording"
)

// inquiry has the parts of a question: its title, the amount as large figures, its
// details, a hint, the action of Enter, and a warning.
type inquiry struct{ title, amount, about, hint, does, warning string }

func (m Model) inquiry() inquiry {
	words, question := m.Texts.Sale, *m.Counter.Question()
	title, about := wording.Question(m.Texts, m.Zone, question), m.counts()
	if name := m.cart().Name; name != "" {
		about = append(about, name)
	}
	asks := inquiry{title: title, amount: wording.Worth(m.items()), about: strings.Join(about, between), does: words.Drops}
	switch question.Kind {
	case counter.AskDropHeld:
		asks.amount = wording.Worth(question.Sale.Items)
		asks.about = question.Sale.Name
	case counter.AskCharge:
		asks.hint = words.Joins
		asks.does = words.ChargeNow
		if reach := m.Counter.ReachNow(); reach.Doubtful() {
			asks.hint = ""
			asks.warning = m.Texts.Charging[reach]
		}
	}
	return asks
}

// ShortHelp returns the keys for the entry line to show. Questions and entries other than
// a new line show theirs themselves.
func (m Model) ShortHelp() []key.Binding {
	keys := m.keys
	switch {
	case m.asks():
		return nil
	case m.mode == choosing:
		return []key.Binding{keys.Edit, keys.More, keys.Less, keys.Reduce, keys.Remove, keys.Back}
	case m.mode == resuming:
		return []key.Binding{keys.Resume, keys.DropHeld, m.list.Keys.Move, m.list.Keys.Page, keys.Back}
	case m.mode != entering:
		return nil
	case m.choice.offered():
		return []key.Binding{keys.Next, keys.Back}
	case !m.line.Empty():
		return []key.Binding{keys.Enter, keys.Back}
	case !m.cart().Untouched():
		return []key.Binding{keys.Enter, keys.Undo, keys.Drop}
	case len(m.Counter.Shelf().Favourites()) > 0:
		return []key.Binding{keys.Enter, keys.Tab}
	}
	return []key.Binding{keys.Enter}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := m.keys
	when := m.Texts.WhenKeys
	for binding, does := range map[*key.Binding]string{
		&all.Charge: when.Charge, &all.Next: when.Pick, &all.Tab: when.Quick, &all.Back: when.Back, &all.Drop: when.Drop,
	} {
		binding.SetHelp(binding.Help().Key, does)
	}
	return [][]key.Binding{
		{all.Enter, all.Charge, all.Next, all.Tab, all.Favourite, all.Note, all.Undo, all.Back, all.Drop},
		{all.Up, all.Edit, all.More, all.Less, all.Reduce, all.Remove},
		{all.Resume, all.DropHeld},
	}
}
