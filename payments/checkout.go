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

// Checkout creates an order and asks the service once for its link. The order is stored
// before the call is sent, and is kept whatever the service answers.
//
// The error is nil when the service accepted the order. A [*Refusal] and an error that
// wraps [ErrNotSent] or [ErrAmbiguous] come with the order as it was stored; an
// [*UnstoredError] contains the order with the service's answer. Any other error says that
// no order was created, or that the store failed.
//
// A sale may have several orders. Checkout returns [ErrUnderWay] while another order of the
// sale is being created. It returns an [*Objection] if the sale may be paid twice and
// terms.Despite does not list the kind of objection. Both mean that no order was created.
//
// While a payment would not be seen, Checkout creates no order and returns an
// [*UnseenError]; see [WithReach].
//
// An empty terms.Reference is generated from the till, the day and a counter. A reference
// that already exists gives [ErrReferenceTaken], with one exception. If that order was not
// sent and not resolved, and has the same items and description, Checkout sends it again.
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
	// The answer must be stored even if ctx ends, for example because the cashier left the
	// screen.
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
		// An error here does not affect the order: Recover drops the sale later.
		_ = dropSale(ctx, s.drafts, stored.Sale)
	}
	return stored, nil
}

// UnstoredError says that the service may have the order, but its answer could not be
// stored or read back. It wraps [ErrAmbiguous] and the store's error.
type UnstoredError struct {
	Order Order // Outcome unknown; has the order reference and the link if the answer contained them.
	Err   error
}

func (e *UnstoredError) Error() string { return ErrAmbiguous.Error() + ": " + e.Err.Error() }

func (e *UnstoredError) Unwrap() []error { return []error{ErrAmbiguous, e.Err} }

// unstored returns the error for an answer that could not be stored. It returns err after a
// refusal, or if nothing was sent: then the service has no order. Otherwise it returns an
// [*UnstoredError].
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

// ObjectionKind is a reason to ask the cashier before a sale is charged again.
type ObjectionKind string

// The objections.
const (
	SalePaid     ObjectionKind = "paid"     // The order has proof of payment, or a person found it paid.
	SaleDoubtful ObjectionKind = "doubtful" // A success came without proof, or an event contradicts a person's finding.
	SalePayable  ObjectionKind = "payable"  // The customer can still pay by the order's link, which cannot be cancelled.
)

// Objection says that a sale may be paid twice if it is charged again. It names the order
// or the cash sale that is the reason.
type Objection struct {
	Kind  ObjectionKind
	Order Order  // Without its items; zero if Cash is the reason.
	Cash  string // Number of the cash sale that was made from the sale.
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

// MayCharge returns nil if a sale with these orders may be charged again, by a link or in
// cash. cash is the number of the cash sale that was made from the sale, or empty. MayCharge
// returns [ErrUnderWay] while an order is being created, otherwise the most serious
// [*Objection] that is not in despite. An order of unknown outcome is no objection: its link
// was never shown.
func MayCharge(orders []Order, cash string, despite []ObjectionKind, now time.Time) error {
	for _, order := range orders {
		if order.Status == StatusCreating && !order.Facts.NotSent {
			return ErrUnderWay
		}
	}
	if cash != "" && !slices.Contains(despite, SalePaid) {
		return &Objection{Kind: SalePaid, Cash: cash}
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

// objects returns why the order's sale should not be charged again, or "".
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

// checkSiblings returns why the sale may not have another order, or nil. It ignores orders
// without a stored answer of the service, because no customer has seen their links.
func (s *Service) checkSiblings(tx Tx, order Order, terms Terms, now time.Time) error {
	siblings, err := siblingsOf(tx, order)
	if err != nil {
		return err
	}
	siblings = slices.DeleteFunc(siblings, func(sibling Order) bool {
		_, unstored := s.unstored.Load(sibling.Reference)
		return unstored && sibling.Status == StatusCreating
	})
	cash, err := tx.CashTaken(order.Sale)
	if err != nil {
		return err
	}
	return MayCharge(siblings, cash, terms.Despite, now)
}

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
			if err := tx.CountUse(item.Article()); err != nil {
				return err
			}
		}
		return nil
	})
	return order, err
}

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
		// Read the order again: if two Checkouts resend it at the same time, only one may send
		// it.
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

func (o Order) asksFor(wanted Order) bool {
	return o.Description == wanted.Description && slices.Equal(o.Items, wanted.Items)
}

// nextReference returns the next free reference of the till for today. If the till has no
// reference in this database yet, nextReference adds random characters. They avoid a
// reference that another machine used; see [Series].
func (s *Service) nextReference(tx Tx, till string, now time.Time) (string, error) {
	today := Series(till, now)
	series, err := tx.LastSeries(strings.TrimRight(today, "0123456789"), today+".") // "." is the byte after "-", so the range includes today's series with random characters.
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

// StartSeries starts a new series of references for a till's day. After a restored backup,
// the earlier series would repeat the references of orders that the backup does not have.
func (s *Service) StartSeries(ctx context.Context, till string) error {
	now := s.now()
	return s.store.Update(ctx, func(tx Tx) error {
		// nextReference continues the series of the day that sorts last. The lower-case r of
		// this one sorts after the digits and capitals of the others.
		_, err := tx.NextNumber(Series(till, now) + now.Format("-r1504"))
		return err
	})
}

// storeAnswer stores the answer to an order call and applies the events that came before
// it. The link's lifetime starts when the call was sent, so it ends no later than at the
// service.
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

func (c Created) link(sent time.Time) Link {
	ends := sent.Add(time.Duration(c.ExpiresMinutes) * time.Minute)
	return Link{URL: c.CheckoutURL, ExpiresAt: ends.Round(0).UTC(), Assumed: c.Assumed}
}

// fail returns the order after a call that gave no link. If the outcome is unknown, the
// cashier must acknowledge the order, also after a crash during the call.
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

// Reference builds a reference from a series and a number, for example T1-20261121-0007.
// The store identifies a series by its reference with the number 0, for example
// T1-20261121-0000. Reference accepts that form as the series, too.
func Reference(series string, number int64) string {
	return fmt.Sprintf("%s-%04d", strings.TrimSuffix(series, "-0000"), number)
}

// Series returns the name of the series that numbers a till's references on a local day,
// for example T1-20261121.
//
// The first series of a till in a database ends in two random characters, as in
// T1-20261121-K7-0007. They avoid equal references if another machine, or a database that
// was lost, used the same till name on that day.
func Series(till string, day time.Time) string {
	return TillCode(till) + "-" + day.Format("20060102")
}

// TillCode returns the letters and digits of a till's name in upper case, at most 20, for
// references and numbers. It returns "T" for a name without them.
func TillCode(till string) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return -1
	}, till)
	return fmt.Sprintf("%.20s", cmp.Or(name, "T"))
}

func randomTag() string { return "-" + rand.Text()[:2] }
