package i18n

import (
	"errors"
	"strings"

	"checkout/till/payments"
)

// Reasons say why an order has no link, beside the verdict and behind a colon: a
// text for each fault, with its detail in the place of %s.
type Reasons map[payments.Fault]Text

// Of says the reason of an order: in the words of the language, or in the
// service's own where the program has none.
func (r Reasons) Of(order payments.Order) string {
	reason := order.Reason()
	if text, known := r[reason.Fault]; known {
		return strings.Replace(text, "%s", reason.Detail, 1)
	}
	return reason.Detail
}

// Declined says what to do about an order call that gave no link.
func (h Hints) Declined(err error) string {
	if errors.As(err, new(*payments.Refusal)) {
		return h.Refusal
	}
	if errors.As(err, new(*payments.AmbiguousError)) {
		return h.Ambiguous
	}
	for _, known := range []struct {
		err  error
		hint string
	}{
		{payments.ErrNotSent, h.Unsent},
		{payments.ErrNoRoom, h.NoRoom},
		{payments.ErrUnderWay, h.UnderWay},
		{payments.ErrReferenceTaken, h.Taken},
		{payments.ErrTooLarge, h.TooLarge},
	} {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	return h.StoreFailed
}
