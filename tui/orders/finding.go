package orders

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
	"checkout/till/tui/theme"
)

// CodeWanted is sent when the cashier wants to see the code of an order whose
// link can still be paid.
type CodeWanted struct{ Order payments.Order }

// maxReason bounds a reason, in characters.
const maxReason = payments.MaxShownWidth

// proven tells whether the order that is shown is paid beyond doubt: no person
// has to find out anything.
func (m Model) proven() bool { return m.detail.order.Paid() && !m.doubtful() }

// doubtful tells whether the order that is shown waits for a finding.
func (m Model) doubtful() bool { return m.detail.order.Doubtful(m.state.Now) }

func (m Model) showCode() tea.Cmd {
	order := m.detail.order
	return func() tea.Msg { return CodeWanted{order} }
}

// doubt asks whether the order is not paid. What takes a proven payment from
// the takings is a refund or the like, and wants a reason.
func (m Model) doubt() Model {
	m.question = askUnpaid
	if m.detail.order.Paid() {
		m.question = askReason
		m.detail.reason = field.New(m.Theme, "› ", maxReason).Focus(true).SetWidth(m.size.width)
	}
	return m
}

// explain takes a key while a reason is asked for.
func (m Model) explain(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.No):
		m.question = nothing
		return m, nil
	case key.Matches(msg, m.keys.Yes):
		reason := m.detail.reason.Value()
		if reason == "" {
			return m, nil
		}
		m.question = nothing
		return m, m.resolve(m.detail.order.Reference, payments.Finding{Note: reason})
	}
	var cmd tea.Cmd
	m.detail.reason, cmd = m.detail.reason.Type(msg)
	return m, cmd
}

func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	asked, reference := m.question, m.detail.order.Reference
	switch {
	case key.Matches(msg, m.keys.No):
		m.question = nothing
	case key.Matches(msg, m.keys.Yes):
		m.question = nothing
		if asked == askSeen {
			return m, m.see(m.stray)
		}
		if asked == askMatch {
			event, fits := m.proposal()
			if !fits {
				return m, nil
			}
			return m, m.match(reference, event.OrderReference)
		}
		return m, m.resolve(reference, payments.Finding{Paid: asked == askPaid})
	}
	return m, nil
}

// paidAsks is the question before an order is marked paid. A payment that is
// proven is not to be looked up: it counts again.
func (m Model) paidAsks() string {
	order, asks := m.detail.order, m.Texts.Asks
	if m.proven() && m.state.Verdict(order) == payments.VerdictMarkedUnpaid {
		return asks.Regain.With(order.Reference, i18n.Money(order.Amount))
	}
	return asks.Paid.With(order.Reference)
}

// reasonAsks draws the question for a reason.
func (m Model) reasonAsks() string {
	order, asks := m.detail.order, m.Texts.Asks
	question := asks.Refund.With(order.Reference, i18n.Money(order.Amount))
	return m.Theme.Warning.Render(theme.Wrap(question, m.size.width)) + "\n" +
		m.detail.reason.SetWidth(m.size.width).View() + "\n" +
		m.Theme.Subdued.Render(theme.Wrap(asks.Record, m.size.width))
}

// finding says what a person found out last, who it was, when and why.
func (m Model) finding() []string {
	finding, words := m.detail.order.Finding, m.Texts.Detail
	if finding == nil {
		return nil
	}
	parts := []string{m.Texts.Verdicts.MarkedUnpaid, m.Texts.Pay.By.With(finding.By), m.moment(finding.At)}
	if finding.Paid {
		parts[0] = m.Texts.Verdicts.MarkedPaid
	}
	if finding.Stale {
		parts = append(parts, words.Outdated)
	}
	rows := []string{theme.Wrap(m.fact(words.Finding, strings.Join(parts, ", ")), m.size.width)}
	if finding.Note != "" {
		rows = append(rows, theme.Wrap(m.fact(words.Why, finding.Note), m.size.width))
	}
	return rows
}
