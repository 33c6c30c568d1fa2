package payments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments/money"
)

// Checkout creates an order and calls the payment service once for the order's link. The order is
// stored before the call, and is kept whatever the service answers. With a [*Refusal], or an error
// that wraps [ErrNotSent] or [ErrAmbiguous], Checkout also returns the order.
//
// Checkout creates no order if
//   - the sale or the debt might be paid twice (see [Service.MayCharge]);
//   - the terms are invalid (see [NewOrder]);
//   - the payment would not be seen ([*UnseenError]);
//   - another till has the same [TillCode] ([*TillError]);
//   - the disk is nearly full ([ErrNoRoom]).
//
// If terms.Reference is empty, Checkout makes a new reference. A given reference must be unused
// ([ErrReferenceTaken]), and must not look like the number of a cash sale ([ErrCashReference]). One
// exception: if an order with this reference and the same content was never sent, Checkout sends
// that order.
func (s *Service) Checkout(ctx context.Context, terms Terms) (Order, error) {
	if reach := s.reach(); reach.Blind() {
		return Order{}, &UnseenError{reach}
	}
	order, err := s.prepare(ctx, terms)
	if errors.Is(err, ErrCommitUnknown) {
		s.unstored.Store(order.Reference, true)
		return order, order.unstored(Created{}, nil, fmt.Errorf("store order %s, which was not sent: %w", order.Reference, err))
	}
	if err != nil {
		return Order{}, err
	}
	s.unstored.Delete(order.Reference) // An earlier Checkout of this order may have added it.
	sent, begun := s.now(), s.stopwatch()
	created, callErr := s.gateway.Create(ctx, order)
	ctx = context.WithoutCancel(ctx) // Store the answer even if the cashier leaves the screen.
	stored, err := s.storeAnswer(ctx, order.Reference, sent, created, callErr)
	if err != nil {
		s.unstored.Store(order.Reference, true)
		return order, order.unstored(created, callErr, fmt.Errorf("store the answer for order %s: %w", order.Reference, err))
	}
	stored.Items = order.Items
	switch {
	case errors.As(callErr, new(*Refusal)), errors.Is(callErr, ErrNotSent):
		return stored, callErr
	case stored.Status == StatusUnknown:
		return stored, fmt.Errorf("%w: %s", ErrAmbiguous, stored.Reason.Error())
	}
	s.ends.Store(stored.Reference, begun+stored.Link.ExpiresAt.Sub(sent.Round(0)))
	if s.drafts != s.store {
		// Ignore an error: Recover drops the sale later.
		_ = dropSale(ctx, s.drafts, stored.Sale)
	}
	return stored, nil
}

// UnstoredError says that the store failed in a checkout, and that the outcome is unknown. It wraps
// [ErrAmbiguous] and Err.
type UnstoredError struct {
	Order Order // The order, with StatusUnknown and without a link. Its OrderReference is set only if the service accepted the order.
	Err   error
}

func (e *UnstoredError) Error() string { return ErrAmbiguous.Error() + ": " + e.Err.Error() }

func (e *UnstoredError) Unwrap() []error { return []error{ErrAmbiguous, e.Err} }

// unstored returns the error of a checkout after the store failed with err: err itself if callErr
// says that the service does not have the order, else an [*UnstoredError].
func (o Order) unstored(created Created, callErr, err error) error {
	if errors.As(callErr, new(*Refusal)) || errors.Is(callErr, ErrNotSent) {
		return err
	}
	o = o.fail(err)
	o.OrderReference = created.OrderReference
	return &UnstoredError{o, err}
}

// ObjectionKind is a reason to ask the cashier before a sale is charged again.
type ObjectionKind string

// The kinds of objections, the most serious first.
const (
	SalePaid     ObjectionKind = "paid"     // The shop has money for the sale.
	SaleDoubtful ObjectionKind = "doubtful" // A success came that is no proof of payment, or an event contradicts a person's decision.
	SalePayable  ObjectionKind = "payable"  // The link of an order may still be paid: see [Order.MayBePaid].
)

// Objection says that a sale or a debt may be paid twice if another payment is made.
type Objection struct {
	Kind  ObjectionKind
	Order Order  // The order that causes the objection; zero if Cash is set.
	Cash  string // Number of the cash sale that causes the objection; else empty.
}

