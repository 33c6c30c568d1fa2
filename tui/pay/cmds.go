package pay

import (
	"context"
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

// Accepted is sent when the service took an order: its sale is charged.
type Accepted struct{ Terms payments.Terms }

// Declined is sent when an order call ended otherwise: what it was for is still
// to be paid.
type Declined struct{ Terms payments.Terms }

// StoryWanted is sent when the cashier wants to see what happened to an order, because
// the customer says that it is paid.
type StoryWanted struct{ Reference string }

// Dismissed is sent when the cashier is done with what the screen shows.
type Dismissed struct {
	// Seen is the order whose outcome was acknowledged, as it was then; the zero
	// order when it was not.
	Seen payments.Order
	// UnderWay are the terms of an order call that goes on; nil when there is none.
	UnderWay *payments.Terms
}

func dismissed() tea.Msg { return Dismissed{} }

// The results of commands.
type (
	// answered is how an order call ended.
	answered struct {
		number int
		terms  payments.Terms
		order  payments.Order
		err    error
	}
	// read is the order of a reference, read anew.
	read struct {
		reference string
		order     payments.Order
		err       error
	}
	// acknowledged is how the acknowledgement of an order ended.
	acknowledged read
	// noticed is what there is to say of what was tried; link shows the link whole.
	noticed struct {
		text i18n.Message
		link bool
	}
)

// longestCall is how long an order call takes at most, as the screen says it: the
// gateway's own deadline.
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
	leaves bool // It asks whether to leave the order.
}

func (q question) asked() bool { return q.text != nil }

func (m Model) ask(text i18n.Message, yes func(Model) (Model, tea.Cmd)) Model {
	m.question, m.facing = question{text: text, yes: yes}, false
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
	case key.Matches(msg, answers.Yes) && m.Service.Now().Before(m.graceEnds):
	case key.Matches(msg, answers.Yes):
		m.question = question{}
		return asked.yes(m)
	case key.Matches(msg, answers.No):
		m.question = question{}
		if m.order.Reference == "" {
			return m, dismissed
		}
	}
	return m, nil
}

// call asks the service for an order, once. The order that was shown comes back
// when none is made.
func (m Model) call(terms payments.Terms) (Model, tea.Cmd) {
	m.calls.count++
	m.calls.number++
	m.calls.shown, m.calls.terms, m.calls.began = true, terms, m.Service.Now()
	m.calls.spinner = spinner.New(spinner.WithSpinner(theme.Spinner()), spinner.WithStyle(m.Theme.Accent))
	number := m.calls.number
	return m, tea.Batch(m.calls.spinner.Tick, m.Run(func(ctx context.Context) tea.Msg {
		order, err := m.Service.Checkout(ctx, terms)
		return answered{number, terms, order, err}
	}))
}

// askAgain asks whether to make another order of the same lines.
func (m Model) askAgain() Model {
	var despite []payments.ObjectionKind
	says := func(t i18n.Texts) string { return t.Sale.Charge.With(i18n.Money(m.order.Amount)) }
	if m.order.Live(m.state.Now) {
		despite = []payments.ObjectionKind{payments.SalePayable}
		until := m.clockTime(m.order.Link.ExpiresAt)
		says = func(t i18n.Texts) string { return t.Asks.Again.With(until) }
	}
	return m.ask(says, func(m Model) (Model, tea.Cmd) { return m.again("", despite) })
}

// again asks for another order of the same lines, or, when reference names the
// order that was not sent, for that one.
func (m Model) again(reference string, despite []payments.ObjectionKind) (Model, tea.Cmd) {
	terms := m.order.Terms()
	terms.Reference = reference
	terms.Despite = despite
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
	ended := func() tea.Msg { return Accepted{msg.terms} }
	if msg.err != nil {
		ended = func() tea.Msg { return Declined{msg.terms} }
	}
	if msg.number != m.calls.number || !m.calls.shown {
		return m, ended
	}
	m.calls.shown, m.question = false, question{}
	if asks, despite := cart.Again(msg.err, msg.terms, m.Zone); asks != nil {
		m = m.ask(asks, func(m Model) (Model, tea.Cmd) { return m.call(despite) })
		return m.appear(), nil
	}
	var seen tea.Cmd
	if msg.order.Reference != "" {
		seen = m.calls.seen
		m = m.Clear().adopt(msg.order)
	}
	m.notice = nil
	if msg.err != nil {
		m.notice = func(t i18n.Texts) string { return t.Declined(msg.err) }
	}
	return m, tea.Batch(ended, seen)
}

// leave goes from the order by a command. While the customer can still pay it asks
// first, and says until when.
func (m Model) leave(asks func(i18n.Asks) i18n.Phrase, cmd tea.Cmd) (Model, tea.Cmd) {
	if !m.order.Payable(m.state.Now) {
		return m, cmd
	}
	until := m.clockTime(m.order.Link.ExpiresAt)
	m = m.ask(
		func(t i18n.Texts) string { return asks(t.Asks).With(until) },
		func(m Model) (Model, tea.Cmd) { return m, cmd },
	)
	m.question.leaves = true
	return m, nil
}

// Serves tells whether a key types something at a question, or text came at once at a
// code or at an outcome. That belongs to the next customer: the order is left to wait.
func (m Model) Serves(msg tea.KeyMsg) bool {
	return screen.Types(msg) && (m.question.asked() || msg.Paste && !m.Sending())
}

// Asked names the question or the outcome that a key answers; "" while there is none that
// could be read.
func (m Model) Asked() string {
	early := m.Service.Now().Before(m.graceEnds)
	switch {
	case early && (m.question.asked() || m.final()):
		return ""
	case m.question.asked():
		return "question: " + m.question.text(m.Texts)
	case m.final():
		return "outcome: " + m.order.Reference + " " + string(m.verdict())
	}
	return ""
}

func (m Model) reread() tea.Cmd {
	reference := m.order.Reference
	return m.Run(func(ctx context.Context) tea.Msg {
		order, _, err := m.Service.Order(ctx, reference)
		return read{reference, order, err}
	})
}

func (m Model) acknowledge() tea.Cmd {
	reference, seen, conditions := m.order.Reference, m.verdict(), m.state.Reach.Conditions()
	return m.Run(func(ctx context.Context) tea.Msg {
		order, err := m.Service.Acknowledge(ctx, reference, seen, conditions)
		return acknowledged{reference, order, err}
	})
}

// try does what may fail without harm, and says how it ended.
func (m Model) try(work func(context.Context) error, done, failed noticed) tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		if work(ctx) != nil {
			return failed
		}
		return done
	})
}
