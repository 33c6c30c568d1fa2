package payments

import (
	"slices"
	"time"
)

// Apply returns the order as a new event leaves it, and whether the event
// changed it. siblings are the other orders of the same sale. The event must
// be this order's; the result for one that was applied before is to be thrown away.
// Whoever stores events sees to both.
//
// It is the only place that knows what an event does to an order.
func (o Order) Apply(event Event, siblings []Order, now time.Time) (Order, Effect) {
	status, known := event.Kind.Status()
	if !known {
		return o, Unchanged
	}
	changed := o.Status != status || o.resolved()
	before := len(o.Facts.Attention)
	wasPaid := o.Paid()
	o.markFindingStale()
	o.Status, o.Facts.NotSent = status, false
	if status == StatusSuccess {
		o.applySuccess(event, siblings, now)
	} else {
		o.Error = event.Error.Shown()
		o.Facts.ExpiredSeen = o.Facts.ExpiredSeen || status == StatusExpired
		if o.Paid() {
			o.raise(Contradicted)
		}
	}
	changed = changed || len(o.Facts.Attention) != before || o.Paid() != wasPaid
	if !changed {
		return o, Unchanged
	}
	if !o.Facts.Superseded || o.Facts.SuccessSeen { // The end of a superseded link is no news.
		o.Facts.Acknowledged = false
	}
	return o, Applied
}

// markFindingStale makes a person's finding stale: something came since.
func (o *Order) markFindingStale() {
	if o.resolved() {
		stale := *o.Finding
		stale.Stale = true
		o.Finding = &stale
	}
}

// applySuccess applies a success: proof when amount and currency are the order's,
// otherwise a matter for a person.
func (o *Order) applySuccess(event Event, siblings []Order, now time.Time) {
	past := !o.Link.ExpiresAt.IsZero() && now.After(o.Link.ExpiresAt.Add(LinkGrace))
	if !o.Paid() && (o.Facts.ExpiredSeen || o.Facts.GivenUp || past) {
		o.raise(PaidLate)
	}
	o.Facts.SuccessSeen = true
	amountHolds, currencyHolds := event.Amount.Is(o.Amount), event.Currency == TextValue(Currency)
	if !amountHolds {
		o.raise(AmountMismatch)
		o.Facts.ReportedAmount = event.Amount.Shown()
	}
	if !currencyHolds {
		o.raise(CurrencyMismatch)
		o.Facts.ReportedUnit = event.Currency.Shown()
	}
	if !amountHolds || !currencyHolds || o.Paid() {
		return
	}
	o.Facts.PaidAt = now.UTC()
	o.Error = ""
	if slices.ContainsFunc(siblings, Order.Paid) {
		o.raise(PaidTwice)
	}
}

// Acknowledge returns the order as the cashier leaves it after having seen its
// verdict. Acknowledging an unpaid outcome gives the order up: a success that
// comes later is [PaidLate]. While nothing can be said of the order nothing
// was seen, and the order stays as it is.
func (o Order) Acknowledge(conditions Conditions, now time.Time) Order {
	if o.Hidden(conditions, now) {
		return o
	}
	switch o.Verdict(conditions, now) {
	case VerdictNotPaid, VerdictMarkedUnpaid:
		o.Facts.GivenUp = true
	}
	o.Facts.Acknowledged = true
	return o
}

// Resolve returns the order with a person's finding. It changes neither the
// status nor the proof.
func (o Order) Resolve(finding Finding) Order {
	finding.By = Clean(finding.By, MaxLabelWidth)
	finding.Note = Clean(finding.Note, MaxShownWidth)
	finding.Stale, finding.Seen = false, ""
	o.Finding = &finding
	o.Facts.GivenUp = o.Facts.GivenUp || !finding.Paid
	o.Facts.Acknowledged = true
	return o
}

// Supersede returns the siblings, the other orders of a sale, that change with
// an order: when it was proven paid, those that are paid too have [PaidTwice]
// raised, and a finding about them, which was made before, no longer decides;
// when it was proven or marked paid, the code of the others is not shown any
// more.
func Supersede(before, after Order, siblings []Order) []Order {
	proven := after.Paid() && !before.Paid()
	marked := after.markedPaid() && !before.markedPaid()
	var changed []Order
	for _, sibling := range siblings {
		switch {
		case proven && sibling.Paid():
			sibling.raise(PaidTwice)
			sibling.markFindingStale()
			sibling.Facts.Acknowledged = false
		case (proven || marked) && !sibling.Paid() && !sibling.Facts.Superseded:
			sibling.Facts.Superseded = true
		default:
			continue
		}
		changed = append(changed, sibling)
	}
	return changed
}

// Fits tells whether an unmatched event seems to be the order's: its outcome is
// unknown, and its reference and its amount are the event's. A person confirms it.
func (o Order) Fits(event Event) bool {
	return o.Status == StatusUnknown && event.Reference == TextValue(o.Reference) && event.Amount.Is(o.Amount)
}