func (o *Objection) Error() string {
	if o.Cash != "" {
		return "cash sale " + o.Cash + " was made from the sale"
	}
	text := "order " + o.Order.Reference + " of the sale is " + string(o.Kind)
	if o.Kind == SalePayable {
		text += " until " + o.Order.Link.ExpiresAt.Format(time.RFC3339)
	}
	return text
}

// MayCharge returns nil if terms may charge a sale that has these orders. taken is what was taken
// at the counter for the sale. The errors are:
//   - [ErrUnderWay] while an order of the sale is being created.
//   - [ErrOutdated] if terms pay the rest of the sale, and the shop has less money than
//     terms.Part.Taken.
//   - The most serious [*Objection] that terms.Despite does not list.
//
// Money that was given back does not count. An unknown outcome alone is no objection, because no
// customer saw the order's link. For a part of a sale, [SalePaid] and [SalePayable] are objections
// only if the shop could get more than the sale costs.
func MayCharge(orders []Order, taken Taken, terms Terms, now time.Time) error {
	net, live := taken.Net, money.Ariary(0)
	for _, order := range orders {
		if order.At(now).Sending() {
			return ErrUnderWay
		}
		net += order.Net()
		if order.MayBePaid(now) {
			live += order.Amount
		}
	}
	despite, due := slices.Clone(terms.Despite), terms.Due()
	total, _ := Total(terms.Items)
	part := terms.Part != (Part{})
	if net <= 0 || part && net+due <= total {
		despite = append(despite, SalePaid)
	}
	if part && net+live+due <= total {
		despite = append(despite, SalePayable)
	}
	if terms.Part.RestOf != "" && net < terms.Part.Taken {
		return ErrOutdated
	}
	cash := taken.Net > 0 && !slices.Contains(despite, SalePaid)
	if cash && taken.Net > terms.Part.Taken {
		return &Objection{Kind: SalePaid, Cash: taken.Number}
	}
	for _, kind := range []ObjectionKind{SalePaid, SaleDoubtful, SalePayable} {
		for _, order := range orders {
			if order.objects(now) == kind && !slices.Contains(despite, kind) {
				return &Objection{Kind: kind, Order: order}
			}
		}
		if cash && kind == SalePaid {
			return &Objection{Kind: SalePaid, Cash: taken.Number}
		}
	}
	return nil
}

// objects returns the kind of the objection to charging the order's sale again, or "".
func (o Order) objects(now time.Time) ObjectionKind {
	switch {
	case o.Net() > 0 && (o.Paid() || o.decided()):
		return SalePaid
	case o.Contradicted(), o.Facts.SuccessSeen && !o.decided():
		return SaleDoubtful
	case o.MayBePaid(now):
		return SalePayable
	}
	return ""
}

// MayCharge returns nil if terms may charge the sale with this ID, and the debt that terms pay. It
// leaves out the order with the reference except. The errors are those of the function [MayCharge]
// and, for a debt, an [*OwedError].
func (s *Service) MayCharge(tx Tx, sale, except string, terms Terms) error {
	orders, taken, err := ReadSale(tx, sale, except)
	if err != nil {
		return err
	}
	if err := s.mayCharge(orders, taken, terms); err != nil {
		return err
	}
	return s.mayPay(tx, terms)
}

// mayCharge calls the function [MayCharge] with the current time. The link of an order that this
// service created ends only when the wall clock and the stopwatch both say so, because the wall
// clock may have been set.
func (s *Service) mayCharge(orders []Order, taken Taken, terms Terms) error {
	now := s.now()
	orders = s.allAt(slices.Clone(orders), now)
	for i := range orders {
		ends, _ := s.ends.Load(orders[i].Reference)
		if ends, known := ends.(time.Duration); known {
			if byStopwatch := now.Add(ends - s.stopwatch()); byStopwatch.After(orders[i].Link.ExpiresAt) {
				orders[i].Link.ExpiresAt = byStopwatch
			}
		}
	}
	return MayCharge(orders, taken, terms, now)
}

func (s *Service) prepare(ctx context.Context, terms Terms) (order Order, err error) {
	var earlier Order
	if IsCashNumber(terms.Reference) {
		return Order{}, ErrCashReference
	}
	if terms.Reference != "" {
		earlier, _, err = s.store.Order(ctx, terms.Reference)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return Order{}, err
		}
	}
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		if earlier.Reference != "" {
			order, err = s.resend(tx, earlier, terms)
		} else {
			order, err = s.insert(tx, terms)
		}
		return err
	})
	return order, err
}

