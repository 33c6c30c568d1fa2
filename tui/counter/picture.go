package counter

import (
	"cmp"
	"context"
	"slices"
	"time"

	"checkout/till/payments"
)

// MaxOpen is how many open orders the counter looks at.
const MaxOpen = 200

// MaxDoubtful is how many orders to check the counter counts.
const MaxDoubtful = 100

// Picture is what the counter shows of the store at one moment. Every screen gets the same.
type Picture struct {
	// Now is the time of the picture, with its monotonic reading.
	Now time.Time
	// Reach says whether a payment would be seen.
	Reach payments.Reach
	// Open are the till's open orders, newest first; see payments.Order.Open.
	Open []payments.Order
	// Doubtful are the shop's orders that a person must look at, newest first,
	// as of the last reading; see payments.Order.Attention.
	Doubtful []payments.Order
	// Unmatched are events that no order has, those that a person must look at
	// first, as of the last reading; see payments.Record.Orphan.
	Unmatched []payments.Record
	// Changed says that Open, Doubtful and Unmatched were read anew.
	Changed bool

	known map[string]time.Time // Since when the links of the open orders are.
}

// Read returns the picture with what the store has now; where any of it cannot
// be read, as it was.
func (p Picture) Read(ctx context.Context, service *payments.Service, till string) (_ Picture, err error) {
	read, now := p, service.Now()
	if read.Doubtful, err = service.Orders(ctx, payments.Query{Check: now, Limit: MaxDoubtful}); err != nil {
		return p, err
	}
	if read.Unmatched, err = service.Unmatched(ctx, MaxDoubtful); err != nil {
		return p, err
	}
	// Last: what came meanwhile is news before it is counted among what there is to check.
	if read.Open, err = service.Orders(ctx, payments.Query{Till: till, Open: true, Limit: MaxOpen}); err != nil {
		return p, err
	}
	return p.Take(read, now), nil
}

// Take returns the picture with what another one has of the store. The countdown
// of a link that is known goes on.
func (p Picture) Take(read Picture, now time.Time) Picture {
	known := p.known
	p.Open = read.Open
	p.Doubtful = read.Doubtful
	p.Unmatched = read.Unmatched
	p.known = make(map[string]time.Time, len(p.Open))
	for _, order := range p.Open {
		p.known[order.Link.URL] = cmp.Or(known[order.Link.URL], now)
	}
	return p
}

// Left is how much time the link of an order has left, and whether the wall clock
// and the monotonic one part. Of an order that is not open the wall clock tells alone.
func (p Picture) Left(order payments.Order) (left time.Duration, moved bool) {
	since, open := p.known[order.Link.URL]
	if !open {
		return max(0, order.Link.ExpiresAt.Sub(p.Now)), false
	}
	return order.Link.Left(since, p.Now, max(0, p.Now.Sub(since))) // The clock may have been set back.
}

// Orphans returns the payments that no order has and nobody has looked at,
// newest first.
func (p Picture) Orphans() []payments.Record {
	known := func(record payments.Record) bool { return !record.Orphan(p.Now) }
	return slices.DeleteFunc(slices.Clone(p.Unmatched), known)
}

// Verdict is the order's verdict at the moment of the picture.
func (p Picture) Verdict(order payments.Order) payments.Verdict {
	return order.Verdict(p.Reach.Conditions(), p.Now)
}

// Hidden reports whether nothing can be said of the order at the moment.
func (p Picture) Hidden(order payments.Order) bool { return order.Hidden(p.Reach.Conditions(), p.Now) }

// Find returns the open order of a reference.
func (p Picture) Find(reference string) (payments.Order, bool) {
	i := slices.IndexFunc(p.Open, func(o payments.Order) bool { return o.Reference == reference })
	if i < 0 {
		return payments.Order{}, false
	}
	return p.Open[i], true
}

// Put returns the picture with an open order as it is now; the orders of the
// picture before stay as they were.
func (p Picture) Put(order payments.Order) Picture {
	p.Open = slices.Clone(p.Open)
	for i := range p.Open {
		if p.Open[i].Reference == order.Reference {
			p.Open[i] = order
		}
	}
	return p
}

// News returns the orders that changed since the cashier saw them, in the
// order in which they were made.
func (p Picture) News() []payments.Order {
	news := p.those(func(order payments.Order) bool { return !order.Facts.Acknowledged })
	slices.Reverse(news)
	return news
}

// pending reports whether the service has an order and has said nothing of it yet. The
// old code of a sale that another order paid is not waited for.
func pending(order payments.Order) bool {
	return order.Status == payments.StatusPending && !order.Facts.Superseded
}

// waits tells whether the service is still to say what came of an order, whatever
// can be trusted now.
func (p Picture) waits(order payments.Order) bool {
	verdict := order.Verdict(payments.Conditions{}, p.Now)
	return pending(order) && (verdict == payments.VerdictWaiting || verdict == payments.VerdictTimeOver)
}

func (p Picture) those(hold func(payments.Order) bool) (those []payments.Order) {
	for _, order := range p.Open {
		if hold(order) {
			those = append(those, order)
		}
	}
	return those
}

// Awaited returns the open orders whose payment may still come, newest first: those
// that wait, and those whose customer was refused or canceled and whose link lives.
func (p Picture) Awaited() []payments.Order {
	return p.those(func(order payments.Order) bool { return p.waits(order) || order.Payable(p.Now) })
}

// Board returns the orders of the waiting board, oldest first: those whose
// payment may still come, those that are being sent, and those whose outcome
// nobody has seen.
func (p Picture) Board() []payments.Order {
	board := p.those(func(order payments.Order) bool {
		sending := order.Status == payments.StatusCreating && !order.Facts.NotSent
		return !order.Facts.Acknowledged || pending(order) || sending
	})
	slices.Reverse(board)
	return board
}

// ToCheck is how many orders and orphans a person must look at now. A till's own
// orders come to it by the clock, without a reading.
func (p Picture) ToCheck() int {
	references := make(map[string]bool, len(p.Doubtful))
	for _, orders := range [][]payments.Order{p.Doubtful, p.Open} {
		for _, order := range orders {
			if order.Doubtful(p.Now) {
				references[order.Reference] = true
			}
		}
	}
	return len(references) + len(p.Orphans())
}
