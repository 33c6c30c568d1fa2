package payments

import (
	"context"
	"fmt"
	"slices"
)

// Recover removes charged sales from this till's separate store of unfinished sales (see
// [WithDrafts]), where a crash may have left them. Before that, it moves the till's unfinished
// sales from the shop's database to that store. It returns the removed sales, even if it fails
// later. Call it at the start, and when the store can be written again after a failure.
func (s *Service) Recover(ctx context.Context, till string) (closed []Sale, err error) {
	if s.drafts == s.store {
		return nil, nil
	}
	sales, err := s.drafts.Sales(ctx, till)
	if err == nil {
		sales, err = s.fetchSales(ctx, till, sales)
	}
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

// fetchSales moves the till's unfinished sales from the shop's database to the separate store, and
// returns them with those that the store had already (known). The database has unfinished sales if
// it was copied from a till without a separate store.
func (s *Service) fetchSales(ctx context.Context, till string, known []Sale) ([]Sale, error) {
	left, err := s.store.Sales(ctx, till)
	for _, sale := range left {
		if err == nil && !slices.ContainsFunc(known, func(other Sale) bool { return other.ID == sale.ID }) {
			err = s.drafts.Update(ctx, func(tx Tx) error { return tx.SaveSale(sale) })
			known = append(known, sale)
		}
		if err == nil {
			err = dropSale(ctx, s.store, sale.ID)
		}
	}
	return known, err
}

// charged reports whether an order charges the sale, or whether its whole price has been paid and
// some of the money came at the counter.
func (s *Service) charged(ctx context.Context, sale Sale) (charged bool, err error) {
	orders, err := s.store.Orders(ctx, Query{Sale: sale.ID})
	if err != nil || sale.ID != "" && slices.ContainsFunc(orders, sale.chargedBy) {
		return err == nil, err
	}
	err = s.store.Update(ctx, func(tx Tx) error {
		taken, err := tx.Taken(sale.ID)
		total, _ := Total(sale.Items)
		net, _ := MoneyOf(orders, taken)
		charged = taken.Net > 0 && net >= total
		return err
	})
	return charged, err
}

// chargedBy reports whether the order charges the sale as it was saved. It does not if the service
// does not have the order, or if the order ended without money.
func (s Sale) chargedBy(order Order) bool {
	if order.OrderReference == "" || order.Status.Unpaid() && !order.Paid() || order.decided() && order.Net() <= 0 {
		return false
	}
	terms := Terms{Reference: order.Reference, Items: s.Items, Description: s.Description, Debt: s.Debt, Part: order.Terms().Part}
	wanted, err := NewOrder(terms, order.CreatedAt)
	return err == nil && order.asksFor(wanted)
}
