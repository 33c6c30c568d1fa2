package pay

import (
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/outcome"
)

// outcome is what is known of the order while no code is shown, and what to do.
func (m Model) outcome() outcome.Outcome {
	shown := outcome.Outcome{Amount: m.money(), News: m.news()}
	if m.current() {
		verdict := m.verdict()
		brief := m.badge.Brief(m.order, verdict)
		shown.Kind = kindOf(m.order, verdict)
		shown.Sign, shown.Word, _ = strings.Cut(brief, " ")
		word, _, _ := strings.Cut(shown.Word, ":")
		shown.Word = strings.TrimSpace(word)
		if verdict == payments.VerdictRejected {
			shown.Word = m.Texts.Outcome.Refused
		}
		shown.Facts = m.badge.Word(m.order, verdict) + " · " + m.order.Reference
	} else {
		shown.Kind, shown.Sign, shown.Word = outcome.NotPaid, "✗", m.Texts.Pay.NoOrder
	}
	shown.Says, shown.Advice = m.finding()
	switch {
	case m.question.kind != nothing:
		if !m.current() {
			shown.Kind, shown.Sign, shown.Word = outcome.Over, "", ""
		}
		shown.Says, shown.Advice = m.asked(), []string{m.Texts.Asks.YesNo}
	case shown.Kind == outcome.Paid:
		shown.About = m.order.Description
		if paidAt := m.order.Facts.PaidAt; !paidAt.IsZero() {
			shown.Facts += " · " + m.clockTime(paidAt)
		}
		if m.view.facing {
			shown.About = m.Texts.Customer.Thanks
		}
	}
	if m.Whole() {
		shown.Keys = keybar.Of(m.Texts.KeyNames, m.ShortHelp()...)
	}
	return shown
}

// kindOf is the geometry of a verdict.
func kindOf(order payments.Order, verdict payments.Verdict) outcome.Kind {
	switch verdict {
	case payments.VerdictPaid:
		return outcome.Paid
	case payments.VerdictNotPaid, payments.VerdictRejected:
		return outcome.NotPaid
	case payments.VerdictCheck:
		return outcome.Check
	case payments.VerdictUnknown:
		return outcome.Unknown
	case payments.VerdictTimeOver:
		return outcome.Over
	case payments.VerdictWaiting:
		if order.Facts.NotSent {
			return outcome.NotPaid
		}
	}
	return outcome.Marked
}

// finding says what is known beyond the verdict's word, and what to do about it.
func (m Model) finding() (says string, advice []string) {
	words, reason := m.Texts.Outcome, ""
	if m.current() && m.order.Error != "" {
		reason = m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(m.order))
	}
	add := func(texts ...string) {
		for _, text := range texts {
			if text != "" && text != says {
				advice = append(advice, text)
			}
		}
	}
	switch {
	case !m.current():
	case m.view.missing:
		says = m.Texts.Hints.Gone
	case m.state.Conditions != payments.Conditions{}:
		says = m.Texts.Hints.Blind
	default:
		why := m.badge.Why(m.order, m.order.Attention(m.state.Now))
		says = strings.Join(why, " ")
		switch verdict := m.verdict(); verdict {
		case payments.VerdictNotPaid:
			says = m.unpaid()
			add(reason)
			m.keep(add)
		case payments.VerdictRejected:
			says = reason
			add(m.Texts.Hints.Refusal)
		case payments.VerdictUnknown:
			advice, says = why, reason
		case payments.VerdictCheck:
			add(reason, words.ToCheck.With("F3"))
		case payments.VerdictTimeOver:
			if says == "" {
				says = m.Texts.Hints.TimeOver.With(m.clockTime(m.order.Link.ExpiresAt.Add(payments.Grace)))
			}
		case payments.VerdictMarkedPaid, payments.VerdictMarkedUnpaid:
			if finding := m.order.Finding; finding != nil {
				says = m.Texts.Pay.By.With(finding.By)
			}
		case payments.VerdictWaiting:
			add(reason)
		}
		if m.order.Facts.Superseded && !m.order.Paid() {
			says = m.Texts.Pay.OtherPaid
		}
	}
	if m.notice != nil {
		if text := m.notice.In(m.Texts); says == "" {
			says = text
		} else {
			m.addOnce(&advice, says, text)
		}
	}
	return says, advice
}

// addOnce adds a text that is not said yet.
func (m Model) addOnce(advice *[]string, says, text string) {
	if !strings.Contains(says+strings.Join(*advice, "\n"), text) {
		*advice = append(*advice, text)
	}
}

// unpaid says why nothing was paid.
func (m Model) unpaid() string {
	switch words := m.Texts.Outcome; m.order.Status {
	case payments.StatusCanceled:
		return words.Canceled
	case payments.StatusExpired:
		return words.Expired
	default:
		return words.Failed
	}
}

// keep says what to do with goods and lines of what was not paid.
func (m Model) keep(add func(...string)) {
	words := m.Texts.Outcome
	if m.order.Payable(m.state.Now) {
		add(words.Until.With(m.clockTime(m.order.Link.ExpiresAt)))
	}
	advice := words.Keep
	if m.order.Repeatable(m.state.Conditions, m.state.Now) {
		advice += " " + words.Again
	}
	add(advice)
}

// news is what is said on an outcome in any case: that no money moves, and what
// is said on every screen. Turned to the customer the latter is a sign alone.
func (m Model) news() string {
	var parts []string
	if m.Whole() {
		if mark, _ := m.Texts.Frame.Mark(m.Customer != nil, m.Test); mark != "" {
			parts = append(parts, m.Theme.DemoBlock.Render(" "+mark+" "))
		}
	}
	switch {
	case len(m.view.banners) == 0:
	case m.view.facing:
		parts = append(parts, m.Theme.DangerBlock.Render(" ! "))
	default:
		parts = append(parts, m.view.banners...)
	}
	return strings.Join(parts, " ")
}

// facing is the code as the customer reads it: the cashier's keys stay away, but
// for the way back.
func (m Model) facing() customer.View {
	mark, _ := m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	shown := customer.View{
		Kind: customer.Code, Shop: m.Shop, Mark: mark, Clock: m.clockTime(m.state.Now), Items: m.order.Items, Total: m.order.Amount,
		Order: m.order, Left: m.left(), Retry: m.retrying(), Code: m.code.model,
		Back: m.Theme.BarKeyBlock.Render(" "+m.name(m.keys.Turn)+" ") + m.Theme.Header.Render(" "+m.Texts.Keys.Back+" "),
	}
	if len(m.view.banners) > 0 {
		shown.Back = m.Theme.DangerBlock.Render(" ! ") + m.Theme.Header.Render(" ") + shown.Back
	}
	return shown
}
