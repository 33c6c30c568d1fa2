package counter

import (
	"cmp"
	"slices"
	"time"

	"checkout/till/payments"
)

// maxRead is the maximum number of entries in each list of a [Picture].
const maxRead = 200

// MaxToCheck is the largest count of [Picture.ToCheck] that a screen displays.
const MaxToCheck = 100

// Picture is a snapshot of the store.
type Picture struct {
	Now   time.Time      // Time of the picture, with its monotonic clock reading.
	Reach payments.Reach // Whether the till would see a payment.
	payments.Overview
	Changed bool // Whether the lists come from a read that has just ended.

	firstSeen map[string]time.Time // When each open order's link was first read, by the link's URL.
}

// Take returns p with the result of a newer read. The countdown of a new link starts at now.
func (p Picture) Take(read payments.Overview, now time.Time) Picture {
	before := p.firstSeen
	p.Overview = read
	p.firstSeen = make(map[string]time.Time, len(p.Open))
	for _, order := range p.Open {
		p.firstSeen[order.Link.URL] = cmp.Or(before[order.Link.URL], now)
	}
	return p
}

// at returns the picture at a later time; see [payments.Order.At].
func (p Picture) at(now time.Time) Picture {
	p.Now = now
	p.Open = slices.Clone(p.Open)
	for i := range p.Open {
		p.Open[i] = p.Open[i].At(now)
	}
	return p
}

// Remaining returns how long an order's link can still be paid. moved reports whether the wall
// clock and the monotonic clock differ by more than [payments.ClockSlack]. For an order that is not
// in Open, only the wall clock counts.
func (p Picture) Remaining(order payments.Order) (left time.Duration, moved bool) {
	since, open := p.firstSeen[order.Link.URL]
	if !open {
		return max(0, order.Link.ExpiresAt.Sub(p.Now)), false
	}
	return order.Link.Remaining(since, p.Now, max(0, p.Now.Sub(since))) // Sub is negative if the clock of a database server was set back.
}

// Orphans returns the payments without an order that need a review, newest first.
func (p Picture) Orphans() []payments.Record {
	return slices.DeleteFunc(slices.Clone(p.Unmatched), func(record payments.Record) bool { return !record.Orphan(p.Now) })
}

// Verdict returns the order's verdict at the time of the picture.
func (p Picture) Verdict(order payments.Order) payments.Verdict {
	return order.Verdict(p.Reach.Conditions(), p.Now)
}

// Hidden reports whether the till hides the order's verdict; see [payments.Order.Hidden].
func (p Picture) Hidden(order payments.Order) bool { return order.Hidden(p.Reach.Conditions(), p.Now) }

func orderAt(orders []payments.Order, reference string) int {
	return slices.IndexFunc(orders, func(order payments.Order) bool { return order.Reference == reference })
}

// Find returns the open order with a reference.
func (p Picture) Find(reference string) (payments.Order, bool) {
	i := orderAt(p.Open, reference)
	if i < 0 {
		return payments.Order{}, false
	}
	return p.Open[i], true
}

// lacksRest reports whether an order for the rest of a sale was open in before and is not in p.
func (p Picture) lacksRest(before Picture) bool {
	return slices.ContainsFunc(before.Open, func(order payments.Order) bool {
		_, open := p.Find(order.Reference)
		return order.RestOf != "" && !open
	})
}

// Put returns the picture with a new version of an open order. The receiver does not change.
func (p Picture) Put(order payments.Order) Picture {
	if i := orderAt(p.Open, order.Reference); i >= 0 {
		p.Open = slices.Clone(p.Open)
		p.Open[i] = order
	}
	return p
}

// News returns the open orders with a verdict that the cashier has not seen. Orders with a success
// come first, because their customers wait for the goods. Both groups are oldest first.
func (p Picture) News() []payments.Order {
	news := p.filter(func(order payments.Order) bool { return !order.Facts.Acknowledged && order.Facts.SuccessSeen })
	others := p.filter(func(order payments.Order) bool { return !order.Facts.Acknowledged && !order.Facts.SuccessSeen })
	slices.Reverse(news)
	slices.Reverse(others)
	return append(news, others...)
}

// waits reports whether the service has the order and its result has not come yet. It ignores
// conditions such as a store that is down.
func (p Picture) waits(order payments.Order) bool {
	verdict := order.Verdict(payments.Conditions{}, p.Now)
	return order.Status == payments.StatusPending &&
		(verdict == payments.VerdictWaiting || verdict == payments.VerdictTimeOver)
}

func (p Picture) filter(keep func(payments.Order) bool) (kept []payments.Order) {
	for _, order := range p.Open {
		if keep(order) {
			kept = append(kept, order)
		}
	}
	return kept
}

// Awaited returns the open orders that may still be paid, newest first.
func (p Picture) Awaited() []payments.Order {
	return p.filter(func(order payments.Order) bool { return p.waits(order) || order.Payable(p.Now) })
}

// Board returns the orders of the waiting board, oldest first: orders that wait for their payment,
// are being sent or have an unseen outcome.
func (p Picture) Board() []payments.Order {
	board := p.filter(func(order payments.Order) bool {
		return !order.Facts.Acknowledged || p.waits(order) || order.Sending()
	})
	slices.Reverse(board)
	return board
}

// ToCheck returns the number of orders and payments without an order that a person must look at
// now. An open order may have come to need attention since the store was read, so ToCheck looks at
// Open, too.
func (p Picture) ToCheck() int {
	references := make(map[string]bool, len(p.Attention))
	for _, orders := range [][]payments.Order{p.Attention, p.Open} {
		for _, order := range orders {
			if order.NeedsAttention(p.Now) {
				references[order.Reference] = true
			}
		}
	}
	return len(references) + len(p.Orphans())
}
