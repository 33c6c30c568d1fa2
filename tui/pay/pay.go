// Package pay is the screen of one order: the QR code of its link with total
// and countdown, then its outcome, which stays until the cashier acknowledges
// it. A code is shown only while the order is payable and a payment by it would
// be seen. Whether a sale may be charged again is asked here and decided by
// payments.Service.Checkout.
package pay

import (
	"errors"
	"time"

	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/live"
)

// Grace is how long a new outcome stands before a key acknowledges it: a key
// that was on its way when the screen changed is not meant for it.
const Grace = 700 * time.Millisecond

// Config is what the screen needs.
type Config struct {
	live.Console
	Customer demo.Customer           // Nil unless this is the demo.
	Test     bool                    // The account is one with which no money moves.
	Shop     string                  // May be blank.
	Copy     func(link string) error // Sends a text to the terminal's clipboard; nil when it cannot.
	Browse   func(link string) error // Opens a page in this machine's browser; nil when there is none.
}

// Model is the screen.
type Model struct {
	Config
	// Banners are what is said on every screen, in dressed rows, the most important
	// one first: this one has the whole window.
	Banners []string

	state  live.State
	calls  calls
	window screen.Size
	shown
}

// shown is the order on the screen, and how it is shown.
type shown struct {
	order     payments.Order
	missing   bool // The database does not have the order any more.
	stale     bool // The order was not read since it was opened: no code yet.
	reshown   bool // The code is shown although the order was given up.
	wholeLink bool // The link is shown whole.
	facing    bool // The screen is turned to the customer.
	question  question
	notice    i18n.Message

	graceFor  payments.Verdict // The final verdict that has, or had, its grace.
	graceEnds time.Time

	code  qr.Model
	place scan.Place
	tall  bool // It needs the rows of the frame.
}

// New returns the screen without an order.
func New(config Config) Model { return Model{Config: config} }

// SetSize gives the screen its room, in cells: the window while it is [Model.Whole],
// and otherwise what the frame leaves of it.
func (m Model) SetSize(width, height int) Model {
	if !m.Whole() {
		height += frameRows
	}
	m.window = screen.Size{Width: width, Height: height}
	m.fit()
	return m
}

// SetTexts changes the language. The order, its code and a question that is
// open stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	return m
}

// Charge makes an order from terms, once, and shows it.
func (m Model) Charge(terms payments.Terms) (Model, tea.Cmd) { return m.Clear().call(terms) }

// Open shows an order that was made before. Its code stays away until the order
// was read anew: another one of the sale may have been paid.
func (m Model) Open(order payments.Order) (Model, tea.Cmd) {
	m = m.Clear()
	m.stale = true
	m = m.adopt(order)
	return m, m.reread()
}

// Again shows the code of the order again although an attempt to pay failed or
// a person saw that it was not paid, for as long as it is payable. Another
// outcome takes the code away. The outcome so far is no surprise, so that keys
// count at once.
func (m Model) Again() Model {
	m.reshown, m.graceEnds = true, time.Time{}
	return m
}

// Order returns the order that is shown.
func (m Model) Order() payments.Order { return m.order }

// Sending tells whether the screen shows an order call that is under way.
func (m Model) Sending() bool { return m.calls.shown }

// UnderWay is how many order calls are under way, those among them that the
// cashier did not wait for.
func (m Model) UnderWay() int { return m.calls.count }

// Shows tells whether there is an order that the cashier is not done with, or a call.
func (m Model) Shows() bool { return m.calls.shown || m.order.Reference != "" || m.question.asked() }

