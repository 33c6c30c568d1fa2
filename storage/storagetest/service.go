package storagetest

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"

	"checkout/till/payments"
)

func serviceTests() []test {
	return []test{
		{"W1 stores a success and the order is paid", serviceSuccess},
		{"W2 sets the mapped status from every status", statusMatrix},
		{"W3 stores an unknown kind and leaves the order", unknownKind},
		{"W11 keeps an event of an unknown order", keepsUnknown},
		{"W12 applies what came before the answer to the order call", appliesBacklog},
		{"W14 applies 50 equal events that come at once a single time", equalAtOnce},
		{"W14 applies them a single time when two processes receive them", equalInTwo},
		{"P1 applies different events of one order that come at once, each a single time", differentAtOnce},
		{"W31 leaves a sale paid when its older order expires", olderExpires},
	}
}

func serviceSuccess(t *testing.T, open Opener) {
	s := newShop(open(t))
	order := s.charge(t, "sale")
	receipt := s.receive(t, event(payments.PaymentSuccess, order, "x"))
	expect(t, "receipt", receipt, payments.Receipt{Outcome: payments.Applied, Status: payments.StatusSuccess})
	check(t, "close", s.store.Close())
	again := open(t)
	stored, events := read(t, again, order.OrderReference)
	expect(t, "paid at", stored.Facts.PaidAt, opening())
	expect(t, "events", len(events), 1)
	expect(t, "body", events[0].BodySHA256, sha256.Sum256(body(events[0].Event)))
}

func statusMatrix(t *testing.T, open Opener) {
	s := newShop(open(t))
	kinds := payments.EventKinds()
	from := append([]payments.EventKind{""}, kinds...)
	for _, before := range from {
		for _, kind := range kinds {
			order := s.charge(t, fmt.Sprint(before, kind))
			if before != "" {
				s.receive(t, event(before, order, "first"))
			}
			receipt := s.receive(t, event(kind, order, "second"))
			want, _ := kind.Status()
			stored, events := read(t, s.store, order.Reference)
			what := fmt.Sprintf("%s after %q", kind, before)
			expect(t, what+": receipt", receipt.Status, want)
			expect(t, what+": stored", stored.Status, want)
			expect(t, what+": last event", events[len(events)-1].Event.Kind, kind)
		}
	}
}

func unknownKind(t *testing.T, open Opener) {
	s := newShop(open(t))
	order := s.charge(t, "sale")
	receipt := s.receive(t, event("payment.refunded", order, "x"))
	expect(t, "receipt", receipt, payments.Receipt{Outcome: payments.Unchanged, Status: payments.StatusPending})
	stored, events := read(t, s.store, order.Reference)
	expect(t, "order", stored, order)
	expect(t, "events", len(events), 1)
}

// early is an event of an order that the payment service will name REF_early.
func early(kind payments.EventKind, text string) payments.Event {
	order := numbered(0)
	order.OrderReference = "REF_early"
	return event(kind, order, text)
}

func keepsUnknown(t *testing.T, open Opener) {
	s := newShop(open(t))
	for count := int64(1); count < 4; count++ {
		receipt := s.receive(t, early(payments.PaymentSuccess, "x"))
		expect(t, "receipt", receipt, payments.Receipt{Outcome: payments.NoSuchOrder})
		kept, err := s.Unmatched(t.Context(), 10)
		check(t, "unmatched", err)
		expect(t, "kept", len(kept), 1)
		expect(t, "deliveries", kept[0].Count, count)
	}
}

