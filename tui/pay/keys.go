package pay

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// keyMap are the keys of the screen.
type keyMap struct {
	Done, Leave, Again, Correct key.Binding
	Resend, Link, Copy, Turn    key.Binding
	Pay, Fail, Stop, Over       key.Binding
	Yes, No                     key.Binding // The answers to a question, which names them.
}

func newKeyMap(texts i18n.Texts) keyMap {
	words := texts.PayKeys
	bind := func(name, word string) key.Binding {
		return key.NewBinding(key.WithKeys(name), key.WithHelp(name, word))
	}
	return keyMap{
		Done:    bind("enter", words.Done),
		Leave:   bind("esc", words.Leave),
		Again:   bind("n", words.Again),
		Correct: bind("r", texts.Correction.Key),
		Resend:  bind("s", words.Resend),
		Link:    bind("l", words.Link),
		Copy:    bind("c", words.Copy),
		Turn:    key.NewBinding(key.WithKeys("f9"), key.WithHelp("F9", texts.Facing.Turn)),
		Pay:     bind("p", words.DemoPay),
		Fail:    bind("f", words.DemoFail),
		Stop:    bind("x", words.DemoStop),
		Over:    bind("e", words.DemoOver),
		Yes:     key.NewBinding(key.WithKeys("enter")),
		No:      key.NewBinding(key.WithKeys("esc")),
	}
}

// enable switches each key on where it does something.
func (m *Model) enable() {
	verdict := m.state.Verdict(m.order)
	final := m.final()
	linked := m.scannable()
	grace := final && m.Now().Before(m.clock.graceEnds)
	again := m.order.Reference != "" && m.repeatable(verdict) && !m.superseded() && !m.looks.gone
	m.keys.Done.SetEnabled(final && !grace)
	m.keys.Leave.SetEnabled(!m.sending && !grace)
	m.keys.Again.SetEnabled(!m.sending && !grace && again)
	m.keys.Correct.SetEnabled(m.keys.Again.Enabled())
	m.keys.Resend.SetEnabled(!m.sending && m.order.Facts.NotSent)
	m.keys.Link.SetEnabled(linked)
	m.keys.Copy.SetEnabled(linked && m.Copy != nil)
	m.keys.Turn.SetEnabled(m.looks.facing || linked)
	demo := m.Customer != nil && m.order.OrderReference != "" && m.order.Live(m.state.Now)
	m.keys.Pay.SetEnabled(demo)
	m.keys.Fail.SetEnabled(demo)
	m.keys.Stop.SetEnabled(demo)
	m.keys.Over.SetEnabled(demo)
}

// repeatable tells whether a new order may be made from the same lines.
func (m Model) repeatable(verdict payments.Verdict) bool {
	switch verdict {
	case payments.VerdictNotPaid, payments.VerdictTimeOver, payments.VerdictMarkedUnpaid:
		return true
	case payments.VerdictWaiting:
		return m.order.Status == payments.StatusPending
	case payments.VerdictUnknown:
		return m.order.Status == payments.StatusUnknown
	}
	return false
}

// ShortHelp returns the keys that matter now, the likeliest first. Leaving a
// final outcome unseen is possible, but nothing to offer.
func (m Model) ShortHelp() []key.Binding {
	if m.final() && !m.scannable() {
		return []key.Binding{m.keys.Done, m.keys.Again, m.keys.Correct}
	}
	return []key.Binding{
		m.keys.Done, m.keys.Resend, m.keys.Leave, m.keys.Turn, m.keys.Link, m.keys.Copy, m.keys.Again, m.keys.Correct,
	}
}

// DemoHelp returns the keys that act as the customer.
func (m Model) DemoHelp() []key.Binding {
	return []key.Binding{m.keys.Pay, m.keys.Fail, m.keys.Stop, m.keys.Over}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts)
	columns := [][]key.Binding{{all.Done, all.Leave, all.Again, all.Correct}, {all.Resend, all.Turn, all.Link, all.Copy}}
	if m.Customer != nil {
		columns = append(columns, []key.Binding{all.Pay, all.Fail, all.Stop, all.Over})
	}
	return columns
}

// Takes tells whether a key does something now.
func (m Model) Takes(msg tea.KeyMsg) bool {
	if m.question != nothing {
		return key.Matches(msg, m.keys.Yes, m.keys.No)
	}
	m.enable()
	return key.Matches(msg, append(m.ShortHelp(), m.DemoHelp()...)...)
}