// Clear returns the screen without an order. A call that is under way goes on.
func (m Model) Clear() Model {
	m.shown = shown{}
	m.calls.shown = false
	m.calls.seen = nil // It is about the order that was shown.
	return m
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (_ Model, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered:
		return m.appear(), nil
	case live.State:
		return m.refresh(msg)
	case spinner.TickMsg:
		if m.calls.shown {
			m.calls.spinner, cmd = m.calls.spinner.Update(msg)
		}
	case answered:
		return m.answered(msg)
	case read:
		return m.read(msg), nil
	case acknowledged:
		switch {
		case msg.reference != m.order.Reference || !m.current():
		case msg.err != nil:
			m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
		case msg.order.Facts.Acknowledged:
			cmd = func() tea.Msg { return Dismissed{Seen: msg.order} }
		default: // Another verdict came meanwhile.
			m = m.adopt(msg.order)
		}
	case noticed:
		m.notice, m.wholeLink = msg.text, m.wholeLink || msg.link
	}
	return m, cmd
}

func (m Model) refresh(state live.State) (Model, tea.Cmd) {
	m.state = state
	if !m.current() {
		return m, nil
	}
	order, open := state.Find(m.order.Reference)
	if !open || order.Status == payments.StatusCreating && m.order.Status != payments.StatusCreating {
		order = m.order // The picture lacks it, or is from before the service answered.
	}
	if open || !m.missing {
		m = m.adopt(order)
	}
	if state.Changed && (!open || m.stale) {
		return m, m.reread()
	}
	return m, nil
}

// adopt shows order as it is now. A final verdict that is new gets its grace.
func (m Model) adopt(order payments.Order) Model {
	before := m.shown
	m.order, m.missing = order, false
	if before.order.Link.URL != order.Link.URL {
		m.code, _ = qr.New(order.Link.URL, m.Theme) // Without a code the link is shown.
		m.fit()
	}
	if m.graceFor = ""; !m.final() {
		return m
	}
	m.graceFor = m.verdict()
	if m.graceFor != before.graceFor || order.Status != before.order.Status {
		m.question, m.notice, m.wholeLink, m.reshown = question{}, nil, false, false
		return m.appear()
	}
	return m
}

// appear starts the grace of what the cashier sees from now on.
func (m Model) appear() Model {
	m.graceEnds = m.Service.Now().Add(Grace)
	return m
}

func (m Model) verdict() payments.Verdict { return m.state.Verdict(m.order) }

func (m Model) look() badge.Look { return badge.Of(m.Texts, m.order, m.verdict()) }

func (m Model) current() bool { return m.order.Reference != "" && !m.calls.shown }

// final tells whether the verdict is one to acknowledge.
func (m Model) final() bool {
	if !m.current() {
		return false
	}
	switch m.verdict() {
	case payments.VerdictWaiting, payments.VerdictTimeOver:
		return false
	case payments.VerdictUnknown:
		return m.order.Status == payments.StatusUnknown
	}
	return true
}

// retrying tells whether the customer was refused and can try again.
func (m Model) retrying() bool {
	return m.verdict() == payments.VerdictNotPaid && m.order.Retryable(m.state.Now)
}

// scannable tells whether the code may be shown: the customer is asked to pay,
// and a payment would be seen.
func (m Model) scannable() bool {
	left, _ := m.state.Left(m.order) // It may be over by one of the two clocks.
	if !m.current() || m.stale || m.missing || left <= 0 || !m.order.Payable(m.state.Now) {
		return false
	}
	switch m.verdict() {
	case payments.VerdictWaiting:
		return true
	case payments.VerdictNotPaid:
		return m.reshown || m.retrying()
	case payments.VerdictMarkedUnpaid:
		return m.reshown
	}
	return false
}

// read takes in an order that was read anew.
func (m Model) read(msg read) Model {
	switch {
	case msg.reference != m.order.Reference || !m.current():
	case msg.err == nil:
		m.stale = false
		return m.adopt(msg.order)
	case errors.Is(msg.err, payments.ErrNotFound):
		// Another database has taken the place of the order's. Nothing is known of it
		// any more, whatever was shown before. The customer may have paid it: no other
		// order is offered.
		lost := m.order
		lost.Status, lost.Reason = payments.StatusUnknown, payments.Reason{}
		lost.Facts = payments.Facts{}
		lost.Finding = nil
		lost.Link = payments.Link{}
		m = m.adopt(lost)
		m.missing = true
	}
	return m
}
