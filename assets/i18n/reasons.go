package i18n

import (
	"cmp"
	"strings"

	"checkout/till/payments"
)

// Reasons contains a text for each of the [payments.CallErrors]. The text says why the order has no
// link. The detail of the reason replaces %s.
type Reasons map[payments.CallError]Text

// Of returns the text of a reason. If the map has no text for the fault, Of returns the detail,
// which is usually a text of the payment service. If there is no detail either, Of returns the
// reason's Error text.
func (r Reasons) Of(reason payments.Reason) string {
	if text, known := r[reason.Fault]; known {
		return strings.Replace(text, "%s", reason.Detail, 1)
	}
	return cmp.Or(reason.Detail, reason.Error())
}

// Causes contains a text for each cause of refused webhooks. The text is an incomplete sentence
// that follows a colon. The detail of the cause replaces %s.
type Causes map[payments.CauseKind]Text

// Of returns the text of a cause with its detail, see [payments.Cause.Display]. It returns "" for
// no cause.
func (c Causes) Of(cause payments.Cause) string {
	return strings.Replace(c[cause.Kind], "%s", cause.Display(), 1)
}

// WhyRefused returns a text of one line that says why webhooks are refused, or that they may be
// forged. For an unknown cause it names the likeliest cause.
func (t Texts) WhyRefused(cause payments.Cause) string {
	if cause.Kind == payments.CauseSignatureKnown {
		return t.Causes[payments.CauseSignatureKnown]
	}
	return t.Frame.Refused.With(cmp.Or(t.Causes.Of(cause), t.Causes[payments.CauseSecretChanged]))
}
