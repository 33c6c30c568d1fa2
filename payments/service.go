package payments

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Service applies the payment rules to the orders, events, articles and sales of a store. It is
// safe for concurrent use.
type Service struct {
	Reader
	*staff.Service[Tx]

	store      Store
	drafts     Store // Store of unfinished sales: the same as store, unless [WithDrafts] sets another.
	gateway    Gateway
	now        Clock
	reach      func() Reach
	till       string
	iterations int
	tag        atomic.Pointer[string] // Tag of the database; nil until it was read.
	held       sync.Map               // Names of the tills for which [Service.HoldTill] succeeded.
	saving     sync.Mutex             // Locked by SaveSale, so that sales are written one after the other.
	stopwatch  func() time.Duration
	ends       sync.Map // Ends of the links of this service's orders, as values of stopwatch; the key is the reference.
	unstored   sync.Map // References of the orders for which the last Checkout could not store the result.
}

// Option is an optional argument of [New].
type Option func(*Service)

// WithDrafts stores unfinished sales in a separate store on the till's own disk, so that a
// sale can be entered while the shop's database is unavailable.
func WithDrafts(drafts Store) Option { return func(s *Service) { s.drafts = drafts } }

// WithTag replaces the database's random tag in new numbers, for tests.
func WithTag(tag string) Option { return func(s *Service) { s.tag.Store(&tag) } }

// WithStopwatch sets a clock that does not jump when the machine's clock is set. elapsed returns
// the time since a fixed moment. Without this option, the monotonic readings of the [Clock] are
// used: they are wrong if the Clock adds an offset that changes.
func WithStopwatch(elapsed func() time.Duration) Option {
	return func(s *Service) { s.stopwatch = elapsed }
}

// WithTill sets the name of the till at which PINs are entered: wrong PINs are counted for each
// till.
func WithTill(name string) Option { return func(s *Service) { s.till = name } }

// WithPINIterations sets the PBKDF2 rounds for new PINs, so that tests are fast.
func WithPINIterations(count int) Option { return func(s *Service) { s.iterations = count } }

// WithReach makes [Service.Checkout] refuse orders while reach returns a [Reach.Blind] state.
func WithReach(reach func() Reach) Option { return func(s *Service) { s.reach = reach } }

// New returns a service that uses a store. gateway may be nil if the service creates no orders.
func New(store Store, gateway Gateway, clock Clock, options ...Option) *Service {
	begun := clock()
	service := &Service{
		Reader: store, store: store, drafts: store, gateway: gateway, now: clock,
		reach: func() Reach { return "" }, iterations: staff.Iterations,
		stopwatch: func() time.Duration { return clock().Sub(begun) },
	}
	for _, option := range options {
		option(service)
	}
	service.Service = staff.New(store.Update, store.Cashiers, clock, service.till, service.iterations)
	return service
}

// Now returns the time of the service's [Clock], in the shop's time zone.
func (s *Service) Now() time.Time { return s.now() }

// Elapsed returns the time since a fixed moment, by a clock that does not jump; see
// [WithStopwatch].
func (s *Service) Elapsed() time.Duration { return s.stopwatch() }

// Order is [Reader.Order], but returns the order as it is at [Service.Now]: see [Order.At].
func (s *Service) Order(ctx context.Context, ref string) (Order, []Record, error) {
	order, records, err := s.Reader.Order(ctx, ref)
	return s.at(order, s.now()), records, err
}

// Orders is [Reader.Orders], but returns the orders as they are at [Service.Now]: see [Order.At].
func (s *Service) Orders(ctx context.Context, query Query) ([]Order, error) {
	query.Now = s.now()
	orders, err := s.Reader.Orders(ctx, query)
	return s.allAt(orders, query.Now), err
}

// Overview is [Reader.Overview], but returns the orders as they are at the time now: see
// [Order.At].
func (s *Service) Overview(ctx context.Context, till string, now time.Time, limit int) (Overview, error) {
	view, err := s.Reader.Overview(ctx, till, now, limit)
	view.Open = s.allAt(view.Open, now)
	view.Attention = s.allAt(view.Attention, now)
	return view, err
}

