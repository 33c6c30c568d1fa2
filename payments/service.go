package payments

import (
	"context"
	"crypto/rand"
	"time"
)

// Service is every rule and every write of the program: the console, the
// webhook listener and the commands all go through it. It is safe for
// concurrent use.
type Service struct {
	store   Store
	drafts  Store // Of the sales that are being entered; nil when store keeps them.
	gateway Gateway
	now     Clock
	zone    *time.Location
	// iterations is what a new PIN costs.
	iterations int
}

// Option changes a [Service].
type Option func(*Service)

// WithZone sets the shop's time zone, by which references are dated. The
// default is the machine's.
func WithZone(zone *time.Location) Option { return func(s *Service) { s.zone = zone } }

// New returns a service on a store. gateway may be nil where no order is
// created: for a listener alone, or to look at history.
func New(store Store, gateway Gateway, clock Clock, options ...Option) *Service {
	service := &Service{store: store, gateway: gateway, now: clock, zone: time.Local, iterations: pinIterations}
	for _, option := range options {
		option(service)
	}
	return service
}

// Now returns the service's time.
func (s *Service) Now() time.Time { return s.now() }

// Order returns an order by its reference or its order reference, with its
// events in order of arrival, or [ErrNotFound].
func (s *Service) Order(ctx context.Context, ref string) (Order, []Record, error) {
	return s.store.Order(ctx, ref)
}

// Orders returns the orders that fit the query, newest first.
func (s *Service) Orders(ctx context.Context, query Query) ([]Order, error) {
	query.Till = Clean(query.Till, MaxTillWidth)
	return s.store.Orders(ctx, query)
}

// Unmatched returns events that belong to no order, at most limit: first the
// successes that nobody has looked at, the newest first, and then the others.
func (s *Service) Unmatched(ctx context.Context, limit int) ([]Record, error) {
	return s.store.Unmatched(ctx, limit)
}

// Watch returns a channel that receives after each change, until ctx ends; see
// [Store.Watch].
func (s *Service) Watch(ctx context.Context) <-chan struct{} {
	if s.drafts == nil {
		return s.store.Watch(ctx)
	}
	return either(s.store.Watch(ctx), s.drafts.Watch(ctx))
}

// Sales returns the till's sales that are being entered or held, newest first.
func (s *Service) Sales(ctx context.Context, till string) ([]Sale, error) {
	return s.draftStore().Sales(ctx, Clean(till, MaxTillWidth))
}

// NewSale returns an empty sale with an id of its own. It is not stored.
func (s *Service) NewSale(till string) Sale {
	return Sale{ID: rand.Text(), Till: Clean(till, MaxTillWidth)}
}

// SaveSale stores a sale as it is being entered or held, its name and its
// description cleaned. A sale without items and description is dropped.
func (s *Service) SaveSale(ctx context.Context, sale Sale) error {
	sale.Name = Clean(sale.Name, MaxTillWidth)
	sale.Description = Clean(sale.Description, MaxDescriptionWidth)
	sale.UpdatedAt = s.now().UTC()
	return s.draftStore().Update(ctx, func(tx Tx) error {
		if len(sale.Items) == 0 && sale.Description == "" {
			return tx.Sales().DropSale(sale.ID)
		}
		return tx.Sales().SaveSale(sale)
	})
}
