package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Checkout creates an order and asks the service for its link, once. The order
// is on disk before the call goes out, and stays there whatever comes back.
//
// The error is nil when the service took the order. A [*Refusal] and an error that
// wraps [ErrNotSent] or [ErrAmbiguous] come with the order as it was stored; any
// other error says that no order was made, or that the store failed.
//
// One sale makes one order, unless the cashier was asked. [ErrUnderWay] says
// that an order of the sale is being made; an [*AlreadyPaidError] that one is
// paid, unless terms.DespitePaid; a [*StillPayableError] that the customer can
// still pay one, unless terms.DespitePayable. Then no order was made.
//
// While a payment would not be seen it makes no order and returns an [*UnseenError];
// see [WithReach].
//
// A blank terms.Reference is made from the till, the day and a counter. When
// terms name the reference of an order that was not sent, has the same items
// and was not resolved, that order is sent again; any other order's reference
// is refused with [ErrReferenceTaken].
func (s *Service) Checkout(ctx context.Context, terms Terms) (Order, error) {
	if reach := s.reach(); reach.Blind() {
		return Order{}, &UnseenError{reach}
	}
	order, err := s.prepare(ctx, terms)
	if err != nil {
		return Order{}, err
	}
	sent := s.now()
	created, callErr := s.gateway.Create(ctx, order)
	// The answer must reach the disk even when the cashier left meanwhile.
	ctx = context.WithoutCancel(ctx)
	if err := s.storeAnswer(ctx, order.Reference, sent, created, callErr); err != nil {
		s.unstored.Store(order.Reference, true)
		return order, fmt.Errorf("store the answer for order %s: %w", order.Reference, err)
	}
	stored, _, err := s.store.Order(ctx, order.Reference)
	if err != nil {
		return order, fmt.Errorf("read order %s: %w", order.Reference, err)
	}
	switch {
	case errors.As(callErr, new(*Refusal)), errors.Is(callErr, ErrNotSent):
		return stored, callErr
	case stored.Status == StatusUnknown:
		return stored, fmt.Errorf("%w: %s", ErrAmbiguous, stored.Error)
	}
	if s.drafts != s.store {
		// The order stands whatever becomes of this: Recover makes up for it.
		_ = dropSale(ctx, s.drafts, stored.Sale)
	}
	return stored, nil
}

// AlreadyPaidError says that an order of the sale is paid, or was marked paid.
type AlreadyPaidError struct {
	Order Order // The paid one, without its items.
}

// Error names the order.
func (e *AlreadyPaidError) Error() string {
	return "the sale is paid already, by order " + e.Order.Reference
}

// StillPayableError says that the customer can still pay another order of the
// sale. A link cannot be cancelled.
type StillPayableError struct {
	Order Order // The payable one, without its items.
}

// Error names the order and the end of its link.
func (e *StillPayableError) Error() string {
	return "order " + e.Order.Reference + " of the sale can still be paid until " + e.Order.Link.ExpiresAt.Format(time.RFC3339)
}

// checkSiblings returns why the sale of an order makes no further one. The link of
// an answer that could not be stored was shown to nobody.
func (s *Service) checkSiblings(tx Tx, order Order, terms Terms, now time.Time) error {
	siblings, err := siblingsOf(tx, order)
	if err != nil {
		return err
	}
	for _, sibling := range siblings {
		_, unstored := s.unstored.Load(sibling.Reference)
		switch {
		case sibling.Status == StatusCreating && !sibling.Facts.NotSent && !unstored && now.Before(sibling.CreatedAt.Add(OrphanGrace)):
			return ErrUnderWay
		case (sibling.Paid() || sibling.markedPaid()) && !terms.DespitePaid:
			return &AlreadyPaidError{Order: sibling}
		}
	}
	for _, sibling := range siblings {
		if sibling.Payable(now) && !terms.DespitePayable {
			return &StillPayableError{Order: sibling}
		}
	}
	return nil
}

