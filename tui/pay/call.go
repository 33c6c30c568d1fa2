package pay

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// longestCall is the deadline of an order call, after which nobody knows what
// became of it.
const longestCall = 30 * time.Second

// calls are the order calls. At most one is shown; others may be under way that
// the cashier did not wait for.
type calls struct {
	count   int
	shown   bool
	number  int // Of the newest call, so that a stale answer is known as such.
	terms   payments.Terms
	began   time.Time
	spinner spinner.Model
	// seen acknowledges the order that was shown before, if its outcome was read,
	// once another order was made.
	seen tea.Cmd
}

// question is what the screen asks before it goes on, and what it does then. The
// zero question asks nothing.
type question struct {
	text   i18n.Message
	yes    func(Model) (Model, tea.Cmd)
	leaves bool // It asks whether to leave the order; see [Model.Serve].
	// settles is when Enter answers it: that a sale is paid has the grace of an outcome.
	settles time.Time
}

func (q question) asked() bool { return q.text != nil }

func (m Model) ask(text i18n.Message, yes func(Model) (Model, tea.Cmd)) Model {
	m.question, m.view.facing = question{text: text, yes: yes}, false
	return m
}

// answers say how the question that is open is answered.
func (m Model) answers() []string {
	if m.question.leaves {
		return []string{m.Texts.Asks.YesNo, m.Texts.Asks.OrNext}
	}
	return []string{m.Texts.Asks.YesNo}
}

func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	asked, answers := m.question, screen.NewAnswers()
	switch {
	case key.Matches(msg, answers.Yes) && m.Now().Before(asked.settles):
	case key.Matches(msg, answers.Yes):
		m.question = question{}
		return asked.yes(m)
	case key.Matches(msg, answers.No):
		m.question = question{}
		if m.order.Reference == "" {
			return m, left
		}
	}
	return m, nil
}

// call asks the service for an order, once. The order that was shown comes back
// when none is made.
func (m Model) call(terms payments.Terms) (Model, tea.Cmd) {
	m.calls.count++
	m.calls.number++
	m.calls.shown, m.calls.terms, m.calls.began = true, terms, m.Now()
	m.calls.spinner = spinner.New(spinner.WithSpinner(theme.Spinner()), spinner.WithStyle(m.Theme.Accent))
	return m, tea.Batch(m.checkout(terms), m.calls.spinner.Tick)
}

func (m Model) spin(msg spinner.TickMsg) (Model, tea.Cmd) {
	if !m.calls.shown {
		return m, nil
	}
	var cmd tea.Cmd
	m.calls.spinner, cmd = m.calls.spinner.Update(msg)
	return m, cmd
}

// again asks for another order of the same lines, or, when reference names the
// order that was not sent, for that one.
func (m Model) again(reference string) (Model, tea.Cmd) {
	terms := m.order.Terms()
	terms.Reference = reference
	m.calls.seen = nil
	if m.final() {
		m.calls.seen = m.acknowledge()
	}
	return m.call(terms)
}

// answered takes in how an order call ended. Whether the service took the order
// is told even when the screen shows another one by now: its sale is charged.
func (m Model) answered(msg answered) (Model, tea.Cmd) {
	m.calls.count--
	ended := func() tea.Msg { return Accepted{msg.order} }
	if msg.err != nil {
		ended = func() tea.Msg { return Declined{msg.terms} }
	}
	if msg.number != m.calls.number || !m.calls.shown {
		return m, ended
	}
	m.calls.shown = false
	m.question = question{}
	if asks, despite := cart.Again(msg.err, msg.terms, m.Zone); asks != nil {
		m = m.ask(asks, func(m Model) (Model, tea.Cmd) { return m.call(despite) })
		if despite.DespitePaid {
			m.question.settles = m.Now().Add(Grace)
		}
		return m, nil
	}
	var seen tea.Cmd
	if msg.order.Reference != "" {
		seen = m.calls.seen
		m = m.clear().adopt(msg.order)
	}
	m.notice = nil
	if msg.err != nil {
		m.notice = func(t i18n.Texts) string { return t.Hints.Declined(msg.err) }
	}
	return m, tea.Batch(ended, seen)
}

// correct gives the lines back to the sale. An outcome that was read is
// acknowledged, unless the customer can still pay.
func (m Model) correct() tea.Cmd {
	terms := m.order.Terms()
	corrected := func() tea.Msg { return Corrected{terms} }
	if !m.final() || m.order.Payable(m.state.Now) {
		return corrected
	}
	return tea.Sequence(m.acknowledge(), corrected)
}

// done acknowledges the outcome. While the customer can still pay it asks first,
// for that gives the order up.
func (m Model) done() (Model, tea.Cmd) {
	switch {
	case m.order.Payable(m.state.Now):
		until := m.clockTime(m.order.Link.ExpiresAt)
		return m.askToLeave(func(t i18n.Texts) string { return t.Asks.Done.With(until) }, m.acknowledge()), nil
	case m.view.missing:
		return m, left
	}
	return m, m.acknowledge()
}

// leave serves the next customer. While this one can still pay it asks, and says
// until when.
func (m Model) leave() (Model, tea.Cmd) {
	switch {
	case m.calls.shown:
		sale := m.calls.terms.Sale
		return m.clear(), func() tea.Msg { return Left{Sale: sale} }
	case !m.order.Payable(m.state.Now):
		return m, left
	}
	until := m.clockTime(m.order.Link.ExpiresAt)
	return m.askToLeave(func(t i18n.Texts) string { return t.Asks.Leave.With(until) }, left), nil
}

// askToLeave asks whether to leave the order, which a yes does by a command.
func (m Model) askToLeave(text i18n.Message, yes tea.Cmd) Model {
	m = m.ask(text, func(m Model) (Model, tea.Cmd) { return m, yes })
	m.question.leaves = true
	return m
}

// Serve leaves the order to wait when a key types something at the question whether to:
// that belongs to the next customer. It sends no message, so that the keys behind the first
// one are no commands of this screen.
func (m Model) Serve(msg tea.KeyMsg) (_ Model, left bool) {
	if !m.question.leaves || !screen.Types(msg) {
		return m, false
	}
	m.question = question{}
	return m, true
}
