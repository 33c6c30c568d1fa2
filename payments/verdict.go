package payments

import (
	"slices"
	"time"
)

// Attention is a reason why a person must look at an order. An order with one
// stays on the "to check" list until somebody resolves it.
type Attention string

// The reasons. The last two follow from the order and the clock; the others are
// stored.
const (
	Contradicted     Attention = "contradicted"      // Paid, and a later event says it is not.
	AmountMismatch   Attention = "amount_mismatch"   // A success with another amount.
	CurrencyMismatch Attention = "currency_mismatch" // A success with another currency.
	PaidLate         Attention = "paid_late"         // Paid after the order was over.
	PaidTwice        Attention = "paid_twice"        // Money came for another order of the sale, too.
	// FindingContradicted says that an event came after a person's finding and
	// says otherwise.
	FindingContradicted Attention = "finding_contradicted"
	UnknownOutcome      Attention = "unknown_outcome" // The service may have it or not.
	Overdue             Attention = "overdue"         // The link is over and no event came.
)

// LinkGrace is how long after the end of a link an event is still in time: the
// payment's last second and the delivery's delay lie in it.
const LinkGrace = 2 * time.Minute

// Attention returns why a person must look at the order at now, sorted; none
// while a person's finding decides.
func (o Order) Attention(now time.Time) []Attention {
	if o.resolved() {
		return nil
	}
	reasons := slices.Clone(o.Facts.Attention)
	if o.Status == StatusUnknown {
		reasons = append(reasons, UnknownOutcome)
	}
	if o.Status == StatusPending && !o.Link.ExpiresAt.IsZero() && now.After(o.Link.ExpiresAt.Add(LinkGrace)) {
		reasons = append(reasons, Overdue)
	}
	slices.Sort(reasons)
	return reasons
}

// Doubtful tells whether a person must look at the order at now.
func (o Order) Doubtful(now time.Time) bool { return len(o.Attention(now)) > 0 }

// Verdict is what the cashier sees of an order.
type Verdict string

// The verdicts. [VerdictPaid] is the only one that is shown green.
const (
	VerdictUnknown      Verdict = "unknown"
	VerdictMarkedPaid   Verdict = "marked_paid"
	VerdictMarkedUnpaid Verdict = "marked_unpaid"
	VerdictRefunded     Verdict = "refunded"
	VerdictCheck        Verdict = "check"
	VerdictPaid         Verdict = "paid"
	VerdictRejected     Verdict = "rejected"
	VerdictNotPaid      Verdict = "not_paid"
	VerdictTimeOver     Verdict = "time_over"
	VerdictWaiting      Verdict = "waiting"
)

// Verdicts returns every verdict, in the order in which reports list them.
func Verdicts() []Verdict {
	return []Verdict{
		VerdictUnknown, VerdictMarkedPaid, VerdictMarkedUnpaid, VerdictRefunded, VerdictCheck, VerdictPaid,
		VerdictRejected, VerdictNotPaid, VerdictTimeOver, VerdictWaiting,
	}
}

// Undecided tells whether nobody knows yet how an order of the verdict ends.
func (v Verdict) Undecided() bool {
	return v == VerdictCheck || v == VerdictUnknown || v == VerdictWaiting || v == VerdictTimeOver
}

// DeafGrace is how long after the end of an order's link an unseen payment may
// still contradict what the order shows.
const DeafGrace = 30 * time.Minute

// Conditions are the circumstances that hide the verdict of an order. The zero
// value hides nothing. [Reach.Conditions] returns them.
type Conditions struct {
	StoreDown bool // The store cannot be read or written: every verdict is hidden.
	Deaf      bool // No payment would be seen: a verdict that one may change is hidden.
}

// Hidden reports whether the conditions hide the order's verdict.
func (o Order) Hidden(conditions Conditions, now time.Time) bool {
	return conditions.StoreDown || o.Verdict(conditions, now) != o.Verdict(Conditions{}, now)
}

// Verdict decides what the cashier sees of the order at now. The first case that
// holds decides. A finding ends the unknown outcome of a creation.
func (o Order) Verdict(conditions Conditions, now time.Time) Verdict {
	switch {
	case conditions.StoreDown, o.Status == StatusUnknown && !o.resolved():
		return VerdictUnknown
	case o.resolved():
		return o.Finding.Kind.Verdict()
	case o.Contradicted(), o.Facts.SuccessSeen && o.Doubtful(now):
		return VerdictCheck
	case o.Paid():
		return VerdictPaid
	case o.Status == StatusRejected:
		return VerdictRejected
	case conditions.Deaf && now.Before(o.Link.ExpiresAt.Add(DeafGrace)):
		return VerdictUnknown
	case o.Status.Unpaid():
		return VerdictNotPaid
	case !o.Link.ExpiresAt.IsZero() && !now.Before(o.Link.ExpiresAt):
		return VerdictTimeOver
	}
	return VerdictWaiting
}

// Repeatable tells whether a new order may be made from the same lines.
func (o Order) Repeatable(conditions Conditions, now time.Time) bool {
	if o.Facts.Superseded {
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
