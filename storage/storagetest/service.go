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
		{"W12 applies what came before the answer to the order call", appliesBacklog},
		{"W14 applies 50 equal events that come at once a single time", equalAtOnce},
		{"W14 applies them a single time when two processes receive them", equalInTwo},
		{"P1 applies different events of one order that two processes receive at once, each a single time", differentAtOnce},
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

// early is an event of an order that the payment service will name REF_early.
func early(kind payments.EventKind, text string) payments.Event {
	order := numbered(0)
	order.OrderReference = "REF_early"
	return event(kind, order, text)
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
	left := unmatched(t, s.store, 10)
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
	s, other := newShop(open(t)), newShop(open(t))
	order := s.charge(t, "sale")
	var all []payments.Event
	for i := range 20 {
		for _, kind := range payments.EventKinds() {
			all = append(all, event(kind, order, fmt.Sprint(i)))
		}
	}
	outcomes := deliver(t, []*shop{s, other}, all)
	expect(t, "duplicates", outcomes[payments.Duplicate], 0)
	stored, events := read(t, s.store, order.Reference)
	expect(t, "events", len(events), len(all))
	last, _ := events[len(events)-1].Event.Kind.Status()
	expect(t, "status is the last event's", stored.Status, last)
	expect(t, "paid", stored.Paid(), true)
}
