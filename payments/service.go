package payments

import (
	"context"
	"crypto/rand"
	"sync"
	"time"
)

// Service is every rule and every write of the program: the console, the
// webhook listener and the commands all go through it. It is safe for
// concurrent use.
type Service struct {
	Reader // The store's.

	store   Store
	drafts  Store // Of the sales that are being entered; store itself where that keeps them.
	gateway Gateway
	now     Clock
	reach   func() Reach // Whether a payment would be seen now.

	iterations int           // What a new PIN costs.
	tag        func() string // Makes the end of a till's first series; see [Series].

	saving   sync.Mutex // Of two writes of a sale the later one stands.
	unstored sync.Map   // The references of orders whose answer could not be stored.
}

// Option changes a [Service].
type Option func(*Service)

// WithDrafts keeps the sales that are being entered or held in a store of their
// own, on the till's own disk, so that they can be entered while the shop's
// database is away. Without it they are kept in the shop's database.
func WithDrafts(drafts Store) Option { return func(s *Service) { s.drafts = drafts } }

// WithoutTags leaves the random characters out of references, so that a test knows them.
func WithoutTags() Option {
	return func(s *Service) { s.tag = func() string { return "" } }
}

// WithReach has [Service.Checkout] make no order while reach says that its payment
// would not be seen.
func WithReach(reach func() Reach) Option { return func(s *Service) { s.reach = reach } }

// New returns a service on a store. gateway may be nil where no order is
// created: for a listener alone, or to look at history.
func New(store Store, gateway Gateway, clock Clock, options ...Option) *Service {
	service := &Service{Reader: store, store: store, drafts: store, gateway: gateway, now: clock, iterations: pinIterations, tag: randomTag}
	service.reach = func() Reach { return "" }
	for _, option := range options {
		option(service)
	}
	return service
}

// Now returns the service's time.
func (s *Service) Now() time.Time { return s.now() }

// Sales returns the till's sales that are being entered or held, newest first.
func (s *Service) Sales(ctx context.Context, till string) ([]Sale, error) {
	return s.drafts.Sales(ctx, till)
}

// NewSale returns an empty sale with an id of its own. It is not stored.
func (s *Service) NewSale(till string) Sale {
	return Sale{ID: rand.Text(), Till: Clean(till, MaxTillWidth)}
}

// SaveSale stores a sale as it is being entered or held, its name and its
// description cleaned. A sale without items and description is dropped.
func (s *Service) SaveSale(ctx context.Context, sale Sale) error {
	s.saving.Lock()
	defer s.saving.Unlock()
	sale.Name = Clean(sale.Name, MaxTillWidth)
	sale.Description = Clean(sale.Description, MaxDescriptionWidth)
	sale.UpdatedAt = s.now().UTC()
	return s.drafts.Update(ctx, func(tx Tx) error {
		if len(sale.Items) == 0 && sale.Description == "" {
			return tx.DropSale(sale.ID)
		}
		return tx.SaveSale(sale)
	})
}

// AwaitedUntil returns until when a payment of the order is awaited that the service
// calls orderReference, with [DeafGrace]; zero when none is.
func (s *Service) AwaitedUntil(ctx context.Context, orderReference string) time.Time {
	order, _, err := s.store.Order(ctx, orderReference)
	if err != nil || order.resolved() || order.Status != StatusPending && !order.Payable(s.now()) {
		return time.Time{}
	}
	return order.Link.ExpiresAt.Add(DeafGrace)
}

func dropSale(ctx context.Context, store Store, id string) error {
	return store.Update(ctx, func(tx Tx) error { return tx.DropSale(id) })
}

// Gateway is the payment service's order call.
type Gateway interface {
	// Create asks the service once for a payment order; it never tries again.
	// A [*Refusal] says that the service does not take the order, an error
	// that wraps [ErrNotSent] that the call never left this machine. After any
	// other error the outcome is unknown: the service may have the order.
	Create(ctx context.Context, order Order) (Created, error)
}

// Created is the service's sound answer to an order call.
type Created struct {
	OrderReference string // Checked: not empty, and as events will name it.
	CheckoutURL    string // Checked: safe to draw and to open.
	ExpiresMinutes int    // The link's lifetime, 1 to 1,440.
	Assumed        bool   // The lifetime was missing or unsound; 10 minutes are assumed.
}

// Visit is what a look at an address found: the header of its answer to a request
// that asks for nothing.
type Visit struct {
	Status   int           // Of the HTTP answer.
	Listener string        // Which of till's listeners answered; empty for another program.
	Ahead    time.Duration // By how much its clock is ahead of this machine's; zero where it does not tell.
	Expires  time.Time     // When its certificate ends; zero without TLS.
}
