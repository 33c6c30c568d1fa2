package sound

import (
	"checkout/till/payments"
	"checkout/till/tui/counter"
)

// Of returns the tune for a fact. rings reports whether to play it. No tune is played if the status
// of the order was already announced with another verdict.
func Of(fact counter.Fact) (tune Tune, rings bool) {
	switch fact := fact.(type) {
	case counter.OrphanCame:
		return Alarm, true
	case counter.Became:
		if fact.Verdict == payments.VerdictPaid {
			return Paid, !fact.Repeated
		}
		return Unpaid, !fact.Repeated
	case counter.NotOffered: // If the cashier waited for the order call, the screen shows its result, so no tune is needed.
		return Unpaid, !fact.Waited && fact.Order.Reference != ""
	}
	return 0, false
}
