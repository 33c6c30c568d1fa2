// Package oracle says a second time, in as few lines as it takes, what the rules
// make of an order: tests compare the program with it. Only tests import it.
//
// It guarantees that it was written from the rules alone and shares no code with
// what it judges, so that a misreading is not made twice.
package oracle

import (
	"time"

	"checkout/till/payments"
)

// Fact is one thing that happened to one of a sale's orders.
type Fact struct {
	Order int    // Tells the orders of the sale apart.
	What  string // An event's kind without "payment.", or ack, markPaid or markUnpaid.
	Text  byte   // Tells events of one kind apart.
	Sound bool   // Amount and currency are the order's.
	At    time.Time
}

// Judge returns what an order is at now after all that happened to its sale,
// each event once. end is when the order's link ends.
func Judge(history []Fact, order int, end, now time.Time) (status payments.Status, paid bool, shown payments.Verdict) {
	var succeeded, check, over, otherPaid bool
	status, marked := payments.StatusPending, payments.Verdict("")
	unpaid := func() bool { return status == "failed" || status == "canceled" || status == "expired" }
	for _, f := range history {
		switch {
		case f.Order != order:
			if f.What == "success" && f.Sound && !otherPaid {
				if otherPaid = true; paid {
					check, marked = true, ""
				}
			}
		case f.What == "ack":
			over = over || (marked == "" && !succeeded && unpaid())
		case f.What == "markPaid":
			marked = payments.VerdictMarkedPaid
		case f.What == "markUnpaid":
			marked, over = payments.VerdictMarkedUnpaid, true
		case f.What == "success":
			late := over || f.At.Sub(end) > 2*time.Minute
			check = check || !f.Sound || (!paid && (late || otherPaid))
			status, succeeded, paid, marked = payments.StatusSuccess, true, paid || f.Sound, ""
		case f.What != "refunded":
			status, marked = payments.Status(f.What), ""
			check, over = check || paid, over || f.What == "expired"
		}
	}
	switch {
	case marked != "":
		return status, paid, marked
	case succeeded && check:
		return status, paid, payments.VerdictCheck
	case paid:
		return status, paid, payments.VerdictPaid
	case unpaid():
		return status, paid, payments.VerdictNotPaid
	case !now.Before(end):
		return status, paid, payments.VerdictTimeOver
	}
	return status, paid, payments.VerdictWaiting
}
