// Package pay is the screen of one order: the QR code of its link with total
// and countdown, then its outcome, which stays until the cashier acknowledges
// it. A code is shown only while a payment by it can be seen and is wanted.
package pay

import (
	"errors"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Grace is how long a new outcome stands before a key acknowledges it: a key
// that was on its way when the screen changed is not meant for it.
const Grace = 700 * time.Millisecond

// Config is what the screen needs.
type Config struct {
	Cashier  Cashier
	Run      live.Runner
	Customer Customer                // Nil unless this is the demo.
	Test     bool                    // The account is one with which no money moves.
	Copy     func(link string) error // Puts a text on the clipboard; nil when it cannot.
	Now      payments.Clock
	Zone     *time.Location
	Theme    theme.Theme
	Texts    i18n.Texts
}

// Model is the screen.
type Model struct {
	Config
	keys     keyMap
	badge    badge.Badge
	state    live.State
	order    payments.Order
	sending  bool
	attempt  int // Numbers the order calls, so that a stale answer is dropped.
	question question
	clock    clock
	code     code
	notice   i18n.Message
	looks    looks
	rival    rival
	size     size
}

// rival says whether another order of the same sale is paid, beyond what the
// picture of the moment tells: a paid order that was acknowledged is not open.
type rival int

const (
	noRival   rival = iota
	unread          // Not known yet: the order was made before.
	rivalPaid       // Nobody shall pay this order as well.
)

type size struct{ width, height int }

// code is the QR code of the order's link; ok is false while there is none.
type code struct {
	model qr.Model
	ok    bool
}

// New returns the screen without an order.
func New(config Config) Model {
	return Model{
		Config: config, keys: newKeyMap(config.Texts),
		badge: badge.New(config.Theme, config.Texts),
	}
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = size{width, height}
	m.fit()
	return m
}

// Charge makes an order from terms, once, and shows it.
func (m Model) Charge(terms payments.Terms) (Model, tea.Cmd) {
	m = m.clear()
	m.sending = true
	m.attempt++
	if total, err := payments.Total(terms.Items); err == nil {
		m.looks.asked = total
	}
	m.enable()
	return m, m.checkout(terms)
}

// Open shows an order that was made before. Its code stays away until it is
// known that no other order of the sale is paid.
func (m Model) Open(order payments.Order) (Model, tea.Cmd) {
	m = m.clear()
	if order.Sale == "" {
		return m.adopt(order), nil
	}
	m.rival = unread
	m = m.adopt(order)
	return m, m.readRivals()
}

// Order returns the order that is shown.
func (m Model) Order() payments.Order { return m.order }

// Sending tells whether an order call is under way.
func (m Model) Sending() bool { return m.sending }

func (m Model) clear() Model {
	m.order, m.sending, m.question = payments.Order{}, false, nothing
	m.notice, m.looks, m.code, m.clock = nil, looks{}, code{}, clock{}
	m.rival = noRival
	return m
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.State:
		return m.look(msg)
	case answered:
		return m.answered(msg)
	case read:
		return m.read(msg), nil
	case rivals:
		return m.rivals(msg), nil
	case acknowledged:
		return m.acknowledged(msg)
	case copied:
		return m.copied(msg), nil
	case acted:
		return m.acted(msg), nil
	}
	return m, nil
}

// look takes in the picture of the moment.
func (m Model) look(state live.State) (Model, tea.Cmd) {
	m.state = state
	if m.order.Reference == "" {
		return m, nil
	}
	var rivals tea.Cmd
	if m.rival == unread && state.Changed {
		rivals = m.readRivals()
	}
	order, open := state.Find(m.order.Reference)
	if open {
		if order.Status == payments.StatusCreating && m.order.Status != payments.StatusCreating && !m.sending {
			order = m.order // The picture is from before the service answered.
		}
		return m.adopt(order), rivals
	}
	if !m.looks.gone {
		m = m.adopt(m.order)
	}
	if state.Changed && !m.sending {
		return m, tea.Batch(m.reread(), rivals)
	}
	return m, nil
}

// adopt shows order as it is now. A final verdict that is new gets its grace.
func (m Model) adopt(order payments.Order) Model {
	before, shown := m.order, m.clock.shown
	m.order, m.looks.gone = order, false
	if before.Link.URL != order.Link.URL {
		m.code, m.clock = code{}, clock{}
		if model, err := qr.New(order.Link.URL, drawing(m.Theme)...); err == nil && order.Link.URL != "" {
			m.code = code{model, true}
		}
		now := m.Now()
		m.clock.countdown, m.clock.started = payments.NewCountdown(order.Link.ExpiresAt, now), now
		m.fit()
	}
	m.clock.shown = ""
	if m.final() {
		m.clock.shown = m.state.Verdict(order)
	}
	if m.final() && (m.clock.shown != shown || before.Status != order.Status) {
		m.question, m.notice, m.looks.whole, m.looks.anew = nothing, nil, false, false
		m.clock.graceEnds = m.Now().Add(Grace)
	}
	m.enable()
	return m
}

