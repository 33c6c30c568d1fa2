package payments

import (
	"cmp"
	"context"
	"errors"
)

// Resolve records what a person found out about an order, under the name of the
// cashier who does, and in a shop without cashiers under finding.By.
// [ErrOutdated] when the order has another verdict by now than finding.Seen, so
// that no payment is hidden that came meanwhile; [ErrReasonNeeded] when a proven
// payment is taken back without a note. Its errors are also those of an
// [Identity].
func (s *Service) Resolve(ctx context.Context, ref string, finding Finding, who Identity) (Order, error) {
	err := s.guarded(ctx, who, func(tx Tx, cashier string) error {
		finding.By, finding.At = cmp.Or(cashier, finding.By), s.now().UTC()
		return change(tx, ref, func(order Order) (Order, error) {
			if order.Verdict(Conditions{}, finding.At) != finding.Seen {
				return order, ErrOutdated
			}
			resolved := order.Resolve(finding)
			if order.Paid() && !finding.Paid && resolved.Finding.Note == "" {
				return order, ErrReasonNeeded
			}
			return resolved, nil
		})
	})
	return s.reread(ctx, ref, err)
}

// Acknowledge records that the cashier saw the verdict seen, which was shown
// under conditions. When the order has another verdict by now, it stays as it is
// and unseen: a payment that comes in the moment of the key press must not pass
// for an outcome that was read. The returned order tells which.
func (s *Service) Acknowledge(ctx context.Context, ref string, seen Verdict, conditions Conditions) (Order, error) {
	now := s.now()
	err := s.store.Update(ctx, func(tx Tx) error {
		return change(tx, ref, func(order Order) (Order, error) {
			if order.Verdict(conditions, now) != seen {
				return order, nil
			}
			return order.Acknowledge(conditions, now), nil
		})
	})
	return s.reread(ctx, ref, err)
}

// change applies a rule to one order and saves it with the siblings that change
// with it.
func change(tx Tx, ref string, rule func(Order) (Order, error)) error {
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
}

// reread returns an order with its items after a change, or the change's error.
func (s *Service) reread(ctx context.Context, ref string, err error) (Order, error) {
	if err != nil {
		return Order{}, err
	}
	order, _, err := s.store.Order(ctx, ref)
	return order, err
}
