package payments

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Recover completes what a crash interrupted at this till. Call it at the start, and when the
// store can be written again after a failure. If a crash interrupted the call of an order, the
// outcome of the order becomes unknown. An answer that comes later is still stored.
//
// If sales are in a separate store (see [WithDrafts]), Recover removes the charged ones from it and
// returns them, even if it fails later. A sale counts as charged if cash was taken for it, or if
// the service has an order with the same items and description that did not end unpaid.
func (s *Service) Recover(ctx context.Context, till string) (closed []Sale, err error) {
	if err := s.recoverOrders(ctx, till); err != nil || s.drafts == s.store {
		return nil, err
	}
	sales, err := s.drafts.Sales(ctx, till)
	if err != nil {
		return nil, fmt.Errorf("read the till's sales: %w", err)
	}
	for _, sale := range sales {
		charged, err := s.charged(ctx, sale)
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

// charged reports whether a sale was charged, in cash or by an order.
func (s *Service) charged(ctx context.Context, sale Sale) (charged bool, err error) {
	orders, err := s.store.Orders(ctx, Query{Sale: sale.ID})
	if err != nil || sale.ID != "" && slices.ContainsFunc(orders, sale.chargedBy) {
		return err == nil, err
	}
	err = s.store.Update(ctx, func(tx Tx) error {
		number, err := tx.CashTaken(sale.ID)
		charged = number != ""
		return err
	})
	return charged, err
}

// chargedBy reports whether the order charges the sale: the service has the order, the order has
// the items and the description of the sale, and the order did not end unpaid.
func (s Sale) chargedBy(order Order) bool {
	if order.OrderReference == "" || order.Status.Unpaid() && !order.Paid() {
		return false
	}
	terms := Terms{Reference: order.Reference, Items: s.Items, Description: s.Description}
	wanted, err := NewOrder(terms, order.CreatedAt)
	return err == nil && order.asksFor(wanted)
}

func (s *Service) recoverOrders(ctx context.Context, till string) error {
	query := Query{Till: till, Status: StatusCreating, Limit: 1000}
	for {
		orders, err := s.store.Orders(ctx, query)
		switch {
		case err != nil:
			return fmt.Errorf("find interrupted orders: %w", err)
		case len(orders) == 0:
			return nil
		}
		for _, order := range orders {
			if order.Facts.NotSent {
				continue
			}
			if _, err := s.storeAnswer(ctx, order.Reference, time.Time{}, Created{}, ErrInterrupted); err != nil {
				return fmt.Errorf("recover order %s: %w", order.Reference, err)
			}
		}
		query.Before = orders[len(orders)-1].Reference
	}
}
