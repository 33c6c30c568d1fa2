package payments

import (
	"cmp"
	"context"
	"crypto/rand"
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
// wraps [ErrNotSent] or [ErrAmbiguous] come with the order as it was stored; an
// [*UnstoredError] has what the service said. Any other error says that no order was
// made, or that the store failed.
//
// One sale makes one order, unless the cashier was asked. [ErrUnderWay] says
// that an order of the sale is being made; an [*Objection] that the cashier must
// be asked, unless terms.Despite says that this was done. Then no order was made.
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
		return order, order.unstored(sent, created, callErr, fmt.Errorf("store the answer for order %s: %w", order.Reference, err))
	}
	stored, _, err := s.store.Order(ctx, order.Reference)
	if err != nil {
		return order, order.unstored(sent, created, callErr, fmt.Errorf("read order %s: %w", order.Reference, err))
	}
	switch {
	case errors.As(callErr, new(*Refusal)), errors.Is(callErr, ErrNotSent):
		return stored, callErr
	case stored.Status == StatusUnknown:
		return stored, fmt.Errorf("%w: %s", ErrAmbiguous, stored.Reason.Error())
	}
	if s.drafts != s.store {
		// The order stands whatever becomes of this: Recover makes up for it.
		_ = dropSale(ctx, s.drafts, stored.Sale)
	}
	return stored, nil
}

// UnstoredError says that the service may have an order whose answer could not be stored
// or read back. It wraps [ErrAmbiguous] and the store's error.
type UnstoredError struct {
	Order Order // The order of unknown outcome, with the order reference and the link that the service gave.
	Err   error
}

// Error says that the outcome is unknown, and why.
func (e *UnstoredError) Error() string { return ErrAmbiguous.Error() + ": " + e.Err.Error() }

// Unwrap returns [ErrAmbiguous] and the store's error.
func (e *UnstoredError) Unwrap() []error { return []error{ErrAmbiguous, e.Err} }

// unstored returns the error of a call whose answer the store failed to keep. The order
// does not exist at the service after a refusal, or when nothing was sent.
func (o Order) unstored(sent time.Time, created Created, callErr, err error) error {
	if errors.As(callErr, new(*Refusal)) || errors.Is(callErr, ErrNotSent) {
		return err
	}
	o = o.fail(err)
	if callErr == nil {
		o.OrderReference, o.Link = created.OrderReference, created.link(sent)
	}
	return &UnstoredError{o, err}
}

// ObjectionKind is a reason not to charge a sale again before the cashier was asked.
type ObjectionKind string

// The objections.
const (
	SalePaid     ObjectionKind = "paid"     // There is proof, or a person found so.
	SaleDoubtful ObjectionKind = "doubtful" // A success or a finding is in doubt.
	SalePayable  ObjectionKind = "payable"  // A link lives. It cannot be cancelled.
)

// Objection says which order of a sale is the reason not to charge it again.
type Objection struct {
	Kind  ObjectionKind
	Order Order // Without its items.
}

// Error names the order.
func (o *Objection) Error() string {
	text := "order " + o.Order.Reference + " of the sale is " + string(o.Kind)
	if o.Kind == SalePayable {
		text += " until " + o.Order.Link.ExpiresAt.Format(time.RFC3339)
	}
	return text
}

// MayCharge returns nil if another order may be made of a sale that has these
// orders. It returns [ErrUnderWay] while one is being made, and otherwise the gravest
// [*Objection] that despite does not list. An order of unknown outcome is no
// objection: its link was shown to nobody.
func MayCharge(orders []Order, despite []ObjectionKind, now time.Time) error {
	for _, order := range orders {
		if order.Status == StatusCreating && !order.Facts.NotSent {
			return ErrUnderWay
		}
	}
	for _, kind := range []ObjectionKind{SalePaid, SaleDoubtful, SalePayable} {
		for _, order := range orders {
			if order.objects(now) == kind && !slices.Contains(despite, kind) {
				return &Objection{Kind: kind, Order: order}
			}
		}
	}
	return nil
}

