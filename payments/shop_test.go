package payments_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// opening is the time at the beginning of every test.
func opening() time.Time { return time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC) }

// shop is a Service on a SQLite database. The test controls the clock and the answers of
// the payment service.
type shop struct {
	*payments.Service
	store  *store
	now    time.Time
	answer func(order payments.Order) (payments.Created, error)
	asked  []payments.Order
}

func newShop(t testing.TB) *shop {
	t.Helper()
	s := &shop{store: openStore(t), now: opening()}
	s.answer = func(payments.Order) (payments.Created, error) {
		return created(fmt.Sprintf("REF_%d", 700_000+len(s.asked))), nil
	}
	s.Service = payments.New(s.store, s, s.clock, payments.WithTag("GT"))
	return s
}

// clock is the clock of the service. It returns the time that the test has set in now.
func (s *shop) clock() time.Time { return s.now.In(time.FixedZone("EAT", 3*60*60)) }

// Create records the order and returns the answer that the test has set.
func (s *shop) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	s.asked = append(s.asked, order)
	return s.answer(order)
}

func created(orderReference string) payments.Created {
	return payments.Created{
		OrderReference: orderReference,
		CheckoutURL:    "https://pay.example/" + orderReference,
		ExpiresMinutes: 10,
	}
}

// terms returns the terms of an order of 9000 Ar.
func terms(sale string) payments.Terms {
	return payments.Terms{Sale: sale, Till: "T1", Items: []payments.Item{
		{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1},
	}}
}

// charge creates an order, although there may be objections. The test fails unless the service
// accepts the order.
func (s *shop) charge(t testing.TB, sale string) payments.Order {
	t.Helper()
	return s.checkout(t, again(terms(sale)))
}

// checkout creates an order with these terms, which the service accepts.
func (s *shop) checkout(t testing.TB, terms payments.Terms) payments.Order {
	t.Helper()
	order, err := s.Checkout(t.Context(), terms)
	must(t, err)
	return order
}

// objected checks that an error is an objection of a kind, and returns the objection.
func objected(t testing.TB, err error, want payments.ObjectionKind) payments.Objection {
	t.Helper()
	objection, is := errors.AsType[*payments.Objection](err)
	if !is || objection.Kind != want {
		t.Fatalf("got %v, want the objection %s", err, want)
	}
	return *objection
}

// again returns terms in which the cashier has confirmed every objection.
func again(terms payments.Terms) payments.Terms {
	terms.Despite = []payments.ObjectionKind{payments.SalePaid, payments.SaleDoubtful, payments.SalePayable}
	return terms
}

// resolve records the finding of a person who has seen the current verdict of the order.
func (s *shop) resolve(t testing.TB, ref string, finding payments.Finding) (payments.Order, error) {
	t.Helper()
	order, _ := s.look(t, ref)
	finding.Seen = verdict(order, s.now)
	finding.Net = order.Net()
	return s.Resolve(t.Context(), ref, finding, staff.Identity{})
}

// Resolve checks the identity and records the finding, in one transaction.
func (s *shop) Resolve(ctx context.Context, ref string, finding payments.Finding, who staff.Identity) (order payments.Order, err error) {
	err = s.Guarded(ctx, who, func(tx payments.Tx, by staff.Cashier) error { return s.ResolveIn(tx, ref, finding, by) })
	if err == nil {
		order, _, err = s.Order(ctx, ref)
	}
	return order, err
}

// area is the account that a refund in the merchant area comes from, and drawer that of a refund in
// cash.
const (
	area   = ledger.Service
	drawer = ledger.Account("drawer/T1")
)

// refund refunds an order, for a person who has seen what is left.
func (s *shop) refund(t testing.TB, ref string, from ledger.Account, amount money.Ariary) error {
	t.Helper()
	order, _ := s.look(t, ref)
	return s.refundSeen(t, ref, from, amount, order.Net())
}

// refundSeen refunds an order, for a person who has seen the money net for it.
func (s *shop) refundSeen(t testing.TB, ref string, from ledger.Account, amount, net money.Ariary) error {
	t.Helper()
	order, _, _ := s.store.Store.Order(t.Context(), ref) // Without an order, RefundIn fails.
	return s.store.Update(t.Context(), func(tx payments.Tx) error {
		return s.RefundIn(tx, ledger.Transfer{
			At: s.now, Booked: s.now, Kind: ledger.Refund, From: from, To: order.PaidFor(), Amount: amount, Till: "T1", By: "Soa", Note: "broken",
			Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: ref},
		}, false, net)
	})
}

