package payments

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"time"
)

// Bounds of the events that are stored.
const (
	// MaxUnmatched is how many events without an order are kept, see
	// [Tx.TrimUnmatchedEvents].
	MaxUnmatched = 10_000
	// MaxUnmatchedBytes bounds the raw bodies of the events without an order.
	MaxUnmatchedBytes = 64 << 20
	// MaxEventsPerReference is how many different events of one order reference
	// are stored.
	MaxEventsPerReference = 200
)

// Receipt tells what a delivered event did.
type Receipt struct {
	Effect Effect
	Status Status // The order's status now; empty when no order matches.
}

// Receive stores an event, applies it to its order and notes the effect, in one
// transaction. A nil error means that it is durable, or that a bound left it out. The
// receipt says which: [NoSuchOrder] when it waits for its order, and is answered 404,
// so that the service sends it again; [Dropped] when a bound left no room for it, or
// it pushed out an unmatched success. A proof of payment of a known order is always
// stored. body is the raw request body.
func (s *Service) Receive(ctx context.Context, event Event, body []byte) (Receipt, error) {
	return s.ReceiveLate(ctx, event, body, time.Time{})
}

// ReceiveLate is [Service.Receive] for an event that came at a moment that has
// passed and could not be stored then. It counts from that moment, so that it
// is not late for having waited; the zero time is now.
func (s *Service) ReceiveLate(ctx context.Context, event Event, body []byte, came time.Time) (Receipt, error) {
	// The digests are made here: where transactions run, all others wait.
	record := Record{
		Event: event, ID: event.ID(), Effect: NoSuchOrder, Count: 1,
		Body: body, BodySHA256: sha256.Sum256(body),
	}
	var receipt Receipt
	err := s.store.Update(ctx, func(tx Tx) (err error) {
		record.ReceivedAt = s.now().UTC()
		if !came.IsZero() && came.Before(record.ReceivedAt) { // The clock may have been set back since.
			record.ReceivedAt = came.UTC()
		}
		receipt, err = s.storeAndApply(tx, record)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	return receipt, nil
}

// storeAndApply works out what the event does before it is stored, so that it is
// written once, with its order and its effect.
func (s *Service) storeAndApply(tx Tx, record Record) (Receipt, error) {
	order, err := tx.OrderOf(record.Event.OrderReference)
	if errors.Is(err, ErrNotFound) {
		return s.storeUnmatched(tx, record)
	}
	if err != nil {
		return Receipt{}, err
	}
	applied, effect := order.Apply(record.Event, record.ReceivedAt)
	if proves := applied.Paid() && !order.Paid(); !proves {
		if full, err := isFull(tx, record); full || err != nil {
			return Receipt{Effect: Dropped, Status: order.Status}, err
		}
	}
	record.Order, record.Effect = order.Reference, effect
	stored, fresh, err := tx.InsertEvent(record)
	switch {
	case err != nil:
		return Receipt{}, err
	case !fresh && stored.Effect != NoSuchOrder && stored.Effect != Noticed:
		return Receipt{Effect: Duplicate, Status: order.Status}, nil
	case !fresh:
		// It came before its order, which learned its name without it.
		if applied, effect, err = s.applyStored(tx, order, stored); err != nil {
			return Receipt{}, err
		}
	}
	return Receipt{Effect: effect, Status: applied.Status}, settle(tx, order, applied)
}

// isFull tells whether an event is one too many of its order reference: new,
// beside [MaxEventsPerReference] others.
func isFull(tx Tx, record Record) (bool, error) {
	others, err := tx.CountOtherEvents(record.Event.OrderReference, record.ID)
	return others >= MaxEventsPerReference, err
}

func (s *Service) storeUnmatched(tx Tx, record Record) (Receipt, error) {
	if full, err := isFull(tx, record); full || err != nil {
		return Receipt{Effect: Dropped}, err
	}
	_, fresh, err := tx.InsertEvent(record)
	if err != nil || !fresh {
		return Receipt{Effect: NoSuchOrder}, err
	}
	dropped, err := tx.TrimUnmatchedEvents(MaxUnmatched, MaxUnmatchedBytes)
	if dropped > 0 {
		return Receipt{Effect: Dropped}, err
	}
	return Receipt{Effect: NoSuchOrder}, err
}

// Match gives an order of unknown outcome the order reference that a person
// found for it, and applies the events that wait under it. [ErrNotFound],
// [ErrNotMatchable], [ErrInvalidReference] for a blank order reference,
// [ErrOrderReferenceTaken] and those of an [Identity] say why not.
func (s *Service) Match(ctx context.Context, reference, orderReference string, who Identity) error {
	if strings.TrimSpace(orderReference) == "" {
		return ErrInvalidReference
	}
	return s.guarded(ctx, who, func(tx Tx, _ string) error {
		order, err := tx.Order(reference)
		if err != nil {
			return err
		}
		if order.Status != StatusUnknown || order.OrderReference != "" && order.OrderReference != orderReference {
			return ErrNotMatchable
		}
		order.OrderReference = orderReference
		return s.saveMatched(tx, order)
	})
}

// Notice records that a person looked at an event that no order has: it raises
// no alarm any more, see [Record.Orphan]. It stays stored, and an order that
// learns its order reference takes it nevertheless. It is no error when an order
// has taken it meanwhile. Its errors are also those of an [Identity].
func (s *Service) Notice(ctx context.Context, event Record, who Identity) error {
	return s.guarded(ctx, who, func(tx Tx, _ string) error {
		waiting, err := tx.UnmatchedEvents(event.Event.OrderReference)
		if err != nil {
			return err
		}
		for _, record := range waiting {
			if record.ID == event.ID && record.Effect == NoSuchOrder {
				record.Effect = Noticed
				return tx.SaveEvent(record)
			}
		}
		return nil
	})
}

// saveMatched saves an order that has just learned its order reference, after
// applying the events that came before, in the order they came.
func (s *Service) saveMatched(tx Tx, order Order) error {
	// Saved first, so that a reference that another order has is refused
	// before any event is touched.
	if err := tx.SaveOrder(order); err != nil {
		return err
	}
	waiting, err := tx.UnmatchedEvents(order.OrderReference)
	if err != nil || len(waiting) == 0 {
		return err
	}
	applied := order
	for _, record := range waiting {
		if applied, _, err = s.applyStored(tx, applied, record); err != nil {
			return err
		}
	}
	return settle(tx, order, applied)
}

// applyStored applies a stored event to its order, saves the event, and returns the
// order, which it does not save. The event counts from its arrival: an event that
// had to wait for its order is not late for that.
func (s *Service) applyStored(tx Tx, order Order, record Record) (Order, Effect, error) {
	applied, effect := order.Apply(record.Event, record.ReceivedAt)
	record.Order = order.Reference
	record.Effect = effect
	return applied, effect, tx.SaveEvent(record)
}

// settle saves a changed order and the orders of its sale that change with it: see
// [Settle].
func settle(tx Tx, before, after Order) error {
	siblings, err := siblingsOf(tx, after)
	if err != nil {
		return err
	}
	for _, order := range Settle(before, after, siblings) {
		if err := tx.SaveOrder(order); err != nil {
			return err
		}
	}
	return nil
}

func siblingsOf(tx Tx, order Order) ([]Order, error) {
	if order.Sale == "" {
		return nil, nil
	}
	all, err := tx.Siblings(order.Sale)
	return slices.DeleteFunc(all, func(sibling Order) bool {
		return sibling.Reference == order.Reference
	}), err
}
