package pay

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/screen"
)

// keyMap are the keys of the screen.
type keyMap struct {
	Done, Leave, Again, Correct key.Binding
	Resend, Link, Copy, Turn    key.Binding
	Page                        key.Binding
	Pay, Fail, Stop, Over       key.Binding
	screen.Answers
}

func newKeyMap(texts i18n.Texts) keyMap {
	words := texts.PayKeys
	bind := func(name, word string) key.Binding { return screen.Bind(name, word, name) }
	return keyMap{
		Done:    bind("enter", words.Done),
		Leave:   bind("esc", words.Leave),
		Again:   bind("n", words.Again),
		Correct: bind("r", words.Correct),
		Resend:  bind("s", words.Resend),
		Link:    bind("l", words.Link),
		Copy:    bind("c", words.Copy),
		Page:    bind("o", words.Page),
		Turn:    screen.Bind("F9", texts.Facing.Turn, "f9"),
		Pay:     bind("p", words.DemoPay),
		Fail:    bind("f", words.DemoFail),
		Stop:    bind("x", words.DemoStop),
		Over:    bind("e", words.DemoOver),
		Answers: screen.NewAnswers(),
	}
}

// enable switches each key on where it does something, and calls it by what it
// does then.
func (m *Model) enable() {
	verdict, final := m.verdict(), m.final()
	coded := m.scannable()
	grace := final && m.Now().Before(m.clock.graceEnds)
	again := m.current() && !grace && m.order.Repeatable(m.state.Conditions, m.state.Now) && !m.view.missing
	m.keys.Done.SetEnabled(final && !grace)
	m.keys.Leave.SetEnabled(!grace)
	m.keys.Again.SetEnabled(again)
	m.keys.Correct.SetEnabled(again)
	m.keys.Resend.SetEnabled(m.current() && m.order.Facts.NotSent && !m.order.Facts.Superseded)
	m.keys.Link.SetEnabled(coded)
	m.keys.Page.SetEnabled(coded)
	m.keys.Copy.SetEnabled(coded && m.Copy != nil)
	m.keys.Turn.SetEnabled(m.view.facing || coded)
	demo := m.Customer != nil && m.current() && m.order.OrderReference != "" && m.order.Live(m.state.Now)
	for _, binding := range []*key.Binding{&m.keys.Pay, &m.keys.Fail, &m.keys.Stop, &m.keys.Over} {
		binding.SetEnabled(demo)
	}
	m.rename(verdict, coded)
}

// rename calls the keys of an outcome by what they do then.
func (m *Model) rename(verdict payments.Verdict, coded bool) {
	words, done, again := m.Texts.Outcome, m.Texts.PayKeys.Done, m.Texts.PayKeys.Again
	switch verdict {
	case payments.VerdictPaid:
		done = words.NextSale
	case payments.VerdictUnknown, payments.VerdictRejected:
		done = words.Back // To the sale, which has the lines.
	}
	if !coded {
		again = words.SameLines
	}
	m.keys.Done.SetHelp(m.keys.Done.Help().Key, done)
	m.keys.Again.SetHelp(m.keys.Again.Help().Key, again)
}

// ShortHelp returns the keys that matter now, the likeliest first. Leaving a
// final outcome unseen is possible, but nothing to offer.
func (m Model) ShortHelp() []key.Binding {
	keys := m.keys
	switch {
	case m.calls.shown:
		return []key.Binding{keys.Leave}
	case m.scannable():
		return []key.Binding{keys.Leave, keys.Page, keys.Link, keys.Copy, keys.Again, keys.Correct, keys.Done, keys.Turn}
	case m.question.kind != nothing:
		return nil
	case m.final():
		return []key.Binding{keys.Again, keys.Correct, keys.Done}
	}
	return []key.Binding{keys.Resend, keys.Leave, keys.Again, keys.Correct, keys.Turn}
}

// DemoHelp returns the keys that act as the customer.
func (m Model) DemoHelp() []key.Binding {
	return []key.Binding{m.keys.Pay, m.keys.Fail, m.keys.Stop, m.keys.Over}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts)
	all.Page.SetHelp(all.Page.Help().Key, m.Texts.Code.Browser)
	columns := [][]key.Binding{{all.Done, all.Leave, all.Again, all.Correct}, {all.Resend, all.Turn, all.Page, all.Link, all.Copy}}
	if m.Customer != nil {
		columns = append(columns, []key.Binding{all.Pay, all.Fail, all.Stop, all.Over})
	}
	return columns
}