func (s *Service) insert(tx Tx, terms Terms) (Order, error) {
	if err := s.MayCharge(tx, terms.Sale, "", terms); err != nil {
		return Order{}, err
	}
	order, err := s.insertNumbered(tx, terms)
	for i := 0; err == nil && i < len(order.Items) && order.RestOf == ""; i++ {
		err = tx.CountUse(order.Items[i].Article())
	}
	return order, err
}

// insertNumbered stores a new order. If terms have no reference, the order gets the till's next
// unused order number.
func (s *Service) insertNumbered(tx Tx, terms Terms) (order Order, err error) {
	if terms.Reference != "" {
		if err := s.HoldTillIn(tx, terms.Till); err != nil {
			return Order{}, err
		}
		if order, err = NewOrder(terms, s.now()); err != nil {
			return Order{}, err
		}
		return order, tx.InsertOrder(order)
	}
	for {
		if terms.Reference, err = s.NextNumber(tx, OrderNumber, terms.Till); err != nil {
			return Order{}, err
		}
		if order, err = NewOrder(terms, s.now()); err != nil {
			return Order{}, err
		}
		if err = tx.InsertOrder(order); !errors.Is(err, ErrReferenceTaken) {
			return order, err
		}
	}
}

// resend marks an order that was never sent as being sent, and returns it. It reads the order in
// the transaction, so that only one of two concurrent checkouts sends it.
func (s *Service) resend(tx Tx, earlier Order, terms Terms) (Order, error) {
	now := s.now()
	wanted, err := NewOrder(terms, now)
	if err != nil {
		return Order{}, err
	}
	order, err := tx.Order(earlier.Reference)
	switch {
	case err != nil:
		return Order{}, err
	case !earlier.asksFor(wanted) || !order.Facts.NotSent || order.Status != StatusCreating || order.decided():
		return Order{}, ErrReferenceTaken
	}
	if err := s.MayCharge(tx, order.Sale, order.Reference, terms); err != nil {
		return Order{}, err
	}
	order.Items = earlier.Items
	order.Facts.NotSent = false
	order.SentAt = now.UTC()
	order.Reason = Reason{}
	return order, tx.SaveOrder(order)
}

func (o Order) asksFor(wanted Order) bool {
	return o.Description == wanted.Description && o.Amount == wanted.Amount && o.Debt == wanted.Debt && slices.Equal(o.Items, wanted.Items)
}

// storeAnswer stores the answer to an order call, and applies the events that arrived before it. It
// changes nothing if the order's status is neither creating nor unknown.
func (s *Service) storeAnswer(ctx context.Context, reference string, sent time.Time, created Created, callErr error) (stored Order, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		order, err := tx.Order(reference)
		stored = order
		if err != nil || order.Status != StatusCreating && order.Status != StatusUnknown {
			return err
		}
		if callErr != nil {
			stored = order.fail(callErr)
			return tx.SaveOrder(stored)
		}
		order.Status = StatusPending
		order.Reason = Reason{}
		order.OrderReference = created.OrderReference
		order.Link = created.link(sent)
		if stored, err = saveMatched(tx, order, s.now()); err != nil {
			return err
		}
		return tx.DropSale(order.Sale)
	})
	if errors.Is(err, ErrOrderReferenceTaken) {
		return s.storeAnswer(ctx, reference, sent, Created{}, err)
	}
	return stored, err
}

// link returns the order's link. Its lifetime counts from the start of the call: the service cannot
// have begun to count before.
func (c Created) link(sent time.Time) Link {
	ends := sent.Add(time.Duration(c.ExpiresMinutes) * time.Minute)
	return Link{URL: c.CheckoutURL, ExpiresAt: ends.Round(0).UTC(), Assumed: c.Assumed}
}

// fail returns the order after a call that gave no link. If it is unknown whether the service has
// the order, fail sets Acknowledged to false, so that the cashier must look at the order.
func (o Order) fail(callErr error) Order {
	o.Reason = reasonOf(callErr)
	switch {
	case errors.As(callErr, new(*Refusal)):
		o.Status = StatusRejected
	case errors.Is(callErr, ErrNotSent):
		o.Status, o.Facts.NotSent = StatusCreating, true
	default:
		o.Status, o.Facts.Acknowledged = StatusUnknown, false
	}
	return o
}
