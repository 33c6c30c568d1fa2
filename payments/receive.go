package payments

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"time"

	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Limits for stored events. For events beyond them, see [Dropped] and [Tx.TrimUnmatchedEvents].
const (
	MaxUnmatched          = 10_000   // Maximum number of events without an order.
	MaxUnmatchedBytes     = 64 << 20 // Maximum size of the raw bodies of all events without an order together, in bytes.
	MaxEventsPerReference = 200      // Maximum number of different events with one order reference. The first proof of payment of a known order is stored beyond it.
)

// Receipt is the result of [Service.Receive].
type Receipt struct {
	Effect Effect
	Status Status       // The order's status after the event; empty if no order matches.
	Proven money.Ariary // The order's amount if this event proved its payment; otherwise 0.
	Order  string       // Reference of the order if this event proved its payment; otherwise blank.
}

// Receive stores an event, applies it to its order and records the effect, in one transaction.
// After a nil error the event is durable, or a limit excluded it. The first proof of payment of a
// known order is always stored. body is the raw request body.
func (s *Service) Receive(ctx context.Context, event Event, body []byte) (Receipt, error) {
	return s.ReceiveLate(ctx, event, body, time.Time{})
}

// ReceiveLate is [Service.Receive] for an event that could not be stored on arrival. The parameter
// came is the time of arrival; it decides whether a payment is late. If came is zero, or in the
// future because the clock was set back, the event counts as arrived now.
func (s *Service) ReceiveLate(ctx context.Context, event Event, body []byte, came time.Time) (receipt Receipt, err error) {
	// Compute the digests before the transaction, because a transaction blocks other writers.
	record := Record{
		Event: event, ID: event.ID(), Effect: Unmatched, Count: 1,
		Body: body, BodySHA256: sha256.Sum256(body),
	}
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		now := s.now().UTC()
		record.ReceivedAt = now
		if !came.IsZero() && came.Before(now) {
			record.ReceivedAt = came.UTC()
		}
		receipt, err = storeAndApply(tx, record, now)
		return err
	})
	return receipt, err
}

// storeAndApply stores an event and applies it to its order. It computes the effect first,
// so that the event is written once, together with its order and its effect.
func storeAndApply(tx Tx, record Record, now time.Time) (Receipt, error) {
	stored, count, err := tx.Event(record.Event.OrderReference, record.ID)
	fresh := errors.Is(err, ErrNotFound)
	if err != nil && !fresh {
		return Receipt{}, err
	}
	order, err := tx.OrderOf(record.Event.OrderReference)
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		return Receipt{}, err
	case !fresh:
		return storeAgain(tx, order, stored, now)
	case err != nil:
		return storeUnmatched(tx, record, count)
	}
	// If an order seems newer than an event that has just arrived, the clock was set back after the
	// order was made.
	if order.madeAfter(record.ReceivedAt) && now.Sub(record.ReceivedAt) <= ClockGrace {
		record.ReceivedAt = order.CreatedAt
	}
	applied, effect, err := apply(tx, order, record)
	if err != nil {
		return Receipt{}, err
	}
	receipt := receiptOf(order, applied, effect)
	if receipt.Proven == 0 && count >= MaxEventsPerReference {
		return Receipt{Effect: Dropped, Status: order.Status}, nil
	}
	record.Order, record.Effect = order.Reference, effect
	if err := tx.InsertEvent(record); err != nil {
		return Receipt{}, err
	}
	_, err = settle(tx, order, applied, now)
	return receipt, err
}

// storeAgain counts another delivery of a stored event. If the event is still unmatched, because it
// came before the order had its order reference, storeAgain applies it to the order. order is the
// zero value if no order matches.
func storeAgain(tx Tx, order Order, stored Record, now time.Time) (Receipt, error) {
	waits := stored.Effect == Unmatched || stored.Effect == Reviewed
	err := tx.InsertEvent(stored)
	switch {
	case err != nil:
		return Receipt{}, err
	case waits && order.Reference == "":
		return Receipt{Effect: Unmatched}, nil
	case !waits:
		return Receipt{Effect: Duplicate, Status: order.Status}, nil
	}
	applied, effect, err := applyStored(tx, order, stored)
	if err == nil {
		_, err = settle(tx, order, applied, now)
	}
	return receiptOf(order, applied, effect), err
}

func receiptOf(before, after Order, effect Effect) Receipt {
	receipt := Receipt{Effect: effect, Status: after.Status}
	if after.Paid() && !before.Paid() {
		receipt.Proven = before.Amount
		receipt.Order = before.Reference
	}
	return receipt
}

