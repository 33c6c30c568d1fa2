package i18n

import (
	"cmp"
	"strings"

	"checkout/till/payments"
)

// Cause is the domain's, for whoever shows one and decides nothing by it.
type Cause = payments.Cause

// Causes say why webhooks are refused, as what stands behind a colon: a text for
// each kind, with the cause's detail in the place of %s.
type Causes map[payments.CauseKind]Text

// Of says a cause, its detail cleaned; blank for no cause.
func (c Causes) Of(cause Cause) string {
	return strings.Replace(c[cause.Kind], "%s", cause.Shown(), 1)
}

// RefusedTodo says how many webhooks are refused, or that they may be forged,
// and what to do about it.
func (t Texts) RefusedTodo(count int64, cause Cause) string {
	switch cause.Kind {
	case payments.CauseSignatureKnown:
		return t.Illness.SignatureTodo
	case payments.CauseNone, payments.CauseSecretChanged:
		return t.Illness.RefusedTodo.With(count)
	}
	return t.Illness.RefusedWhy.With(count, t.Causes.Of(cause))
}

// WhyRefused says in one row that webhooks are refused, and why, or that they
// may be forged. Where no cause is known it asks after the likeliest.
func (t Texts) WhyRefused(cause Cause) string {
	if cause.Kind == payments.CauseSignatureKnown {
		return t.Causes[payments.CauseSignatureKnown]
	}
	return t.Frame.Refused.With(cmp.Or(t.Causes.Of(cause), t.Causes[payments.CauseSecretChanged]))
}
