package sound

import (
	"checkout/till/payments"
	"checkout/till/tui/counter"
)

// Of returns the tune for a fact, and whether there is one. An outcome rings once, even
// if it was first announced while payments could not be seen.
func Of(fact counter.Fact) (tune Tune, rings bool) {
	switch fact := fact.(type) {
	case counter.OrphanCame:
		return Alarm, true
	case counter.Became:
		if fact.Verdict == payments.VerdictPaid {
			return Paid, !fact.Repeated
		}
		return Unpaid, !fact.Repeated
	case counter.NotOffered: // A cashier who waits for the answer sees it.
		return Unpaid, !fact.Waited && fact.Order.Reference != ""
	}
	return 0, false
}