// final tells whether the verdict is one to acknowledge.
func (m Model) final() bool {
	if m.order.Reference == "" || m.sending {
		return false
	}
	switch m.state.Verdict(m.order) {
	case payments.VerdictWaiting, payments.VerdictTimeOver:
		return false
	case payments.VerdictUnknown:
		return m.order.Status == payments.StatusUnknown
	}
	return true
}

// answered takes in how an order call ended. Whether the service took the order
// is told even when the screen shows another one by now: its sale is charged.
func (m Model) answered(msg answered) (Model, tea.Cmd) {
	ended := func() tea.Msg { return Accepted{msg.order} }
	if msg.err != nil {
		ended = func() tea.Msg { return Declined{msg.terms} }
	}
	if msg.attempt != m.attempt || !m.sending {
		return m, ended
	}
	m.sending = false
	if msg.order.Reference == "" {
		m.notice = advice(msg.err)
		m.enable()
		return m, ended
	}
	m = m.adopt(msg.order)
	if msg.err != nil {
		m.notice = advice(msg.err)
	}
	return m, ended
}

// advice says what to do about an order call that gave no link; nothing where
// the order itself says it.
func advice(err error) i18n.Message {
	var ambiguous *payments.AmbiguousError
	var refusal *payments.Refusal
	switch {
	case errors.As(err, &ambiguous):
		return nil
	case errors.As(err, &refusal):
		return func(t i18n.Texts) string { return t.Hints.Refusal }
	case errors.Is(err, payments.ErrNotSent):
		return func(t i18n.Texts) string { return t.Hints.Unsent }
	case errors.Is(err, payments.ErrNoRoom):
		return func(t i18n.Texts) string { return t.Hints.NoRoom }
	case errors.Is(err, payments.ErrReferenceTaken):
		return func(t i18n.Texts) string { return t.Hints.Taken }
	case errors.Is(err, payments.ErrTooLarge):
		return func(t i18n.Texts) string { return t.Hints.TooLarge }
	}
	return func(t i18n.Texts) string { return t.Hints.StoreFailed }
}

func (m Model) rivals(msg rivals) Model {
	if msg.err != nil || msg.reference != m.order.Reference || m.rival != unread {
		return m
	}
	m.rival = noRival
	if msg.paid {
		m.rival = rivalPaid
	}
	m.enable()
	return m
}

// superseded tells whether another order of the sale is paid.
func (m Model) superseded() bool { return m.rival == rivalPaid || m.state.PaidSibling(m.order) }

func (m Model) acknowledged(msg acknowledged) (Model, tea.Cmd) {
	switch {
	case msg.err != nil:
		m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
		return m, nil
	case msg.order.Reference != m.order.Reference:
		return m, nil
	case !msg.order.Facts.Acknowledged:
		return m.adopt(msg.order), nil
	}
	return m, func() tea.Msg { return Left{Seen: msg.order} }
}

func (m Model) copied(msg copied) Model {
	if msg.err == nil {
		m.notice = func(t i18n.Texts) string { return t.Pay.Copied }
	}
	return m
}

func (m Model) acted(msg acted) Model {
	if msg.err != nil {
		m.notice = func(t i18n.Texts) string { return t.Hints.NotPlayed }
	}
	return m
}

// press takes a key.
func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	if m.question != nothing {
		return m.answer(msg)
	}
	m.enable()
	switch {
	case key.Matches(msg, m.keys.Turn), m.looks.facing && key.Matches(msg, m.keys.Leave):
		return m.turn(), nil
	case key.Matches(msg, m.keys.Done):
		return m.ask(askDone)
	case key.Matches(msg, m.keys.Leave):
		return m.ask(askLeave)
	case key.Matches(msg, m.keys.Again):
		return m.ask(askAgain)
	case key.Matches(msg, m.keys.Correct):
		return m.ask(askCorrect)
	case key.Matches(msg, m.keys.Resend):
		return m.again(m.order.Reference)
	case key.Matches(msg, m.keys.Link):
		m.looks.whole = !m.looks.whole
	case key.Matches(msg, m.keys.Copy):
		return m, m.copyLink()
	case key.Matches(msg, m.keys.Pay):
		return m, m.act(payments.PaymentSuccess)
	case key.Matches(msg, m.keys.Fail):
		return m, m.act(payments.PaymentFailed)
	case key.Matches(msg, m.keys.Stop):
		return m, m.act(payments.PaymentCanceled)
	case key.Matches(msg, m.keys.Over):
		return m, m.act(payments.PaymentExpired)
	}
	return m, nil
}
