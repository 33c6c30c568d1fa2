package payments

import (
	"context"
	"fmt"
	"slices"
)

// WithDrafts keeps the sales that are being entered or held in a store of their
// own, on the till's own disk, so that they can be entered while the shop's
// database is away. What the shop's database has of them is taken over by
// [Service.Gather]. Without it they are kept in the shop's database.
func WithDrafts(drafts Store) Option { return func(s *Service) { s.drafts = drafts } }

// Gathered is what [Service.Gather] found.
type Gathered struct {
	// Found are sales that the shop's database had, and the till's disk has now.
	Found []Sale
	// Closed are sales that had been charged: the till's disk has them no more.
	Closed []Sale
}

// Gather makes a till's own sales and the shop's database agree, where they are
// kept apart; elsewhere there is nothing to do. Sales that are in the shop's
// database come to the till's disk: a version that kept them there left them.
// Sales of which the service took an order are closed: the program ended
// between the order and the sale.
//
// Call it at the start, and when the database can be used again after it could
// not. It can be interrupted anywhere and is then done again. An error comes
// with what was done before it.
func (s *Service) Gather(ctx context.Context, till string) (done Gathered, err error) {
	if s.drafts == nil {
		return Gathered{}, nil
	}
	till = Clean(till, MaxTillWidth)
	own, err := s.drafts.Sales(ctx, till)
	if err != nil {
		return Gathered{}, fmt.Errorf("read the till's sales: %w", err)
	}
	for _, sale := range own {
		charged, err := s.charged(ctx, sale)
		if err == nil && charged {
			err = dropSale(ctx, s.drafts, sale.ID)
		}
		if err != nil {
			return done, fmt.Errorf("close a sale that was charged: %w", err)
		}
		if charged {
			done.Closed = append(done.Closed, sale)
		}
	}
	shared, err := s.store.Sales(ctx, till)
	if err != nil {
		return done, fmt.Errorf("read the sales in the shop's database: %w", err)
	}
	for _, sale := range shared {
		known := slices.ContainsFunc(own, func(other Sale) bool { return other.ID == sale.ID })
		took, err := s.takeOver(ctx, sale, known)
		if took {
			done.Found = append(done.Found, sale)
		}
		if err != nil {
			return done, fmt.Errorf("take over a sale: %w", err)
		}
	}
	return done, nil
}

// takeOver moves a sale from the shop's database to the till's disk, unless it
// is known there or was charged. It is on the disk before it leaves the
// database, so that it is never in neither.
func (s *Service) takeOver(ctx context.Context, sale Sale, known bool) (took bool, err error) {
	if !known {
		charged, err := s.charged(ctx, sale)
		if err != nil {
			return false, err
		}
		if !charged {
			err = s.drafts.Update(ctx, func(tx Tx) error { return tx.Sales().SaveSale(sale) })
			if err != nil {
				return false, err
			}
			took = true
		}
	}
	return took, dropSale(ctx, s.store, sale.ID)
}

// charged tells whether the service took an order of a sale as it stands. Of an
// older order's sale the lines came back: they were written after it.
func (s *Service) charged(ctx context.Context, sale Sale) (bool, error) {
	orders, err := s.store.Orders(ctx, Query{Sale: sale.ID})
	return sale.ID != "" && slices.ContainsFunc(orders, func(order Order) bool {
		return order.OrderReference != "" && !order.CreatedAt.Before(sale.UpdatedAt)
	}), err
}

// dropSale removes a sale from a store.
func dropSale(ctx context.Context, store Store, id string) error {
	return store.Update(ctx, func(tx Tx) error { return tx.Sales().DropSale(id) })
}

// desk is where sales are kept that are being entered or held.
func (s *Service) desk() Store {
	if s.drafts != nil {
		return s.drafts
	}
	return s.store
}

// either returns a channel that says so when one of two does, with one slot,
// until both are closed.
func either(first, second <-chan struct{}) <-chan struct{} {
	notices := make(chan struct{}, 1)
	go func() {
		defer close(notices)
		for first != nil || second != nil {
			select {
			case _, open := <-first:
				if !open {
					first = nil
					continue
				}
			case _, open := <-second:
				if !open {
					second = nil
					continue
				}
			}
			select {
			case notices <- struct{}{}:
			default: // One lies there.
			}
		}
	}()
	return notices
}