// prepare writes the order that is about to be sent and returns it.
func (s *Service) prepare(ctx context.Context, terms Terms) (Order, error) {
	if terms.Reference != "" {
		earlier, _, err := s.store.Order(ctx, terms.Reference)
		if err == nil {
			return s.resend(ctx, earlier, terms)
		}
		if !errors.Is(err, ErrNotFound) {
			return Order{}, err
		}
	}
	var order Order
	err := s.store.Update(ctx, func(tx Tx) (err error) {
		now, fresh := s.now(), terms
		if fresh.Reference == "" {
			if fresh.Reference, err = s.nextReference(tx, fresh.Till, now); err != nil {
				return err
			}
		}
		if order, err = NewOrder(fresh, now); err != nil {
			return err
		}
		if err := s.checkSiblings(tx, order, terms, now); err != nil {
			return err
		}
		if err := tx.InsertOrder(order); err != nil {
			return err
		}
		for _, item := range order.Items {
			if err := tx.Sales().CountUse(item.Label); err != nil {
				return err
			}
		}
		return nil
	})
	return order, err
}

// resend prepares an order that was not sent for another call.
func (s *Service) resend(ctx context.Context, order Order, terms Terms) (Order, error) {
	wanted, err := NewOrder(terms, s.now())
	if err != nil {
		return Order{}, err
	}
	if order.Amount != wanted.Amount || order.Description != wanted.Description || !slices.Equal(order.Items, wanted.Items) {
		return Order{}, ErrReferenceTaken
	}
	reference, items := order.Reference, order.Items
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		// Read again: of two calls for the same order only one may go out.
		if order, err = tx.Order(reference); err != nil {
			return err
		}
		if !order.Facts.NotSent || order.Status != StatusCreating || order.resolved() {
			return ErrReferenceTaken
		}
		if err := s.checkSiblings(tx, order, terms, s.now()); err != nil {
			return err
		}
		order.Facts.NotSent, order.Error = false, ""
		return tx.SaveOrder(order)
	})
	order.Items = items
	return order, err
}

// nextReference takes the next number of the till's day that no order has.
func (s *Service) nextReference(tx Tx, till string, now time.Time) (string, error) {
	series := Reference(till, now, 0)
	for {
		number, err := tx.Sales().NextNumber(series)
		if err != nil {
			return "", err
		}
		reference := Reference(till, now, number)
		if _, err = tx.Order(reference); errors.Is(err, ErrNotFound) {
			return reference, nil
		} else if err != nil {
			return "", err
		}
	}
}

// storeAnswer stores what came back of an order call, and applies the events that
// came before the answer. The link's time runs from the moment of sending, which is
// earlier than the service's own and so never too long.
func (s *Service) storeAnswer(ctx context.Context, reference string, sent time.Time, created Created, callErr error) error {
	err := s.store.Update(ctx, func(tx Tx) error {
		order, err := tx.Order(reference)
		if err != nil {
			return err
		}
		if order.Status != StatusCreating && order.Status != StatusUnknown {
			return nil
		}
		if callErr != nil {
			return tx.SaveOrder(order.fail(callErr))
		}
		order.Status, order.Error, order.OrderReference = StatusPending, "", created.OrderReference
		order.Link = Link{
			URL:       created.CheckoutURL,
			ExpiresAt: sent.Add(time.Duration(created.ExpiresMinutes) * time.Minute).Round(0).UTC(),
			Assumed:   created.Assumed,
		}
		if err := s.saveMatched(tx, order); err != nil {
			return err
		}
		return tx.Sales().DropSale(order.Sale)
	})
	if errors.Is(err, ErrOrderReferenceTaken) {
		return s.storeAnswer(ctx, reference, sent, Created{}, err)
	}
	return err
}

// fail returns the order after a call that gave no link. An
// unknown outcome is news, also after a crash in the middle of the call.
func (o Order) fail(callErr error) Order {
	var refusal *Refusal
	switch {
	case errors.As(callErr, &refusal):
		o.Status, o.Error = StatusRejected, Clean(refusal.Message, MaxShownWidth)
	case errors.Is(callErr, ErrNotSent):
		o.Status, o.Facts.NotSent = StatusCreating, true
		o.Error = Clean(callErr.Error(), MaxShownWidth)
	default:
		o.Status, o.Error = StatusUnknown, Clean(callErr.Error(), MaxShownWidth)
		o.Facts.Acknowledged = false
	}
	return o
}

// Reference makes a shop's reference of a till, a local day and a number, as
// in T1-20261121-0007. The till's name keeps its letters and digits.
func Reference(till string, day time.Time, number int64) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return -1
	}, till)
	if name == "" {
		name = "T"
	}
	return fmt.Sprintf("%.20s-%s-%04d", name, day.Format("20060102"), number)
}
