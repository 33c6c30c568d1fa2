package i18n

import (
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