// takeBack takes back the last refund of an order that was not taken back yet.
func (s *shop) takeBack(t testing.TB, ref string) error {
	t.Helper()
	order, _ := s.look(t, ref)
	if refund, is := order.LastRefund(); is {
		return s.takeBackIn(t, refund)
	}
	return nil
}

func (s *shop) takeBackIn(t testing.TB, back ledger.Transfer) error {
	t.Helper()
	back.At, back.Booked, back.Note = s.now, s.now, "a mistake"
	back.Corrects = back.ID
	back.From, back.To = back.To, back.From
	return s.store.Update(t.Context(), func(tx payments.Tx) error { return s.TakeBackIn(tx, back) })
}

// lose creates an order of unknown outcome.
func (s *shop) lose(t testing.TB, sale string) payments.Order {
	t.Helper()
	answer := s.answer
	defer func() { s.answer = answer }()
	s.answer = ambiguous
	order, err := s.Checkout(t.Context(), again(terms(sale)))
	if !errors.Is(err, payments.ErrAmbiguous) {
		t.Fatalf("checkout: %v, want an unknown outcome", err)
	}
	return order
}

func (s *shop) receive(t testing.TB, event payments.Event) payments.Receipt {
	t.Helper()
	receipt, err := s.Receive(t.Context(), event, []byte("{}"))
	must(t, err)
	return receipt
}

// fill stores unmatched events in one transaction.
func (s *shop) fill(t testing.TB, events []payments.Event) {
	t.Helper()
	err := s.store.Store.Update(t.Context(), func(tx payments.Tx) error {
		for _, event := range events {
			record := payments.Record{
				Event: event, ID: event.ID(), Effect: payments.Unmatched, ReceivedAt: s.now, Count: 1,
			}
			if err := tx.InsertEvent(record); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
}

// save stores an order directly, without the rules of [payments.Service].
func (s *shop) save(t testing.TB, order payments.Order) {
	t.Helper()
	must(t, s.store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveOrder(order) }))
}

func (s *shop) look(t testing.TB, ref string) (payments.Order, []payments.Record) {
	t.Helper()
	order, records, err := s.Order(t.Context(), ref)
	must(t, err)
	return order, records
}

// event returns an event with the order's amount and currency. text makes it differ from
// other events of its kind.
func event(kind payments.EventKind, order payments.Order, text string) payments.Event {
	e := payments.Event{
		Kind: kind, OrderReference: order.OrderReference,
		Reference: payments.TextValue(order.Reference), Amount: payments.AmountValue(order.Amount),
		Currency: payments.TextValue(payments.Currency), Description: payments.TextValue(order.Description),
	}
	if kind == payments.PaymentSuccess {
		e.Description = payments.TextValue(text)
	} else {
		e.Error = payments.TextValue(text)
	}
	return e
}

// pending returns an order with a link that is valid for ten minutes from opening.
func pending() payments.Order {
	return payments.Order{
		Reference: "T1-20261121-0001", Sale: "S1", Till: "T1", Amount: 9000, CreatedAt: opening(),
		OrderReference: "REF_700001", Status: payments.StatusPending,
		Link:  payments.Link{URL: "https://pay.example/1", ExpiresAt: opening().Add(10 * time.Minute)},
		Facts: payments.Facts{Acknowledged: true},
	}
}

// after returns the order after events of these kinds, a second apart, each with another text.
func after(order payments.Order, kinds ...payments.EventKind) payments.Order {
	for i, kind := range kinds {
		at := opening().Add(time.Duration(i) * time.Second)
		order, _ = order.Apply(event(kind, order, fmt.Sprint("text ", i)), payments.Order{}, at)
	}
	return order
}

// verdict returns an order's verdict while the database and the listener work.
func verdict(order payments.Order, now time.Time) payments.Verdict {
	return order.Verdict(payments.Conditions{}, now)
}

// failure returns the error of a call, without its other result.
func failure[T any](_ T, err error) error { return err }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustFail checks an error with errors.Is. A nil want means no error.
func mustFail(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}
