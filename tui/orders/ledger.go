package orders

import (
	"context"

	"checkout/till/payments"
)

// Ledger is what the screen reads and records.
type Ledger interface {
	// Orders returns the orders that fit, newest first.
	Orders(ctx context.Context, query payments.Query) ([]payments.Order, error)
	// Report returns the takings of a period.
	Report(ctx context.Context, period payments.Period) (payments.Report, error)
	// Order returns an order and its events, or payments.ErrNotFound.
	Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error)
	// Resolve records what a person found out about an order. Like the others it
	// returns payments.ErrIdentityNeeded without an identity in a shop that has
	// cashiers.
	Resolve(ctx context.Context, ref string, finding payments.Finding, who payments.Identity) (payments.Order, error)
	// Cashiers returns the shop's cashiers by name.
	Cashiers(ctx context.Context) ([]payments.Cashier, error)
	// Notice records that a person looked at an event that no order has.
	Notice(ctx context.Context, event payments.Record, who payments.Identity) error
	// Match gives an order of unknown outcome its order reference.
	Match(ctx context.Context, reference, orderReference string, who payments.Identity) (payments.Order, error)
}
