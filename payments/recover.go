package payments

import (
	"context"
	"errors"
	"fmt"
)

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
