package display

import (
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/component/customer"
)

// linger is how long an outcome is shown before the screen is for the next
// customer.
const linger = 20 * time.Second

// longestStay is how long after his order was made a customer may still stand
// there.
const longestStay = 30 * time.Minute

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

// stage turns moments into scenes. It is a value.
type stage struct {
	moment moment
	failed bool          // The last reading failed.
	kind   customer.Kind // Of the order, when it was looked at last.
	since  time.Time     // Since when the order has that kind.
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
		if order := read.order; first && kind != customer.Code && kind != customer.Wait && (order.Facts.Acknowledged || over(order, now)) {
			s.since = now.Add(-linger) // It came before anybody stood here.
		}
	}
	return s
}

// over tells whether an order is of a customer who has gone, though nobody has
// seen its outcome.
func over(order payments.Order, now time.Time) bool {
	return now.After(order.CreatedAt.Add(longestStay))
}

// ofOrder returns what there is to show of the newest order. Only a proof makes
// it paid.
func (s stage) ofOrder(now time.Time) customer.Kind {
	order := s.moment.order
	if order.Reference == "" {
		return customer.Idle
	}
	switch order.Verdict(payments.Conditions{}, now) {
	case payments.VerdictPaid:
		return customer.Paid
	case payments.VerdictNotPaid:
		if order.Retryable(now) {
			return customer.Code
		}
		return customer.Unpaid
	case payments.VerdictCheck:
		return customer.Check
	case payments.VerdictUnknown:
		return customer.Unknown
	case payments.VerdictWaiting:
		switch {
		case order.Payable(now):
			return customer.Code
		case order.Status == payments.StatusCreating && !order.Facts.NotSent:
			return customer.Wait
		}
	}
	return customer.Ask
}

// scene returns what the customer sees at now.
func (s stage) scene(now time.Time) customer.View {
	if s.failed {
		return customer.View{Kind: customer.Ask}
	}
	sale, order := s.moment.sale, s.moment.order
	if len(sale.Items) > 0 && sale.UpdatedAt.After(order.CreatedAt) {
		total, err := payments.Total(sale.Items)
		if err == nil {
			return customer.View{Kind: customer.Basket, Order: payments.Order{Items: sale.Items, Amount: total}}
		}
	}
	shown := customer.View{Kind: s.ofOrder(now), Order: order}
	switch shown.Kind {
	case customer.Idle:
		return customer.View{Kind: customer.Idle}
	case customer.Code:
		shown.Left, shown.Retry = order.Link.ExpiresAt.Sub(now), order.Retryable(now)
		return shown
	case customer.Wait:
		return shown
	}
	since := s.since
	if shown.Kind != s.kind {
		since = now // The clock changed it a moment ago.
	}
	if now.Sub(since) >= linger {
		return customer.View{Kind: customer.Idle}
	}
	return shown
}
