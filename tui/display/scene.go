package display

import (
	"context"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/customer"
)

const (
	outcomeShown = 20 * time.Second // How long an outcome stays on the screen.
	customerStay = 30 * time.Minute // This long after the order was made or its link has ended, the customer has probably left.
)

// snapshot is the current sale of a till, and the order to show. Either may be zero.
type snapshot struct {
	sale  payments.Sale
	order payments.Order
}

func readSnapshot(ctx context.Context, service *drawer.Service, till string) (found snapshot, err error) {
	sales, err := service.Service.Sales(ctx, till)
	if err != nil {
		return found, err
	}
	// A sale with a name is held and belongs to another customer.
	entered := func(sale payments.Sale) bool { return sale.Name == "" && len(sale.Items) > 0 }
	if at := slices.IndexFunc(sales, entered); at >= 0 {
		found.sale = sales[at]
		found.sale.Taken, found.sale.RestOf, err = service.TakenFor(ctx, found.sale.ID)
	}
	if err != nil {
		return found, err
	}
	orders, err := service.Orders(ctx, payments.Query{Till: till, Latest: true, Limit: 1})
	if err != nil || len(orders) == 0 {
		return found, err
	}
	found.order, err = shownOrder(ctx, service, orders[0])
	return found, err
}

// shownOrder returns the order to show for the till's newest order. It returns the zero order if
// the till has served another customer at the counter since then, or if the customer has probably
// left.
func shownOrder(ctx context.Context, service *drawer.Service, newest payments.Order) (payments.Order, error) {
	now, stays := service.Now(), newest.CreatedAt
	if newest.Link.ExpiresAt.After(stays) {
		stays = newest.Link.ExpiresAt
	}
	if !now.Before(stays.Add(customerStay)) {
		return payments.Order{}, nil
	}
	taken, err := service.CounterSales(ctx, money.Period{From: newest.CreatedAt, To: now.Add(time.Second)})
	next := func(sale drawer.CounterSale) bool {
		return sale.Till == newest.Till && sale.Sale != newest.Sale && sale.At.After(newest.CreatedAt)
	}
	if err != nil || slices.ContainsFunc(taken, next) {
		return payments.Order{}, err
	}
	if !newest.Facts.Superseded || newest.Paid() {
		return newest, nil
	}
	// Show the order of the same sale that was paid, if there is one.
	siblings, err := service.Orders(ctx, payments.Query{Sale: newest.Sale})
	if paid := slices.IndexFunc(siblings, payments.Order.Paid); paid >= 0 {
		return siblings[paid], err
	}
	return newest, err
}

type presenter struct {
	snapshot snapshot
	failed   bool
	kind     customer.Kind
	since    time.Time // When the order was first seen with this kind; moved back for an outcome that must not be shown.
	began    time.Time // When the order was first seen.
	read     time.Time
}

// update returns the presenter after a read that ended at now. A failed read keeps the last
// snapshot.
func (s presenter) update(read snapshot, err error, now time.Time) presenter {
	if s.failed = err != nil; s.failed {
		return s
	}
	first := s.read.IsZero() || now.Sub(s.read) >= outcomeShown // The first read, or the first after a long time: a browser slept, or reads failed.
	s.read = now
	same := s.snapshot.order.Reference == read.order.Reference
	s.snapshot = read
	if !same {
		s.began = now
	}
	if kind := s.ofOrder(now); kind != s.kind || !same {
		s.kind, s.since = kind, now
		over := read.order.Facts.Acknowledged || now.After(read.order.CreatedAt.Add(customerStay))
		if first && over && kind != customer.Code && kind != customer.Wait {
			s.since = now.Add(-outcomeShown) // The customer has probably left.
		}
	}
	if s.entering() {
		s.since = now.Add(-outcomeShown) // The next customer is here.
	}
	return s
}

// entering reports whether the cashier enters a sale that was changed after the order was made. If
// the clock was set back since then, the order is in the future, and any sale counts.
func (s presenter) entering() bool {
	sale, made := s.snapshot.sale, s.snapshot.order.CreatedAt
	return len(sale.Items) > 0 && (sale.UpdatedAt.After(made) || made.After(s.read))
}

func (s presenter) ofOrder(now time.Time) customer.Kind {
	order := s.snapshot.order
	verdict := order.Verdict(payments.Conditions{}, now)
	switch waits := verdict == payments.VerdictWaiting; {
	case order.Reference == "", verdict == payments.VerdictPaidOtherwise:
		return customer.Idle // In the second case, another payment paid the sale.
	case (waits && order.Payable(now) || order.Retryable(now)) && s.remaining(now) > 0:
		return customer.Code
	case waits && order.Sending():
		return customer.Wait
	}
	switch kind := customer.Kind(verdict); kind {
	case customer.Paid, customer.Unpaid, customer.Check, customer.Unknown:
		return kind
	}
	return customer.Ask
}

func (s presenter) remaining(now time.Time) time.Duration {
	left, _ := s.snapshot.order.Link.Remaining(s.began, now, max(0, now.Sub(s.began))) // Sub is negative if the clock was set back.
	return left
}

func (s presenter) scene(now time.Time) customer.View {
	if s.failed {
		return customer.View{Kind: customer.Ask}
	}
	sale, order := s.snapshot.sale, s.snapshot.order
	if total, err := payments.Total(sale.Items); err == nil && s.entering() {
		return customer.View{Kind: customer.Basket, Order: payments.Order{Items: sale.Items, Amount: total - sale.Taken, Total: total, RestOf: sale.RestOf}}
	}
	shown := customer.View{Kind: s.ofOrder(now), Order: order}
	switch shown.Kind {
	case customer.Code:
		shown.Remaining, shown.Retry = s.remaining(now), order.Retryable(now)
		return shown
	case customer.Idle, customer.Wait:
		return shown
	}
	since := s.since
	if shown.Kind != s.kind {
		since = now // Only time has passed: for example, a link has expired.
	}
	if now.Sub(since) >= outcomeShown {
		return customer.View{Kind: customer.Idle}
	}
	return shown
}
