package pay

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// question is what the screen asks before it goes on.
type question int

const (
	nothing question = iota
	askDone
	askLeave
	askAgain
	askCorrect
)

// ask asks when the link can still be paid, and otherwise goes on at once.
func (m Model) ask(next question) (Model, tea.Cmd) {
	m.question = next
	if m.order.Live(m.state.Now) && !m.superseded() {
		m.looks.facing = false // The cashier is asked.
		return m, nil
	}
	return m.proceed()
}

func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Yes):
		return m.proceed()
	case key.Matches(msg, m.keys.No):
		m.question = nothing
	}
	return m, nil
}

// proceed does what was asked about.
func (m Model) proceed() (Model, tea.Cmd) {
	asked := m.question
	m.question = nothing
	switch asked {
	case askDone:
		if m.looks.gone {
			return m, leave
		}
		return m, m.acknowledge()
	case askLeave:
		return m, leave
	}
	seen, old := m.final(), m
	var cmd tea.Cmd
	if asked == askCorrect {
		terms := m.terms("")
		cmd = func() tea.Msg { return Corrected{terms} }
	} else {
		m, cmd = m.again("")
	}
	if seen {
		return m, tea.Sequence(old.acknowledge(), cmd)
	}
	return m, cmd
}

// again sends the same lines: as a new order, or, when reference names the
// order that was not sent, as that one.
func (m Model) again(reference string) (Model, tea.Cmd) {
	return m.Charge(m.terms(reference))
}

// terms are those of the order, under a reference.
func (m Model) terms(reference string) payments.Terms {
	terms := m.order.Terms()
	terms.Reference = reference
	return terms
}
