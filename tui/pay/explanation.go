package pay

import (
	"cmp"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/wording"
)

type explanation struct {
	live.Console
	picture counter.Picture
	shown   counter.Shown
}

// says returns why the order has its outcome, and advice. Both may be blank.
func (e explanation) says() (why string, advice []string) {
	order := e.shown.Order
	switch {
	case e.shown.Missing:
		return e.Texts.Hints.Gone, nil
	case e.picture.Hidden(order):
		return e.Texts.Charging[e.picture.Reach], nil
	case order.Facts.PaidOtherwise && !order.Paid():
		return wording.Superseded(e.Texts, order), nil
	}
	reason := ""
	if fault := order.Reason; fault != (payments.Reason{}) {
		reason = e.Texts.Pay.Reason.With(e.Texts.Reasons.Of(fault))
	}
	why = strings.Join(badge.Why(e.Texts, e.Zone, order, order.Attention(e.picture.Now)), " ")
	switch e.shown.Verdict() {
	case payments.VerdictNotPaid:
		return e.unpaid(reason)
	case payments.VerdictRejected:
		return reason, []string{e.Texts.Hints.Refusal}
	case payments.VerdictCheck: // Omit the failure's reason: it would contradict what the service said about a payment.
		return why, []string{e.Texts.Outcome.ToCheck.With("F3")}
	case payments.VerdictTimeOver:
		return cmp.Or(why, e.Texts.Hints.TimeOver.With(i18n.Clock(order.Link.ExpiresAt.Add(payments.LinkGrace).In(e.Zone)))), nil
	case payments.VerdictMarkedPaid, payments.VerdictMarkedUnpaid, payments.VerdictRefunded:
		if order.Finding == nil { // All money was given back, and no person has recorded a finding.
			return "", nil
		}
		return e.Texts.Pay.By.With(order.Finding.By), nil
	}
	return why, []string{reason}
}

// unpaid returns how an unpaid order ended, and advice. It gives the reason only after a failure,
// because the texts for other ends contain the reason.
func (e explanation) unpaid(reason string) (says string, advice []string) {
	words, order := e.Texts.Outcome, e.shown.Order
	if order.Payable(e.picture.Now) {
		advice = append(advice, words.Until.With(i18n.Clock(order.Link.ExpiresAt.In(e.Zone))))
	}
	keep, again := words.Keep, words.Again
	if order.Debt != "" {
		keep, again = e.Texts.Debts.Unpaid, e.Texts.Debts.Again
	}
	if order.Repeatable(e.picture.Reach.Conditions(), e.picture.Now) {
		keep += " " + again
	}
	advice = append(advice, keep)
	if order.Status == payments.StatusFailed {
		advice = append(advice, reason)
	}
	if order.RestOf != "" {
		return e.Texts.UnpaidRest[string(order.Status)], advice
	}
	return e.Texts.Unpaid[string(order.Status)], advice
}
