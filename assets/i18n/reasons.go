package i18n

import (
	"cmp"
	"strings"

	"checkout/till/payments"
)

// Reasons says why an order has no link: it has a text for each of the [payments.CallErrors]. The
// detail of the reason replaces %s.
type Reasons map[payments.CallError]Text

// Of returns the text of a reason. If r has none, Of returns the reason's detail or, if that is
// empty, its English text.
func (r Reasons) Of(reason payments.Reason) string {
	if text, known := r[reason.Fault]; known {
		return strings.Replace(text, "%s", reason.Detail, 1)
	}
	return cmp.Or(reason.Detail, reason.Error())
}

// Causes contains a text for each of the [payments.CauseKinds]. The detail of the cause replaces %s.
type Causes map[payments.CauseKind]Text

// Of returns the text of a cause, or "" for none.
func (c Causes) Of(cause payments.Cause) string {
	return strings.Replace(c[cause.Kind], "%s", cause.Display(), 1)
}

// WhyRefused says in one line why webhooks are refused, or that they may be forged. Without a known
// cause it names the likeliest one.
func (t Texts) WhyRefused(cause payments.Cause) string {
	if cause.Kind == payments.CauseSignatureKnown {
		return t.Causes[payments.CauseSignatureKnown]
	}
	return t.Frame.Refused.With(cmp.Or(t.Causes.Of(cause), t.Causes[payments.CauseSecretChanged]))
}
