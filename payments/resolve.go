package payments

import (
	"context"
	"errors"
)

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
