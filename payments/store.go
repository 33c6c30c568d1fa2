package payments

import (
	"context"
	"time"
)

// Reader reads orders, events, articles and cashiers, and tells of changes.
type Reader interface {
	// Order returns the order whose reference or order reference is ref, with all
	// its findings, and its events in order of arrival. [ErrNotFound] when there is
	// none.
	Order(ctx context.Context, ref string) (Order, []Record, error)
	// Orders returns the orders that fit, newest first.
	Orders(ctx context.Context, query Query) ([]Order, error)
	// Unmatched returns events that no order has, at most limit: first the
	// successes that nobody has looked at, the newest first, and then the others.
	Unmatched(ctx context.Context, limit int) ([]Record, error)
	// Articles returns the catalogue, the most used first, and then by label.
	Articles(ctx context.Context) ([]Article, error)
	// Cashiers returns all cashiers, sorted by name.
	Cashiers(ctx context.Context) ([]Cashier, error)
	// Watch returns a channel with one slot that receives after each change, until
	// ctx ends. Changes are coalesced: the receiver reads everything again.
	Watch(ctx context.Context) <-chan struct{}
}

// Store keeps orders, events and sales. What [Store.Update] returned nil for
// is on disk and survives a power cut.
//
// Every error that is none of this package's says that the store could not be
// read or written: nothing may be assumed of what it holds, and every verdict
// is [VerdictUnknown] until it answers again.
type Store interface {
	Reader
	// Update runs change in one transaction and returns once it is durable.
	// It returns change's error as it is, and then nothing was written. change
	// must not call the store. It may run more than once, as a batch is run again
	// when one of its changes fails: it sets captured variables on every run.
	// The transaction does not end with ctx once it has begun.
	Update(ctx context.Context, change func(Tx) error) error
	// Sales returns the till's sales that are being entered or held, newest
	// first.
	Sales(ctx context.Context, till string) ([]Sale, error)
	// Takings returns the orders that were paid or made in a period, or about which a
	// person found something in it, all of one moment: first those that were paid in
	// it, by the time of the proof. It fills what the verdict, [Order.CountedAt] and
	// [Order.Received] need, and the items of those first orders if the period asks
	// for what was sold.
	Takings(ctx context.Context, period Period) ([]Order, error)
}

// Tx is one transaction of a [Store]. After an error that this package does not
// define, the transaction fails.
//
//nolint:interfacebloat // Callers and tests need one interface: a change may use any of it.
type Tx interface {
	// Order returns the order of a reference, without its items. [ErrNotFound].
	Order(reference string) (Order, error)
	// OrderOf returns the order of the service's order reference, without its
	// items. [ErrNotFound], also for the empty order reference.
	OrderOf(orderReference string) (Order, error)
	// Siblings returns all orders of a sale, without their items.
	Siblings(sale string) ([]Order, error)
	// InsertOrder writes a new order with its items. [ErrReferenceTaken].
	InsertOrder(order Order) error
	// SaveOrder updates an order, except its terms and its findings.
	// [ErrOrderReferenceTaken] when another order has its order reference, or when
	// the stored order has a different one: it is set once.
	SaveOrder(order Order) error
	// InsertFinding adds a finding to the history of an order. Findings are never
	// changed or removed. [ErrNotFound].
	InsertFinding(reference string, finding Finding) error

	// InsertEvent stores a new event, with its order and its effect, and returns
	// it with its sequence and true. If the event is stored already, InsertEvent
	// counts the delivery and returns the stored event and false.
	InsertEvent(record Record) (Record, bool, error)
	// SaveEvent writes the order and the effect of an event that was unmatched.
	SaveEvent(record Record) error
	// CountOtherEvents returns how many events of an order reference have another
	// identity than id.
	CountOtherEvents(orderReference string, id EventID) (int, error)
	// UnmatchedEvents returns the unmatched events of an order reference, in order
	// of arrival.
	UnmatchedEvents(orderReference string) ([]Record, error)
	// TrimUnmatchedEvents deletes unmatched events until at most limit are left, and
	// their raw bodies have at most so many bytes. It deletes the oldest events that
	// are no success first, then the oldest reviewed successes, then the newest
	// unreviewed ones. It returns how many unreviewed successes it deleted.
	TrimUnmatchedEvents(limit int, bytes int64) (dropped int, err error)

	// NextNumber returns 1, 2, 3 … for each series.
	NextNumber(series string) (int64, error)
	// LastSeries returns the last series, in byte order, that is at or after from
	// and before to; blank when there is none.
	LastSeries(from, to string) (string, error)
	// SaveSale inserts or updates a sale that is being entered or held.
	SaveSale(sale Sale) error
	// DropSale removes a sale that was charged or given up, if it exists.
	DropSale(id string) error
	// SaveArticle inserts or updates an article. An update keeps the stored use
	// count. Another article with the same favourite number loses it.
	// [ErrCodeTaken], [ErrLabelTaken].
	SaveArticle(article Article) error
	// DropArticle removes an article, if it exists.
	DropArticle(id string) error
	// CountUse adds one to the use count of the article with this label, if it
	// exists.
	CountUse(label string) error

	// Cashiers returns all cashiers, sorted by name.
	Cashiers() ([]Cashier, error)
	// SaveCashier inserts or updates a cashier.
	SaveCashier(cashier Cashier) error
	// SaveTries updates only the tries of a stored cashier.
	SaveTries(name string, tries Tries) error
	// DropCashier removes a cashier, if it exists.
	DropCashier(name string) error
	// InsertClosing writes the closing of a day and returns it and true. If the day
	// is closed already, it returns the stored closing and false.
	InsertClosing(closing Closing) (Closing, bool, error)
	// Closings returns the closings of the days from one to another, both
	// included, the oldest first.
	Closings(from, to string) ([]Closing, error)
}

// Query selects orders. The zero value selects the newest of all.
type Query struct {
	Till   string    // Only this till's.
	Status Status    // Only of this status.
	Since  time.Time // Created at or after.
	Until  time.Time // Created before.
	Sale   string    // Only this sale's.
	Check  time.Time // Only what a person must look at at this moment: see [Order.Attention].
	// Part of reference, order reference, description or label, any case. The
	// orders then come by their arrival, the newest first, and a text of one or two
	// letters may be looked for among the newest orders alone.
	Search string
	Open   bool   // Only what a person may wait for: see [Order.Open].
	Before string // Only older than the order of this reference: the next page.
	Limit  int    // At most so many; 0 is 50, and 1,000 is the most.
}

// Sale is what one customer takes, while it is being entered.
type Sale struct {
	ID          string
	Till        string
	Name        string // By which it is held for later; blank for the one being entered.
	Items       []Item
	Description string // A note to the customer; blank to make one from the items.
	UpdatedAt   time.Time
}

// Clock tells the time, in the shop's time zone.
type Clock func() time.Time
