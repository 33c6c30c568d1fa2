package sound

import (
	"checkout/till/payments"
	"checkout/till/tui/counter"
)

// Of returns the tune for a fact. rings is false if no tune should be played. An outcome
// that was already announced with another verdict does not ring again.
func Of(fact counter.Fact) (tune Tune, rings bool) {
	switch fact := fact.(type) {
	case counter.OrphanCame:
		return Alarm, true
	case counter.Became:
		if fact.Verdict == payments.VerdictPaid {
			return Paid, !fact.Repeated
		}
		return Unpaid, !fact.Repeated
	case counter.NotOffered: // No tune if the cashier has waited for the answer, because the screen shows the answer.
		return Unpaid, !fact.Waited && fact.Order.Reference != ""
	}
	return 0, false
}
