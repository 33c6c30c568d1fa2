package sound

import (
	"checkout/till/payments"
	"checkout/till/tui/counter"
)

// Of returns the tune for a fact. rings reports whether to play the tune. rings is false for a fact
// without a tune, for an order that was already announced with the same status, and for a failed
// call that the cashier waited for or that stored no order.
func Of(fact counter.Fact) (tune Tune, rings bool) {
	switch fact := fact.(type) {
	case counter.OrphanCame:
		return Alarm, true
	case counter.Became:
		if fact.Verdict == payments.VerdictPaid {
			return Paid, !fact.Repeated
		}
		return Unpaid, !fact.Repeated
	case counter.NotOffered: // If the cashier waited for the call, the screen shows the result and no tune is needed.
		return Unpaid, !fact.Waited && fact.Order.Reference != ""
	}
	return 0, false
}
