package payments

import (
	"context"
	"time"

	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Reader reads orders, events, articles and cashiers, and reports changes.
type Reader interface {
	// Order returns the order whose Reference (the shop's name for it) or OrderReference (the
	// service's name for it) is ref, with all its findings and transfers. The records are the
	// order's events in order of arrival. Order returns [ErrNotFound] if there is none.
	Order(ctx context.Context, ref string) (Order, []Record, error)
	// Orders returns the orders that query selects, newest first.
	Orders(ctx context.Context, query Query) ([]Order, error)
	// Unmatched returns at most limit unmatched events. Unreviewed successes come first, then
	// the others; each group is newest first.
	Unmatched(ctx context.Context, limit int) ([]Record, error)
	// Overview reads what the console of a till always shows. Each list has up to limit entries.
	Overview(ctx context.Context, till string, now time.Time, limit int) (Overview, error)
	// Articles returns the catalogue: the most used articles first, equally used ones by label.
	Articles(ctx context.Context) ([]Article, error)
	// Cashiers returns all cashiers, sorted by name.
	Cashiers(ctx context.Context) ([]staff.Cashier, error)
	// Watch returns a channel with a buffer of one. The store sends to it after each change, and
	// closes it when ctx ends or the store is closed. One message may stand for several changes, so
	// the receiver must read everything again.
	Watch(ctx context.Context) <-chan struct{}
}

// Store stores orders, events and sales. An error other than those in the comments of its methods
// means that the store failed.
type Store interface {
	Reader
	// Update runs change in one transaction, and returns after the commit is durable. After change
	// has begun, Update ignores ctx. If change returns an error, Update writes nothing and returns
	// that error unchanged. Any other error means that nothing is stored, unless it wraps
	// [ErrCommitUnknown].
	//
	// change must not call the store. It may run more than once, because the transaction may be
	// repeated, so it must set captured variables on every run.
	Update(ctx context.Context, change func(Tx) error) error
	// Sales returns the till's unfinished sales, the last saved one first.
	Sales(ctx context.Context, till string) ([]Sale, error)
}

// Tx is one transaction of a [Store]. An error other than those in the comments of its methods makes
// the whole transaction fail.
//
//nolint:interfacebloat // Callers and tests need one interface: a change may use any of its methods.
type Tx interface {
	staff.Tx

	// Order returns the order with this reference, without its items, or [ErrNotFound].
	Order(reference string) (Order, error)
	// OrderOf returns the order with the service's order reference, without its items. It
	// returns [ErrNotFound] if no order has it, and for an empty order reference.
	OrderOf(orderReference string) (Order, error)
	// Siblings returns all orders of a sale, without their items. An empty ID gives no orders.
	Siblings(sale string) ([]Order, error)
	// Taken returns what was taken at the counter for a sale, minus what was voided or given back.
	Taken(sale string) (Taken, error)
	// InsertOrder inserts an order with its items. It returns [ErrReferenceTaken] or
	// [ErrOrderReferenceTaken] if another order has the reference or the order reference, and
	// [ErrNoRoom] on a nearly full disk.
	InsertOrder(order Order) error
	// SaveOrder updates an order, except the findings and the fields of [Order] up to CreatedAt. It
	// returns [ErrNotFound] for an unknown order. An order reference is set only once: SaveOrder
	// returns [ErrOrderReferenceTaken] if the order has another one already, or if another order
	// has this one.
	SaveOrder(order Order) error
	// InsertFinding adds a finding to the history of an order. Findings are never changed or removed.
	// InsertFinding returns [ErrNotFound] for an unknown reference.
	InsertFinding(reference string, finding Finding) error

	// InsertEvent stores an event with its order and its effect. If the event is stored already,
	// InsertEvent only counts one more delivery. It returns [ErrNotFound] if record.Order does not
	// exist.
	InsertEvent(record Record) error
	// Event returns the stored event of an order reference with this ID, or [ErrNotFound], and how
	// many events of the order reference are stored.
	Event(orderReference string, id EventID) (stored Record, count int, err error)
	// UnmatchedEvents returns the events of an order reference that have no order, reviewed or not,
	// oldest first.
	UnmatchedEvents(orderReference string) ([]Record, error)
	// SaveEvent updates only the fields Order and Effect of a stored event.
	SaveEvent(record Record) error
	// TrimUnmatchedEvents deletes unmatched events until at most limit remain, and their raw bodies
	// are together at most bytes long. It deletes the oldest non-successes first, then the oldest
	// reviewed successes, then the newest unreviewed successes. It returns how many unreviewed
	// successes it deleted.
	TrimUnmatchedEvents(limit int, bytes int64) (dropped int, err error)

	// Post adds a transfer to the ledger and gives it the next ID.
	Post(transfer ledger.Transfer) error

	// Owed returns the balance of a customer's account: what the customer owes.
	Owed(account ledger.Account) (money.Ariary, error)
	// DebtOrders returns the orders without proof of payment that pay the debt of a customer's
	// account, oldest first and without their items.
	DebtOrders(account ledger.Account) ([]Order, error)

	// Tag returns the two letters that the database got when it was made; see [NumberKind].
	Tag() (string, error)
	// ClaimTill returns the name of the till that holds a code; see [TillCode]. If no till holds the
	// code, ClaimTill stores that the till with the given name does.
	ClaimTill(code, name string) (string, error)
	// SaveSale inserts or updates an unfinished sale.
	SaveSale(sale Sale) error
	// DropSale removes an unfinished sale, because it was charged or the cashier dropped it. A missing
	// sale is not an error.
	DropSale(id string) error
	// Article returns the article with an ID, or [ErrNotFound].
	Article(id string) (Article, error)
	// SaveArticle inserts or updates an article. An update keeps the stored use count.
	// Another article with the same favourite number loses that number. SaveArticle returns
	// [ErrCodeTaken] or [ErrLabelTaken] if another article has the code or the label.
	SaveArticle(article Article) error
	// DropArticle removes an article. A missing article is not an error.
	DropArticle(id string) error
	// CountUse adds one to the use count of the article with this label, if there is one.
	CountUse(label string) error
}

// Overview contains what the screens of a till always show.
type Overview struct {
	Open      []Order  // The till's open orders, newest first.
	Attention []Order  // The shop's orders that need a person, newest first.
	Unmatched []Record // Events without an order, as [Reader.Unmatched] returns them.
	Staffed   bool
}

// Query selects orders. The zero value selects the newest orders.
type Query struct {
	Till   string
	Status Status    // Only orders that have this status at the time Now; see [Order.At].
	Now    time.Time // Current time, for Status; set by [Service.Orders].
	Since  time.Time // Only orders created at this time or later.
	Until  time.Time // Only orders created before this time.
	Sale   string
	Check  time.Time // Only orders for which [Order.NeedsAttention] is true at this time.
	// Search is a part of the reference, order reference, description or an item's label, whatever
	// the case. A store may look for one or two characters only in the newest orders.
	Search string
	Amount money.Ariary // With Search: also finds orders of this amount. A store may look only among the newest orders.
	Open   bool         // Only orders that may need a person: see [Order.Open].
	Latest bool         // Selects only among the shop's newest orders, and returns the last stored one first, because CreatedAt may be from a wrong clock. Must not be combined with Before.
	Before string       // Only orders older than the one with this reference: the next page.
	Limit  int          // Maximum number of orders; 0 means 50, and more than 1,000 means 1,000.
}

// Sale is an unfinished sale: its items are not charged yet, or are paid only in part. It is the
// current sale of a till, or one that the cashier holds for later under a name.
type Sale struct {
	ID          string
	Till        string
	Name        string // Name of a held sale; empty for the current one.
	Items       []Item
	Description string         // Note to the customer; generated from the items if blank.
	Debt        ledger.Account // Account of the customer whose debt is paid; empty for a sale.
	UpdatedAt   time.Time
	Taken       money.Ariary // Money that the shop has for the sale because the customer paid a part. Computed from the ledger, not stored.
	RestOf      string       // Number of the sale's oldest counter payment that was not fully given back; empty without one.
}

// Clock returns the time in the shop's time zone.
type Clock func() time.Time
