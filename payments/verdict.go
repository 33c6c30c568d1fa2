package payments

import (
	"slices"
	"time"
)

// Attention is a reason why a person must look at an order. The order stays on the "to check" list
// until a person resolves it or the reason ends.
type Attention string

// The reasons for attention. The last two are computed; the others are stored.
const (
	Contradicted     Attention = "contradicted"      // Paid, but a later event says otherwise.
	AmountMismatch   Attention = "amount_mismatch"   // A success event with another amount, or without one.
	CurrencyMismatch Attention = "currency_mismatch" // A success event with another currency, or without one.
	PaidLate         Attention = "paid_late"         // An order without proof got a success after an expired event, after Facts.GivenUp was set, or more than LinkGrace after the end of the link.
	PaidTwice        Attention = "paid_twice"        // The shop has more money for the sale than the sale costs.
	DebtOverpaid     Attention = "debt_overpaid"     // The order paid more of a debt than the customer still owed.
	PartGivenBack    Attention = "part_given_back"   // The rest of a sale was paid after an earlier part had been given back, so the shop has less than the sale's total.
	OtherReference   Attention = "other_reference"   // A success event whose reference is that of another order that the shop had already made.
	TooEarly         Attention = "too_early"         // A success event that came more than ClockGrace before the order was made.

	FindingContradicted Attention = "finding_contradicted" // An event contradicts a person's finding, or a refund of all money, that was recorded before it.
	UnknownOutcome      Attention = "unknown_outcome"      // The service may or may not have the order.
	Overdue             Attention = "overdue"              // The order is still pending more than LinkGrace after the end of its link, and its sale was not paid otherwise.
)

// LinkGrace is how long after the end of a link an event is still in time: a payment in the
// last second may be delivered later.
const LinkGrace = 2 * time.Minute

// Attention returns the sorted reasons why a person must look at the order at the time now. It
// returns nil if a person's finding or a refund of all money decides, and no event contradicts it.
func (o Order) Attention(now time.Time) []Attention {
	o = o.At(now)
	if o.decided() {
		return nil
	}
	reasons := slices.Clone(o.Facts.Attention)
	if o.Status == StatusUnknown {
		reasons = append(reasons, UnknownOutcome)
	}
	if o.Status == StatusPending && !o.Facts.PaidOtherwise && !o.Link.ExpiresAt.IsZero() && now.After(o.Link.ExpiresAt.Add(LinkGrace)) {
		reasons = append(reasons, Overdue)
	}
	slices.Sort(reasons)
	return reasons
}

// NeedsAttention reports whether a person must look at the order at the time now.
func (o Order) NeedsAttention(now time.Time) bool { return len(o.Attention(now)) > 0 }

// Verdict is what the cashier sees of an order: paid, waiting, to check and so on.
type Verdict string

// The verdicts. Only [VerdictPaid] is shown in green.
const (
	VerdictUnknown       Verdict = "unknown"
	VerdictMarkedPaid    Verdict = "marked_paid"
	VerdictMarkedUnpaid  Verdict = "marked_unpaid"
	VerdictRefunded      Verdict = "refunded"
	VerdictCheck         Verdict = "check"
	VerdictPaid          Verdict = "paid"
	VerdictRejected      Verdict = "rejected"
	VerdictNotPaid       Verdict = "not_paid"
	VerdictPaidOtherwise Verdict = "paid_otherwise" // Another payment of the sale came; this order needs no payment.
	VerdictNotSent       Verdict = "not_sent"       // The service was not reached; the order can be sent again.
	VerdictTimeOver      Verdict = "time_over"
	VerdictWaiting       Verdict = "waiting"
)

// Verdicts returns every verdict, in the order in which reports list them.
func Verdicts() []Verdict {
	return []Verdict{
		VerdictUnknown, VerdictMarkedPaid, VerdictMarkedUnpaid, VerdictRefunded, VerdictCheck, VerdictPaid,
		VerdictRejected, VerdictNotPaid, VerdictPaidOtherwise, VerdictNotSent, VerdictTimeOver, VerdictWaiting,
	}
}

// Undecided reports whether the verdict leaves open whether the order is paid.
func (v Verdict) Undecided() bool {
	return v == VerdictCheck || v == VerdictUnknown || v == VerdictWaiting || v == VerdictTimeOver
}

// DeafGrace is how long [Conditions].Deaf hides an order's verdict after the end of its link. Until
// then, a missed event may still arrive and report a payment.
const DeafGrace = 30 * time.Minute

// Conditions are reasons to hide verdicts; see [Reach.Conditions]. The zero value hides nothing.
type Conditions struct {
	StoreDown bool // The store cannot be read or written: hides every verdict.
	Deaf      bool // The shop would not see a payment, or may not have seen all earlier ones yet: hides the verdicts that a payment may change.
}

// Hidden reports whether the conditions hide the order's verdict; see [Conditions].
func (o Order) Hidden(conditions Conditions, now time.Time) bool {
	return conditions.StoreDown || o.Verdict(conditions, now) != o.Verdict(Conditions{}, now)
}

// Verdict returns what the cashier sees of the order at the time now. [Conditions] can replace it
// by [VerdictUnknown].
func (o Order) Verdict(conditions Conditions, now time.Time) Verdict {
	o = o.At(now)
	switch {
	case conditions.StoreDown, o.Status == StatusUnknown && !o.decided():
		return VerdictUnknown
	case o.decided():
		return o.found()
	case o.Contradicted(), o.Facts.SuccessSeen && o.NeedsAttention(now):
		return VerdictCheck
	case o.Paid():
		return VerdictPaid
	case o.Status == StatusRejected:
		return VerdictRejected
	case o.Facts.PaidOtherwise && !o.Status.Unpaid():
		return VerdictPaidOtherwise
	case o.Facts.NotSent:
		return VerdictNotSent
	case conditions.Deaf && now.Before(o.Link.ExpiresAt.Add(DeafGrace)):
		return VerdictUnknown
	case o.Status.Unpaid():
		return VerdictNotPaid
	case !o.Link.ExpiresAt.IsZero() && !now.Before(o.Link.ExpiresAt):
		return VerdictTimeOver
	}
	return VerdictWaiting
}

// Repeatable reports whether a new order with the same items can replace this one.
func (o Order) Repeatable(conditions Conditions, now time.Time) bool {
	o = o.At(now)
	if o.Facts.PaidOtherwise {
		return false
	}
	switch o.Verdict(conditions, now) {
	case VerdictNotPaid, VerdictTimeOver, VerdictMarkedUnpaid, VerdictRefunded:
		return true
	case VerdictWaiting:
		return o.Status == StatusPending
	case VerdictUnknown:
		return o.Status == StatusUnknown
	}
	return false
}
