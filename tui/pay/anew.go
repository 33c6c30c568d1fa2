package pay

import (
	"time"

	"checkout/till/payments"
)

// Again shows the code of the order again although an attempt to pay failed or
// a person saw that it was not paid, for as long as its link can be paid.
// Another outcome takes the code away. The outcome so far is no surprise, so
// that keys count at once.
func (m Model) Again() Model {
	m.looks.anew, m.clock.graceEnds = true, time.Time{}
	m.enable()
	return m
}

// wanted tells whether the order is one that the customer is asked to pay.
func (m Model) wanted() bool {
	switch m.state.Verdict(m.order) {
	case payments.VerdictWaiting:
		return true
	case payments.VerdictNotPaid, payments.VerdictMarkedUnpaid:
		return m.looks.anew
	}
	return false
}