// storeUnmatched stores an event without an order. count is how many events of its order reference
// are stored.
func storeUnmatched(tx Tx, record Record, count int) (Receipt, error) {
	if count >= MaxEventsPerReference {
		return Receipt{Effect: Dropped}, nil
	}
	if err := tx.InsertEvent(record); err != nil {
		return Receipt{}, err
	}
	if dropped, err := tx.TrimUnmatchedEvents(MaxUnmatched, MaxUnmatchedBytes); dropped > 0 || err != nil {
		return Receipt{Effect: Dropped}, err
	}
	return Receipt{Effect: Unmatched}, nil
}

// Match sets the order reference that a person found for an order of unknown outcome, and applies
// the stored events with it. It returns [ErrNotFound], [ErrNotMatchable], [ErrInvalidReference] for
// a blank order reference, [ErrOrderReferenceTaken] and the errors of a [staff.Identity].
func (s *Service) Match(ctx context.Context, reference, orderReference string, who staff.Identity) error {
	if strings.TrimSpace(orderReference) == "" {
		return ErrInvalidReference
	}
	return s.Guarded(ctx, who, func(tx Tx, _ staff.Cashier) error {
		order, err := tx.Order(reference)
		if err != nil {
			return err
		}
		order = s.at(order, s.now())
		if order.Status != StatusUnknown || order.OrderReference != "" && order.OrderReference != orderReference {
			return ErrNotMatchable
		}
		order.OrderReference = orderReference
		_, err = saveMatched(tx, order, s.now())
		return err
	})
}

// Review marks an unmatched event as reviewed, so that [Record.Orphan] becomes false. The event can
// still be matched to an order later. Review does nothing to an event that belongs to an order. It
// returns the errors of a [staff.Identity].
func (s *Service) Review(ctx context.Context, event Record, who staff.Identity) error {
	return s.Guarded(ctx, who, func(tx Tx, _ staff.Cashier) error {
		waiting, err := tx.UnmatchedEvents(event.Event.OrderReference)
		if err != nil {
			return err
		}
		for _, record := range waiting {
			if record.ID == event.ID && record.Effect == Unmatched {
				record.Effect = Reviewed
				return tx.SaveEvent(record)
			}
		}
		return nil
	})
}

// saveMatched saves an order that just got its order reference, and applies the earlier events with
// this order reference, in order of arrival. It returns the order with the changes by these events.
func saveMatched(tx Tx, order Order, now time.Time) (Order, error) {
	waiting, err := tx.UnmatchedEvents(order.OrderReference) // Read before the write, so that the write can be sent together with later statements.
	if err != nil {
		return order, err
	}
	if err := tx.SaveOrder(order); err != nil || len(waiting) == 0 {
		return order, err // After ErrOrderReferenceTaken, no event may change.
	}
	applied := order
	for _, record := range waiting {
		if applied, _, err = applyStored(tx, applied, record); err != nil {
			return order, err
		}
	}
	return settle(tx, order, applied, now)
}

// applyStored applies a stored event to its order. It saves the event, but not the order. The event
// counts as received at its time of arrival, so that waiting for the order does not make a payment
// late.
func applyStored(tx Tx, order Order, record Record) (Order, Effect, error) {
	applied, effect, err := apply(tx, order, record)
	if err != nil {
		return order, "", err
	}
	record.Order, record.Effect = order.Reference, effect
	return applied, effect, tx.SaveEvent(record)
}

func apply(tx Tx, order Order, record Record) (Order, Effect, error) {
	var named Order
	reference, another := record.Event.Names(order)
	if another && record.Event.Kind == PaymentSuccess {
		found, err := tx.Order(reference)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return order, "", err
		}
		named = found
	}
	applied, effect := order.Apply(record.Event, named, record.ReceivedAt)
	return applied, effect, nil
}

// settle saves a changed order and the orders that [Settle] changes with it. It also posts the
// money that the change moved to the payment service or back.
func settle(tx Tx, before, after Order, now time.Time) (Order, error) {
	siblings, taken, err := ReadSale(tx, after.Sale, after.Reference)
	if err != nil {
		return after, err
	}
	if after, err = checkDebt(tx, before, after); err != nil {
		return after, err
	}
	settled := Settle(before, after, siblings, taken)
	for _, order := range settled {
		if err := tx.SaveOrder(order); err != nil {
			return after, err
		}
	}
	return settled[0], post(tx, before, after, now)
}

// ReadSale returns the orders of a sale, except the one with the reference except, and what was
// taken at the counter for the sale.
func ReadSale(tx Tx, id, except string) (orders []Order, taken Taken, err error) {
	if orders, err = tx.Siblings(id); err == nil {
		taken, err = tx.Taken(id)
	}
	return slices.DeleteFunc(orders, func(order Order) bool { return order.Reference == except }), taken, err
}
