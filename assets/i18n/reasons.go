package i18n

import (
	"cmp"
	"errors"
	"strings"

	"checkout/till/payments"
)

// Reasons say why an order has no link: a text for each fault, with its detail in the
// place of %s.
type Reasons map[payments.Fault]Text

// Of says a reason: in the words of the language, or in the service's own where the
// program has none.
func (r Reasons) Of(reason payments.Reason) string {
	if text, known := r[reason.Fault]; known {
		return strings.Replace(text, "%s", reason.Detail, 1)
	}
	return cmp.Or(reason.Detail, reason.Error())
}

// Declined says what to do about an order call that gave no link.
func (t Texts) Declined(err error) string {
	if unseen, ok := errors.AsType[*payments.UnseenError](err); ok {
		return t.Charging[unseen.Reach]
	}
	h := t.Hints
	switch {
	case errors.As(err, new(*payments.Refusal)):
		return h.Refusal
	case errors.As(err, new(*payments.UnstoredError)):
		return h.StoreFailed
	case errors.Is(err, payments.ErrAmbiguous):
		return h.Ambiguous
	case errors.Is(err, payments.ErrNotSent):
		return h.Unsent
	case errors.Is(err, payments.ErrNoRoom):
		return h.NoRoom
	case errors.Is(err, payments.ErrUnderWay):
		return h.UnderWay
	case errors.Is(err, payments.ErrReferenceTaken):
		return h.Taken
	case errors.Is(err, payments.ErrTooLarge):
		return h.TooLarge
	}
	return h.StoreFailed
}

// Causes say why webhooks are refused, as what stands behind a colon: a text for
// each kind, with the cause's detail in the place of %s.
type Causes map[payments.CauseKind]Text

// Of says a cause, its detail cleaned; blank for no cause.
func (c Causes) Of(cause payments.Cause) string {
	return strings.Replace(c[cause.Kind], "%s", cause.Shown(), 1)
}

// RefusedTodo says how many webhooks are refused, or that they may be forged,
// and what to do about it.
func (t Texts) RefusedTodo(count int64, cause payments.Cause) string {
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
func (t Texts) WhyRefused(cause payments.Cause) string {
	if cause.Kind == payments.CauseSignatureKnown {
		return t.Causes[payments.CauseSignatureKnown]
	}
	return t.Frame.Refused.With(cmp.Or(t.Causes.Of(cause), t.Causes[payments.CauseSecretChanged]))
}
