package payments

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Recover completes what a crash interrupted. Orders with an interrupted call become orders
// of unknown outcome. If sales are in a separate store (see [WithDrafts]), Recover drops
// the charged ones and returns them. A sale counts as charged after cash was taken for it.
// It also counts as charged if the service has an order with the same items and description
// that did not end unpaid.
//
// Recover handles only the orders and sales of this till. Call it at the start, and when
// the store can be written again. If a call is still under way, its answer is stored as
// usual. With an error, Recover returns the sales that it dropped before.
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
		if err == nil && !charged {
			charged, err = s.cashTaken(ctx, sale.ID)
		}
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

// cashTaken reports whether a cash sale was made from the sale and is not voided.
func (s *Service) cashTaken(ctx context.Context, sale string) (taken bool, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		number, err := tx.CashTaken(sale)
		taken = number != ""
		return err
	})
	return taken, err
}

// chargedBy reports whether the service has the order, and the order has exactly the sale's
// items and description. An order whose last event says unpaid does not count, because the
// sale can then be charged again.
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
