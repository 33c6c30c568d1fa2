// Package pay is the screen of one order or cash sale. An order has its QR code with the countdown,
// and then its outcome, until the cashier closes it. The counter ([counter.Counter]) decides what
// is shown and what a key changes.
package pay

import (
	"context"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	if m.inquires() {
		m.answer(msg)
		return m, nil
	}
	keys, order := m.keys(m.Counter.Ready()), m.order()
	link := order.Link.URL
	switch {
	case key.Matches(msg, keys.Turn), m.facing && key.Matches(msg, keys.Leave):
		m.facing = !m.facing
		m.wholeLink = false
		m.notice = nil
	case key.Matches(msg, keys.Done) && m.Counter.Shown().Cash.Number != "":
		m.Counter.DoneCash()
	case key.Matches(msg, keys.Done):
		m.Counter.Done(order)
	case key.Matches(msg, keys.Receipt):
		var cmd tea.Cmd
		m.slip, cmd = m.slip.Press(m.reference)
		return m, cmd
	case key.Matches(msg, keys.Close):
		m.slip = m.slip.Close()
	case key.Matches(msg, keys.Leave):
		m.Counter.Leave()
	case key.Matches(msg, keys.Again):
		m.Counter.Again(order)
	case key.Matches(msg, keys.Resend):
		m.Counter.Resend()
	case key.Matches(msg, keys.Correct):
		m.Counter.PutBack(order)
	case key.Matches(msg, keys.Cash):
		m.Counter.TenderFor(order)
	case key.Matches(msg, keys.Says):
		return m, screen.Emit(live.OrderWanted{Reference: order.Reference, Claimed: true})
	case key.Matches(msg, keys.Link):
		m.wholeLink = !m.wholeLink
		m.notice = nil
	case key.Matches(msg, keys.Copy):
		copied := actionDone{text: sayCopied}
		return m, m.try(func(context.Context) error { return m.Copy(link) }, copied, actionDone{})
	case key.Matches(msg, keys.Page):
		opened := actionDone{text: sayOpened}
		failed := actionDone{text: sayNoBrowser, link: true}
		if m.Browse == nil {
			failed.order = m.order().Reference
			return m.Update(failed)
		}
		return m, m.try(func(context.Context) error { return m.Browse(link) }, opened, failed)
	}
	if act := m.Customer.Press(msg, m.Texts, m.order(), m.Counter.Picture().Now); act != nil && m.Counter.Shown().Current() {
		return m, m.try(act, actionDone{}, actionDone{text: sayNotPlayed})
	}
	if m.Counter.Shown().Final() && keyboard.Types(msg) {
		m.notice = sayEnterFirst
	}
	return m, nil
}

func (m Model) answer(msg tea.KeyMsg) {
	switch answers := screen.NewAnswers(); {
	case key.Matches(msg, answers.Yes):
		m.Counter.Yes()
	case key.Matches(msg, answers.No):
		m.Counter.No()
	}
}

// Serves reports whether msg is text for the next sale. The console then leaves the order and opens
// the sale.
func (m Model) Serves(msg tea.KeyMsg) bool {
	return keyboard.Types(msg) && (m.inquires() || msg.Paste && !m.sending())
}

// try returns a command that performs an action and sends done, or failed after an error.
func (m Model) try(work func(context.Context) error, done, failed actionDone) tea.Cmd {
	done.order, failed.order = m.order().Reference, m.order().Reference
	return m.Run(func(ctx context.Context) tea.Msg {
		if work(ctx) != nil {
			return failed
		}
		return done
	})
}

// Update handles a message. Keys come only while the screen is open.
func (m Model) Update(msg tea.Msg) (_ Model, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case spinner.TickMsg:
		if m.sending() {
			m.spinner, cmd = m.spinner.Update(msg)
		}
	case counter.Sent:
		m.spinner = spinner.New(spinner.WithSpinner(theme.Spinner()), spinner.WithStyle(m.Theme.Flow))
		return m, m.spinner.Tick
	case counter.Asked:
		m.facing = m.facing && !msg.Question.Kind.OfOrder()
	case counter.NotOffered:
		if msg.Waited {
			m = m.Sync()
			m.notice = errortext.NotDone(msg.Err)
		}
	case counter.ShownChanged:
		m.wholeLink = false
		m.notice = nil
	case counter.Refused:
		if reach := m.Counter.ReachNow(); msg.Why == counter.Blind {
			m.notice = func(t i18n.Texts) string { return t.Charging[reach] }
		}
	case counter.StoreFailed:
		m.notice = wording.StoreFailed
	case counter.GaveBack:
		return m, m.slip.OpenDrawer()
	case counter.TookPart:
		return m, m.slip.Settled("", msg.Sale.Account.IsDrawer())
	case counter.TookCash:
		return m.Sync(), m.slip.Settled(msg.Sale.Number, msg.Sale.Account.IsDrawer())
	case counter.Became:
		if msg.Verdict == payments.VerdictPaid && !msg.Old && !msg.Repeated {
			cmd = m.slip.Settled(msg.Order.Reference, false)
		}
	case actionDone:
		if msg.order != m.order().Reference { // The screen shows another order now.
			return m, nil
		}
		m.notice = msg.text
		m.wholeLink = m.wholeLink || msg.link
	default:
		m.slip = m.slip.Update(msg)
	}
	return m, cmd
}

// These are functions, so that a shown message changes its language with the screen.
func sayCopied(t i18n.Texts) string     { return t.Pay.Copied }
func sayOpened(t i18n.Texts) string     { return t.Code.Opened }
func sayNoBrowser(t i18n.Texts) string  { return t.Code.NoBrowser }
func sayNotPlayed(t i18n.Texts) string  { return t.Hints.NotPlayed }
func sayEnterFirst(t i18n.Texts) string { return t.Hints.EnterFirst }
