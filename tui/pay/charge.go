package pay

import (
	"errors"
	"time"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
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

// question is what the screen asks before it goes on.
type question struct {
	kind  questionKind
	order payments.Order // The other order of the sale, that is paid or payable.
}

type questionKind int

const (
	nothing questionKind = iota
	askDone
	askLeave
	askDespitePaid    // The sale is paid.
	askDespitePayable // An earlier order of the sale can still be paid.
)

// call asks the service for an order, once. The order that was shown comes back
// when none is made.
func (m Model) call(terms payments.Terms) (Model, tea.Cmd) {
	m.calls.count++
	m.calls.number++
	m.calls.shown, m.calls.terms, m.calls.began = true, terms, m.Now()
	m.calls.spinner = spinner.New(spinner.WithSpinner(m.Theme.Glyphs().Spinner), spinner.WithStyle(m.Theme.Accent))
	m.enable()
	return m, tea.Batch(m.checkout(terms), m.calls.spinner.Tick)
}

// spin moves the spinner while a call is shown.
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
	if m.question = asks(msg.err); m.question.kind != nothing {
		m.view.facing = false
		m.enable()
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
	m.enable()
	return m, tea.Batch(ended, seen)
}

// asks returns the question to which an order call leads that made no order.
func asks(err error) question {
	if paid, is := errors.AsType[*payments.AlreadyPaidError](err); is {
		return question{askDespitePaid, paid.Order}
	}
	if payable, is := errors.AsType[*payments.StillPayableError](err); is {
		return question{askDespitePayable, payable.Order}
	}
	return question{}
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
		m.question, m.view.facing = question{kind: askDone}, false
		return m, nil
	case m.view.missing:
		return m, func() tea.Msg { return Left{} }
	}
	return m, m.acknowledge()
}

// leave serves the next customer. While this one can still pay it asks, and says
// until when; who knows that by now is told on the sale's screen alone.
func (m Model) leave() (Model, tea.Cmd) {
	if m.calls.shown {
		sale := m.calls.terms.Sale
		return m.clear(), func() tea.Msg { return Left{Sale: sale} }
	}
	switch {
	case !m.order.Payable(m.state.Now):
		return m, func() tea.Msg { return Left{} }
	case m.leftBefore:
		left := m.order
		return m, func() tea.Msg { return Left{Waiting: left} }
	}
	m.question, m.view.facing = question{kind: askLeave}, false
	return m, nil
}

// answer takes the answer to the question that is open.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	asked := m.question
	switch {
	case key.Matches(msg, m.keys.Yes):
		m.question = question{}
		return m.proceed(asked.kind)
	case key.Matches(msg, m.keys.No):
		m.question = question{}
		m.enable()
		if m.order.Reference == "" {
			return m, func() tea.Msg { return Left{} }
		}
	}
	return m, nil
}

// proceed does what was asked about.
func (m Model) proceed(asked questionKind) (Model, tea.Cmd) {
	terms := m.calls.terms
	switch asked {
	case askDone:
		return m, m.acknowledge()
	case askLeave:
		m.leftBefore = true
		return m, func() tea.Msg { return Left{} }
	case askDespitePaid:
		terms.DespitePaid = true
	case askDespitePayable:
		terms.DespitePayable = true
	}
	return m.call(terms)
}
