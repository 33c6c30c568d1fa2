package orders

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// keyMap are the keys of the screen.
type keyMap struct {
	Up, Down, Open, Switch, Back key.Binding
	Paid, Unpaid, Match, Yes, No key.Binding
	Seen, Code                   key.Binding
	typingKeys
	searchKeys
}

// typingKeys are those of the fields that are typed into.
type typingKeys struct{ Former, Next, Erase key.Binding }

func newKeyMap(words i18n.Texts) keyMap {
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	return keyMap{
		Up:     bind("↑/↓", words.Keys.Move, "up", "k"),
		Down:   bind("↑/↓", words.Keys.Move, "down", "j"),
		Open:   bind("enter", words.PayKeys.Open, "enter"),
		Switch: bind("tab", words.Keys.Switch, "tab"),
		Back:   bind("esc", words.Keys.Back, "esc"),
		Paid:   bind("y", words.PayKeys.Paid, "y"),
		Unpaid: bind("u", words.PayKeys.Unpaid, "u"),
		Match:  bind("m", words.PayKeys.Match, "m"),
		Seen:   bind("s", words.Alarms.Seen, "s"),
		Code:   bind("o", words.Detail.Code, "o"),
		typingKeys: typingKeys{
			Former: key.NewBinding(key.WithKeys("up")),
			Next:   key.NewBinding(key.WithKeys("down")),
			Erase:  key.NewBinding(key.WithKeys("backspace")),
		},
		searchKeys: newSearchKeys(words),

		Yes: key.NewBinding(key.WithKeys("enter")),
		No:  key.NewBinding(key.WithKeys("esc")),
	}
}

// enable switches each key on where it does something.
func (m *Model) enable() {
	whole := m.detail.order.Reference != ""
	_, proposed := m.proposal()
	moves := !whole || len(m.whole()) > m.room()
	m.keys.Up.SetEnabled(moves)
	m.keys.Down.SetEnabled(moves)
	m.keys.Open.SetEnabled(!whole)
	m.keys.Switch.SetEnabled(!whole)
	m.keys.Search.SetEnabled(!whole)
	m.keys.Paid.SetEnabled(whole)
	m.keys.Unpaid.SetEnabled(whole)
	m.keys.Match.SetEnabled(whole && proposed)
	m.keys.Code.SetEnabled(whole && m.detail.order.Payable(m.state.Now))
	_, strayed := m.oldestStray()
	m.keys.Seen.SetEnabled(!whole && strayed)
}

// proposal returns the unmatched event that seems to be the shown order's.
func (m Model) proposal() (payments.Event, bool) {
	for _, record := range m.unmatched {
		if _, fits := payments.Propose(record.Event, []payments.Order{m.detail.order}); fits {
			return record.Event, true
		}
	}
	return payments.Event{}, false
}

// ShortHelp returns the keys that matter now: none while a question is open,
// which names its own. A finding about an order that needs none is possible,
// but nothing to offer.
func (m Model) ShortHelp() []key.Binding {
	if m.question != nothing {
		return nil
	}
	if m.history.search.typing {
		return []key.Binding{m.keys.Enter, m.keys.Whole, m.keys.Up}
	}
	keys := []key.Binding{
		m.keys.Seen, m.keys.Open, m.keys.Search, m.keys.Up, m.keys.Switch, m.keys.Match, m.keys.Code,
	}
	if m.doubtful() {
		keys = append(keys, m.keys.Paid, m.keys.Unpaid)
	}
	return append(keys, m.keys.Back)
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts)
	return [][]key.Binding{{all.Up, all.Open, all.Search, all.Switch, all.Back}, {all.Paid, all.Unpaid, all.Match, all.Code, all.Seen}}
}
