package sound

import (
	"checkout/till/payments"
	"checkout/till/tui/counter"
)

// Of returns the tune for a fact. rings reports whether to play it.
func Of(fact counter.Fact) (tune Tune, rings bool) {
	switch fact := fact.(type) {
	case counter.OrphanCame:
		return Alarm, true
	case counter.Became:
		if fact.Verdict == payments.VerdictPaid {
			return Paid, !fact.Repeated
		}
		return Unpaid, !fact.Repeated
	case counter.NotOffered: // The screen shows the result to a cashier who waited.
		return Unpaid, !fact.Waited && fact.Order.Reference != ""
	}
	return 0, false
}
