package display

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
)

// linger is how long an outcome is shown before the screen is for the next
// customer.
const linger = 20 * time.Second

// Source is what a screen reads from. It reads alone: nothing that a customer
// sees or does changes anything.
type Source interface {
	// Sales returns the till's sales that are being entered or held.
	Sales(ctx context.Context, till string) ([]payments.Sale, error)
	// Orders returns the orders that fit, newest first.
	Orders(ctx context.Context, query payments.Query) ([]payments.Order, error)
	// Watch returns a channel that says "something changed" until ctx ends.
	Watch(ctx context.Context) <-chan struct{}
	// Now returns the time.
	Now() time.Time
}

// moment is what a till has before it: the sale that is being entered, and the
// order that was made last. Either may be missing.
type moment struct {
	sale  payments.Sale
	order payments.Order
}

// look reads the moment of a till.
func look(ctx context.Context, source Source, till string) (moment, error) {
	sales, err := source.Sales(ctx, till)
	if err != nil {
		return moment{}, fmt.Errorf("read the sale: %w", err)
	}
	orders, err := source.Orders(ctx, payments.Query{Till: till, Limit: 1})
	if err != nil {
		return moment{}, fmt.Errorf("read the newest order: %w", err)
	}
	var found moment
	for _, sale := range sales {
		// A sale that is held is another customer's.
		if sale.Name == "" && len(sale.Items) > 0 {
			found.sale = sale
			break
		}
	}
	if len(orders) > 0 {
		found.order = orders[0]
	}
	if found.order.Sale != "" && !found.order.Paid() {
		// When another order of the sale was paid, that is what the customer shall see.
		siblings, err := source.Orders(ctx, payments.Query{Sale: found.order.Sale})
		if err != nil {
			return moment{}, fmt.Errorf("read the orders of the sale: %w", err)
		}
		if paid := slices.IndexFunc(siblings, payments.Order.Paid); paid >= 0 {
			found.order = siblings[paid]
		}
	}
	return found, nil
}

// kind is what a screen shows.
type kind string

const (
	idle   kind = "idle"   // The shop's name.
	basket kind = "basket" // The lines as they are added.
	wait   kind = "wait"   // The order is on its way.
	code   kind = "code"   // The code of the link.
	paid   kind = "paid"
	unpaid kind = "unpaid"
	ask    kind = "ask" // The counter knows more.
)

// scene is what one customer sees.
type scene struct {
	kind  kind
	items []payments.Item
	total payments.Ariary
	order payments.Order
	left  time.Duration // That the link has left.
	retry bool          // The customer was refused, and can try again.
}

// stage turns moments into scenes. It is a value.
type stage struct {
	moment moment
	failed bool      // The last reading failed.
	kind   kind      // Of the order, when it was looked at last.
	since  time.Time // Since when the order has that kind.
}

// take takes in a moment that was read at now, or that it could not be read.
func (s stage) take(read moment, err error, now time.Time) stage {
	if s.failed = err != nil; s.failed {
		return s
	}
	first := s.since.IsZero()
	same := s.moment.order.Reference == read.order.Reference
	s.moment = read
	if kind := s.ofOrder(now); kind != s.kind || !same {
		s.kind, s.since = kind, now
		if first && kind != code && kind != wait {
			s.since = now.Add(-linger) // It came before anybody stood here.
		}
	}
	return s
}

// ofOrder returns what there is to show of the newest order. Only a proof makes
// it paid.
func (s stage) ofOrder(now time.Time) kind {
	order := s.moment.order
	if order.Reference == "" {
		return idle
	}
	switch order.Verdict(payments.Conditions{}, now) {
	case payments.VerdictPaid:
		return paid
	case payments.VerdictNotPaid:
		if order.Retryable(now) {
			return code
		}
		return unpaid
	case payments.VerdictWaiting:
		switch {
		case order.Payable(now):
			return code
		case order.Status == payments.StatusCreating && !order.Facts.NotSent:
			return wait
		}
	}
	return ask
}

// scene returns what the customer sees at now.
func (s stage) scene(now time.Time) scene {
	if s.failed {
		return scene{kind: ask}
	}
	sale, order := s.moment.sale, s.moment.order
	if len(sale.Items) > 0 && sale.UpdatedAt.After(order.CreatedAt) {
		total, err := payments.Total(sale.Items)
		if err == nil {
			return scene{kind: basket, items: sale.Items, total: total}
		}
	}
	shown := scene{kind: s.ofOrder(now), items: order.Items, total: order.Amount, order: order}
	switch shown.kind {
	case idle:
		return scene{kind: idle}
	case code:
		shown.left, shown.retry = order.Link.ExpiresAt.Sub(now), order.Retryable(now)
		return shown
	case wait:
		return shown
	}
	since := s.since
	if shown.kind != s.kind {
		since = now // The clock changed it a moment ago.
	}
	if now.Sub(since) >= linger {
		return scene{kind: idle}
	}
	return shown
}
