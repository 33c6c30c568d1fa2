package payments

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
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

// Watch returns a channel that says "something changed" until ctx ends.
func (s *Service) Watch(ctx context.Context) <-chan struct{} {
	if s.drafts == nil {
		return s.store.Watch(ctx)
	}
	return either(s.store.Watch(ctx), s.drafts.Watch(ctx))
}

// Sales returns the till's sales that are being entered or held, newest first.
func (s *Service) Sales(ctx context.Context, till string) ([]Sale, error) {
	return s.desk().Sales(ctx, Clean(till, MaxTillWidth))
}

// NewSale returns an empty sale with an id of its own. It is not stored.
func (s *Service) NewSale(till string) Sale {
	return Sale{ID: rand.Text(), Till: Clean(till, MaxTillWidth)}
}

// SaveSale stores a sale as it is being entered or held, its name and its
// description cleaned; one
// without items and description is dropped.
func (s *Service) SaveSale(ctx context.Context, sale Sale) error {
	sale.Name = Clean(sale.Name, MaxTillWidth)
	sale.Description = Clean(sale.Description, MaxDescriptionWidth)
	sale.UpdatedAt = s.now().UTC()
	return s.desk().Update(ctx, func(tx Tx) error {
		if len(sale.Items) == 0 && sale.Description == "" {
			return tx.Sales().DropSale(sale.ID)
		}
		return tx.Sales().SaveSale(sale)
	})
}

// Resolve records what a person found out about an order. [ErrOutdated] when
// the order has another verdict by now than finding.Seen, so that no payment is
// hidden that came meanwhile; [ErrReasonNeeded] when a proven payment is taken
// back without a note. A shop that has cashiers wants to know who:
// [ErrIdentityNeeded].
func (s *Service) Resolve(ctx context.Context, ref string, finding Finding) (Order, error) {
	return s.resolve(ctx, ref, finding, requireNoCashiers)
}

// ResolveAs records what a cashier found out about an order, under the
// cashier's own name. Its errors are also those of [Service.Identify].
func (s *Service) ResolveAs(ctx context.Context, ref string, finding Finding, who Identity) (Order, error) {
	cashier, err := s.Identify(ctx, who)
	if err != nil {
		return Order{}, err
	}
	finding.By = cashier.Name
	return s.resolve(ctx, ref, finding, allowAll)
}

func (s *Service) resolve(ctx context.Context, ref string, finding Finding, guard func(Tx) error) (Order, error) {
	finding.At = s.now().UTC()
	return s.change(ctx, ref, guard, func(order Order) (Order, error) {
		if order.Verdict(Conditions{}, finding.At) != finding.Seen {
			return order, ErrOutdated
		}
		resolved := order.Resolve(finding)
		if order.Paid() && !finding.Paid && resolved.Finding.Note == "" {
			return order, ErrReasonNeeded
		}
		return resolved, nil
	})
}

// Acknowledge records that the cashier saw the verdict shown under conditions.
// A screen uses [Service.AcknowledgeSeen], for a screen may be behind.
func (s *Service) Acknowledge(ctx context.Context, ref string, conditions Conditions) (Order, error) {
	now := s.now()
	return s.change(ctx, ref, allowAll, func(order Order) (Order, error) {
		return order.Acknowledge(conditions, now), nil
	})
}

// AcknowledgeSeen records that the cashier saw the verdict seen, which was
// shown under conditions. When the order has another verdict by now, it stays
// as it is and unseen: a payment that comes in the moment of the key press
// must not pass for an outcome that was read. The returned order tells which.
func (s *Service) AcknowledgeSeen(ctx context.Context, ref string, seen Verdict, conditions Conditions) (Order, error) {
	now := s.now()
	return s.change(ctx, ref, allowAll, func(order Order) (Order, error) {
		if order.Verdict(conditions, now) != seen {
			return order, nil
		}
		return order.Acknowledge(conditions, now), nil
	})
}

// change applies a rule to one order in one transaction, if guard lets it, and
// returns the order with its items.
func (s *Service) change(
	ctx context.Context, ref string, guard func(Tx) error, rule func(Order) (Order, error),
) (Order, error) {
	err := s.store.Update(ctx, func(tx Tx) error {
		if err := guard(tx); err != nil {
			return err
		}
		order, err := tx.Order(ref)
		if errors.Is(err, ErrNotFound) {
			order, err = tx.OrderOf(ref)
		}
		if err != nil {
			return err
		}
		changed, err := rule(order)
		if err != nil {
			return err
		}
		siblings, err := siblingsOf(tx, order)
		if err != nil {
			return err
		}
		if err := supersede(tx, order, changed, siblings); err != nil {
			return err
		}
		return tx.SaveOrder(changed)
	})
	if err != nil {
		return Order{}, err
	}
	order, _, err := s.store.Order(ctx, ref)
	return order, err
}

// Recover turns orders that a crash left in the middle of their call into
// orders of unknown outcome, and returns how many there were. till limits it
// to one till's orders. Call it at the start, and when the store can be
// written again after it could not. The answer to a call that is still under
// way counts nevertheless.
func (s *Service) Recover(ctx context.Context, till string) (int, error) {
	recovered := 0
	query := Query{Till: Clean(till, MaxTillWidth), Status: StatusCreating, Limit: 1000}
	for {
		orders, err := s.store.Orders(ctx, query)
		if err != nil {
			return recovered, fmt.Errorf("find interrupted orders: %w", err)
		}
		if len(orders) == 0 {
			return recovered, nil
		}
		for _, order := range orders {
			if order.Facts.NotSent {
				continue
			}
			if err := s.settle(ctx, order.Reference, answer{err: errInterrupted}); err != nil {
				return recovered, fmt.Errorf("recover order %s: %w", order.Reference, err)
			}
			recovered++
		}
		query.Before = orders[len(orders)-1].Reference
	}
}

var errInterrupted = errors.New("interrupted while the order was being sent")

// Reference makes a shop's reference of a till, a local day and a number, as
// in T1-20261121-0007. The till's name keeps its letters and digits.
func Reference(till string, day time.Time, number int64) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return -1
	}, till)
	if name == "" {
		name = "T"
	}
	return fmt.Sprintf("%.20s-%s-%04d", name, day.Format("20060102"), number)
}