// WithoutOrder returns the number and the sum of the payments that arrived in a period, have no
// order and must be reviewed; see [Record.Orphan] and [SumOf]. The zero period means all times.
func (s *Service) WithoutOrder(ctx context.Context, period money.Period) (sum money.Sum, err error) {
	now := s.now()
	records, err := s.Unmatched(ctx, MaxUnmatched)
	var counted []Record
	for _, record := range records {
		if record.Orphan(now) && (period == (money.Period{}) || period.Contains(record.ReceivedAt)) {
			counted = append(counted, record)
		}
	}
	return SumOf(counted), err
}

// SumOf returns the number of events and the sum of their amounts. An event whose amount is not a
// whole number from 1 to [money.MaxAriary] is counted, but adds nothing to the sum.
func SumOf(records []Record) (sum money.Sum) {
	for _, record := range records {
		sum.Count++
		if amount, whole := record.Event.Amount.amount(); whole {
			sum.Amount += amount
		}
	}
	return sum
}

// at returns the order as it is at the time now; see [Order.At]. If this service could not store
// the result of the order's checkout, the status becomes unknown without waiting for [CallLimit].
func (s *Service) at(order Order, now time.Time) Order {
	if _, unstored := s.unstored.Load(order.Reference); unstored && order.Sending() {
		return order.fail(ErrInterrupted)
	}
	return order.At(now)
}

func (s *Service) allAt(orders []Order, now time.Time) []Order {
	for i := range orders {
		orders[i] = s.at(orders[i], now)
	}
	return orders
}

// Sales returns the till's unfinished sales, the last saved one first.
func (s *Service) Sales(ctx context.Context, till string) ([]Sale, error) {
	return s.drafts.Sales(ctx, till)
}

// NewSale returns an empty sale with a new ID. It is not stored.
func (s *Service) NewSale(till string) Sale {
	return Sale{ID: rand.Text(), Till: clean.Text(till, MaxTillWidth)}
}

// SaveSale stores an unfinished sale. It cleans the name and the description with [clean.Text]. If
// the sale has neither items nor a description, SaveSale removes it.
func (s *Service) SaveSale(ctx context.Context, sale Sale) error {
	s.saving.Lock()
	defer s.saving.Unlock()
	sale.Name = clean.Text(sale.Name, MaxTillWidth)
	sale.Description = clean.Text(sale.Description, MaxDescriptionWidth)
	sale.UpdatedAt = s.now().UTC()
	return s.drafts.Update(ctx, func(tx Tx) error {
		if len(sale.Items) == 0 && sale.Description == "" {
			return tx.DropSale(sale.ID)
		}
		return tx.SaveSale(sale)
	})
}

func dropSale(ctx context.Context, store Store, id string) error {
	return store.Update(ctx, func(tx Tx) error { return tx.DropSale(id) })
}

// Gateway sends order calls to the payment service. Package gateway implements it.
type Gateway interface {
	// Create sends one order call. It returns a [*Refusal] if the service refused the order, and an
	// error that wraps [ErrNotSent] if the order was not sent. After any other error the service
	// may have the order.
	Create(ctx context.Context, order Order) (Created, error)
}

// Created is the service's valid answer to an order call.
type Created struct {
	OrderReference string // The service's name for the order: not empty, and not changed by [clean.Text].
	CheckoutURL    string // The link, safe to display and to open.
	ExpiresMinutes int    // The link's lifetime, 1 to 1,440.
	Assumed        bool   // The lifetime was missing or invalid; 10 minutes are assumed.
}

// Visit is the result of a request to an address.
type Visit struct {
	Status   int           // HTTP status of the answer.
	Listener string        // ID of a till's listener in the answer (see gateway.ListenerHeader); empty if the answer has none.
	Ahead    time.Duration // How far the server's clock is ahead of the caller's; zero if unknown.
	Expires  time.Time     // When the server's certificate ends; zero without TLS.
	Proxy    string        // Host of the proxy that was used; empty without one.
}