func appliesBacklog(t *testing.T, open Opener) {
	s := newShop(open(t))
	s.receive(t, early(payments.PaymentFailed, "first"))
	s.receive(t, early(payments.PaymentSuccess, "second"))
	s.answer = func(payments.Order) (payments.Created, error) { return created("REF_early"), nil }
	order := s.charge(t, "sale")
	expect(t, "status", order.Status, payments.StatusSuccess)
	expect(t, "paid", order.Paid(), true)
	_, events := read(t, s.store, order.Reference)
	expect(t, "events", len(events), 2)
	for i, kind := range []payments.EventKind{payments.PaymentFailed, payments.PaymentSuccess} {
		expect(t, "kind", events[i].Event.Kind, kind)
		expect(t, "outcome", events[i].Outcome, payments.Applied)
	}
	left, err := s.Unmatched(t.Context(), 10)
	check(t, "unmatched", err)
	expect(t, "left", len(left), 0)
	receipt := s.receive(t, early(payments.PaymentSuccess, "second"))
	expect(t, "again", receipt, payments.Receipt{Outcome: payments.Duplicate, Status: payments.StatusSuccess})
}

// deliver lets services receive events at once and returns how often each
// outcome came.
func deliver(t *testing.T, shops []*shop, events []payments.Event) map[payments.Outcome]int {
	t.Helper()
	var (
		mu       sync.Mutex
		group    sync.WaitGroup
		outcomes = map[payments.Outcome]int{}
	)
	for i, e := range events {
		group.Go(func() {
			receipt, err := shops[i%len(shops)].Receive(t.Context(), e, body(e))
			if err != nil {
				t.Errorf("receive: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[receipt.Outcome]++
		})
	}
	group.Wait()
	return outcomes
}

// repeat returns count times the same event.
func repeat(e payments.Event, count int) []payments.Event {
	events := make([]payments.Event, count)
	for i := range events {
		events[i] = e
	}
	return events
}

func equalAtOnce(t *testing.T, open Opener) {
	s := newShop(open(t))
	expectOneOf(t, []*shop{s}, s.charge(t, "sale"))
}

func equalInTwo(t *testing.T, open Opener) {
	one, two := newShop(open(t)), newShop(open(t))
	expectOneOf(t, []*shop{one, two}, one.charge(t, "sale"))
}

// expectOneOf delivers 50 equal events of an order and expects one to count.
func expectOneOf(t *testing.T, shops []*shop, order payments.Order) {
	t.Helper()
	outcomes := deliver(t, shops, repeat(event(payments.PaymentSuccess, order, "x"), 50))
	expect(t, "outcomes", outcomes, map[payments.Outcome]int{payments.Applied: 1, payments.Duplicate: 49})
	for _, other := range shops[1:] { // Another process's counts are seen at its next commit, or its end.
		check(t, "close", other.store.Close())
	}
	stored, events := read(t, shops[0].store, order.Reference)
	expect(t, "status", stored.Status, payments.StatusSuccess)
	expect(t, "attention", len(stored.Facts.Attention), 0)
	expect(t, "events", len(events), 1)
	expect(t, "deliveries", events[0].Count, int64(50))
}

func differentAtOnce(t *testing.T, open Opener) {
	s := newShop(open(t))
	order := s.charge(t, "sale")
	var all []payments.Event
	for i := range 20 {
		for _, kind := range payments.EventKinds() {
			all = append(all, event(kind, order, fmt.Sprint(i)))
		}
	}
	outcomes := deliver(t, []*shop{s}, all)
	expect(t, "duplicates", outcomes[payments.Duplicate], 0)
	stored, events := read(t, s.store, order.Reference)
	expect(t, "events", len(events), len(all))
	last, _ := events[len(events)-1].Event.Kind.Status()
	expect(t, "status is the last event's", stored.Status, last)
	expect(t, "paid", stored.Paid(), true)
}

func olderExpires(t *testing.T, open Opener) {
	s := newShop(open(t))
	older, newer := s.charge(t, "sale"), s.charge(t, "sale")
	s.receive(t, event(payments.PaymentSuccess, newer, "x"))
	s.receive(t, event(payments.PaymentExpired, older, "x"))
	paid, _ := read(t, s.store, newer.Reference)
	expired, _ := read(t, s.store, older.Reference)
	expect(t, "the newer", paid.Verdict(payments.Conditions{}, opening()), payments.VerdictPaid)
	expect(t, "the older", expired.Status, payments.StatusExpired)
}