// objects returns the order's reason not to charge its sale again, or "".
func (o Order) objects(now time.Time) ObjectionKind {
	switch {
	case o.Paid() && o.Received() > 0, o.resolved() && o.Finding.Kind == FoundPaid:
		return SalePaid
	case o.Contradicted(), o.Facts.SuccessSeen && !o.resolved():
		return SaleDoubtful
	case o.Live(now):
		return SalePayable
	}
	return ""
}

// checkSiblings returns why no further order of a sale is made. An order whose
// answer could not be stored is not waited for: its link was shown to nobody.
func (s *Service) checkSiblings(tx Tx, order Order, terms Terms, now time.Time) error {
	siblings, err := siblingsOf(tx, order)
	if err != nil {
		return err
	}
	siblings = slices.DeleteFunc(siblings, func(sibling Order) bool {
		_, unstored := s.unstored.Load(sibling.Reference)
		return unstored && sibling.Status == StatusCreating
	})
	return MayCharge(siblings, terms.Despite, now)
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
			if err := tx.CountUse(item.Label); err != nil {
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
	if !order.asksFor(wanted) {
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
		order.Facts.NotSent, order.Reason = false, Reason{}
		return tx.SaveOrder(order)
	})
	order.Items = items
	return order, err
}

// asksFor reports whether the order has the items and the description of another.
func (o Order) asksFor(wanted Order) bool {
	return o.Description == wanted.Description && slices.Equal(o.Items, wanted.Items)
}

// nextReference takes the next number of the till's day that no order has.
func (s *Service) nextReference(tx Tx, till string, now time.Time) (string, error) {
	today := Series(till, now)
	series, err := tx.LastSeries(strings.TrimRight(today, "0123456789"), today+".") // Bytewise, "." is after "-".
	switch {
	case err != nil:
		return "", err
	case series == "":
		series = Reference(today+s.tag(), 0)
	case !strings.HasPrefix(series, today):
		series = Reference(today, 0)
	}
	for {
		number, err := tx.NextNumber(series)
		if err != nil {
			return "", err
		}
		reference := Reference(series, number)
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
		order.Status = StatusPending
		order.Reason = Reason{}
		order.OrderReference = created.OrderReference
		order.Link = created.link(sent)
		if err := s.saveMatched(tx, order); err != nil {
			return err
		}
		return tx.DropSale(order.Sale)
	})
	if errors.Is(err, ErrOrderReferenceTaken) {
		return s.storeAnswer(ctx, reference, sent, Created{}, err)
	}
	return err
}

// link returns the link of an answer to a call that was sent at a moment.
func (c Created) link(sent time.Time) Link {
	ends := sent.Add(time.Duration(c.ExpiresMinutes) * time.Minute)
	return Link{URL: c.CheckoutURL, ExpiresAt: ends.Round(0).UTC(), Assumed: c.Assumed}
}

// fail returns the order after a call that gave no link. An
// unknown outcome is news, also after a crash in the middle of the call.
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

// Reference makes a shop's reference of a series and a number, as in T1-20261121-0007.
// The store counts a series under its reference of number 0, which stands for it here too.
func Reference(series string, number int64) string {
	return fmt.Sprintf("%s-%04d", strings.TrimSuffix(series, "-0000"), number)
}

// Series returns the series of a till's numbers on a local day, as in T1-20261121. The
// till's name keeps its letters and digits.
//
// A till's first series in a database ends in two random characters, so that a reference
// is one like T1-20261121-K7-0007: on that day another machine, or a disk that was lost,
// may have numbered orders under the till's name.
func Series(till string, day time.Time) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return -1
	}, till)
	return fmt.Sprintf("%.20s-%s", cmp.Or(name, "T"), day.Format("20060102"))
}

// randomTag returns the two random characters that end a till's first series.
func randomTag() string { return "-" + rand.Text()[:2] }
