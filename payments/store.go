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

// Tx is one transaction of a [Store]. Its errors make the transaction fail,
// but for those of this package.
//
//nolint:interfacebloat // It is one thing: what a change may do in a transaction.
type Tx interface {
	// Order returns the order of a reference, without its items.
	// [ErrNotFound] when there is none.
	Order(reference string) (Order, error)
	// OrderOf returns the order of the service's order reference, without its
	// items. [ErrNotFound] when there is none; the empty order reference is
	// no order's.
	OrderOf(orderReference string) (Order, error)
	// Siblings returns all orders of a sale, without their items.
	Siblings(sale string) ([]Order, error)
	// InsertOrder writes a new order with its items. [ErrReferenceTaken].
	InsertOrder(order Order) error
	// SaveOrder writes what may change of an order (all but its terms and its
	// findings). [ErrOrderReferenceTaken] when another order has its order
	// reference, and when it has another one already, which is given once.
	SaveOrder(order Order) error
	// InsertFinding adds a finding to the history of an order. No finding is ever
	// changed or removed. [ErrNotFound].
	InsertFinding(reference string, finding Finding) error
	// Events returns the transaction's part for events.
	Events() EventLog
	// Sales returns the part for sales, their numbers and the articles.
	Sales() Sales
	// Staff returns the part for cashiers and closings.
	Staff() Staff
}

// Staff is the part of a transaction that concerns the people of the shop.
type Staff interface {
	// Cashiers returns all cashiers, sorted by name.
	Cashiers() ([]Cashier, error)
	// SaveCashier writes a cashier, also one that is stored already.
	SaveCashier(cashier Cashier) error
	// SaveTries writes the tries of a stored cashier, and nothing else of it.
	SaveTries(name string, tries Tries) error
	// InsertClosing writes the closing of a day and returns it and true. Of a
	// day that is closed already it returns the closing there is and false.
	InsertClosing(closing Closing) (Closing, bool, error)
	// Closings returns the closings of the days from one to another, both
	// included, the oldest first.
	Closings(from, to string) ([]Closing, error)
	// DropCashier removes a cashier. It is no error when there is none.
	DropCashier(name string) error
}

// EventLog is the part of a transaction that concerns events.
type EventLog interface {
	// Insert stores a new event, with its order and its effect, and returns
	// it with its sequence. When its ID is known already it counts the
	// delivery instead, and returns the event as it was stored and false.
	Insert(record Record) (Record, bool, error)
	// Save writes the order and the effect of an event that was unmatched.
	Save(record Record) error
	// CountOthers returns how many different events of an order reference are stored
	// beside the one of an identity.
	CountOthers(orderReference string, id EventID) (int, error)
	// Unmatched returns the unmatched events of an order reference, in order of
	// arrival.
	Unmatched(orderReference string) ([]Record, error)
	// TrimUnmatched drops unmatched events until at most limit of them are left,
	// whose raw bodies have at most so many bytes: the oldest that is no success
	// first, then the oldest success that somebody has looked at, and once all
	// are successes that nobody has looked at, the newest. It returns how many
	// successes nobody had looked at were among what it dropped.
	TrimUnmatched(limit int, bytes int64) (dropped int, err error)
}

// Sales is the part of a transaction that concerns sales before they are
// charged, their numbers, and the articles.
type Sales interface {
	// NextNumber returns 1, 2, 3 … for each series.
	NextNumber(series string) (int64, error)
	// LastSeries returns the last series, in the order of their bytes, that is at or
	// after from and before to. It is blank when there is none.
	LastSeries(from, to string) (string, error)
	// SaveSale writes a sale that is being entered or held.
	SaveSale(sale Sale) error
	// DropSale removes a sale that was charged or given up. It is no error
	// when there is none.
	DropSale(id string) error
	// SaveArticle writes an article, and of one that is stored already not how
	// often it was used, for that was counted meanwhile. It takes
	// its place among the favourites from whoever had it. [ErrCodeTaken],
	// [ErrLabelTaken].
	SaveArticle(article Article) error
	// DropArticle removes an article. It is no error when there is none.
	DropArticle(id string) error
	// CountUse counts that an order has the article of this label, if there is
	// one.
	CountUse(label string) error
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
