package payments

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Recover completes what a crash interrupted: orders in the middle of their
// call become orders of unknown outcome, and sales in a store of the till's own
// (see [WithDrafts]) are closed when the service has an order of the same items and
// note: those it returns. till limits it to one till's. Call it at the start, and when the store can
// be written again after it could not. The answer to a call that is still under way
// counts nevertheless. An error comes with what was done before it.
func (s *Service) Recover(ctx context.Context, till string) (closed []Sale, err error) {
	if err := s.recoverOrders(ctx, till); err != nil || s.drafts == s.store {
		return nil, err
	}
	sales, err := s.drafts.Sales(ctx, till)
	if err != nil {
		return nil, fmt.Errorf("read the till's sales: %w", err)
	}
	for _, sale := range sales {
		orders, err := s.store.Orders(ctx, Query{Sale: sale.ID})
		charged := sale.ID != "" && slices.ContainsFunc(orders, sale.chargedBy)
		if err == nil && charged {
			err = dropSale(ctx, s.drafts, sale.ID)
		}
		if err != nil {
			return closed, fmt.Errorf("close a sale that was charged: %w", err)
		}
		if charged {
			closed = append(closed, sale)
		}
	}
	return closed, nil
}

// chargedBy reports whether an order that the service has charges exactly what the sale
// holds. The lines of an order that ended unpaid are charged again.
func (s Sale) chargedBy(order Order) bool {
	if order.OrderReference == "" || order.Status.Unpaid() && !order.Paid() {
		return false
	}
	terms := Terms{Reference: order.Reference, Items: s.Items, Description: s.Description}
	wanted, err := NewOrder(terms, order.CreatedAt)
	return err == nil && order.asksFor(wanted)
}

// recoverOrders turns orders in the middle of their call into orders of unknown
// outcome.
func (s *Service) recoverOrders(ctx context.Context, till string) error {
	query := Query{Till: till, Status: StatusCreating, Limit: 1000}
	for {
		orders, err := s.store.Orders(ctx, query)
		if err != nil {
			return fmt.Errorf("find interrupted orders: %w", err)
		}
		if len(orders) == 0 {
			return nil
		}
		for _, order := range orders {
			if order.Facts.NotSent {
				continue
			}
			if err := s.storeAnswer(ctx, order.Reference, time.Time{}, Created{}, ErrInterrupted); err != nil {
				return fmt.Errorf("recover order %s: %w", order.Reference, err)
			}
		}
		query.Before = orders[len(orders)-1].Reference
	}
}
