package storagetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"checkout/till/payments"
)

func serviceTests() []test {
	return []test{
		{"W1 W12 stores a success, and applies what came before the answer to the order call", appliesBacklog},
		{"W14 applies 50 equal events that come at once a single time, in one process or in two", equalAtOnce},
		{"P1 applies different events of one order that two processes receive at once, each a single time", differentAtOnce},
		{"W32 keeps unmatched events bounded, and the success among them", boundedUnmatched},
		{"O8 gives an order whose order reference is another's an unknown outcome", referenceOfAnother},
		{"O15 makes references that never repeat, across tills, processes and restarts", references},
	}
}

// early is an event of an order that the payment service will name REF_early.
func early(kind payments.EventKind, text string) payments.Event {
	order := numbered(0)
	order.OrderReference = "REF_early"
	return event(kind, order, text)
}

func appliesBacklog(t *testing.T, db Database) {
	s := newShop(db.Open(t))
	s.receive(t, early(payments.PaymentFailed, "first"))
	s.receive(t, early(payments.PaymentSuccess, "second"))
	s.answer = func(payments.Order) (payments.Created, error) { return created("REF_early"), nil }
	order := s.charge(t, "sale")
	expect(t, "status", order.Status, payments.StatusSuccess)
	expect(t, "paid", order.Paid(), true)
	check(t, "close", s.store.Close())
	s = newShop(db.Open(t))
	stored, events := read(t, s.store, order.OrderReference)
	expect(t, "paid at", stored.Facts.PaidAt, opening())
	expect(t, "events", len(events), 2)
	for i, kind := range []payments.EventKind{payments.PaymentFailed, payments.PaymentSuccess} {
		expect(t, "kind", events[i].Event.Kind, kind)
		expect(t, "outcome", events[i].Outcome, payments.Applied)
		expect(t, "body", events[i].BodySHA256, sha256.Sum256(body(events[i].Event)))
	}
	left, err := s.store.Unmatched(t.Context(), 10)
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

func equalAtOnce(t *testing.T, db Database) {
	shops := []*shop{newShop(db.Open(t)), newShop(db.Open(t))}
	for processes := range shops {
		order := shops[0].charge(t, fmt.Sprint(processes))
		equal := slices.Repeat([]payments.Event{event(payments.PaymentSuccess, order, "x")}, 50)
		outcomes := deliver(t, shops[:1+processes], equal)
		expect(t, "outcomes", outcomes, map[payments.Outcome]int{payments.Applied: 1, payments.Duplicate: 49})
		stored, events := read(t, shops[0].store, order.Reference)
		expect(t, "status", stored.Status, payments.StatusSuccess)
		expect(t, "attention", len(stored.Facts.Attention), 0)
		expect(t, "events", len(events), 1)
		expect(t, "deliveries", events[0].Count, int64(50))
	}
}

func differentAtOnce(t *testing.T, db Database) {
	s, other := newShop(db.Open(t)), newShop(db.Open(t))
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

func boundedUnmatched(t *testing.T, db Database) {
	if testing.Short() {
		t.Skip("it stores many events")
	}
	s := newShop(db.Open(t))
	update(t, s.store, func(tx payments.Tx) error {
		for i := range payments.MaxUnmatched {
			kind := payments.PaymentExpired
			if i == 0 {
				kind = payments.PaymentSuccess
			}
			if _, _, err := tx.Events().Insert(record(stray(kind, fmt.Sprint(i)))); err != nil {
				return err
			}
		}
		return nil
	})
	for i := range 3 {
		s.receive(t, stray(payments.PaymentFailed, fmt.Sprint("later ", i)))
	}
	kept, err := s.store.Unmatched(t.Context(), 2*payments.MaxUnmatched)
	check(t, "unmatched", err)
	expect(t, "kept", len(kept), payments.MaxUnmatched)
	expect(t, "the newest", kept[1].Event.Description.Text, "later 2")
	oldest := kept[0].Event // A success that nobody looked at comes first.
	expect(t, "the oldest", oldest, stray(payments.PaymentSuccess, "0"))
	expect(t, "the next", kept[len(kept)-1].Event.Description.Text, "4")
}

// stray is an event of an order reference of its own, which no order has.
func stray(kind payments.EventKind, text string) payments.Event {
	e := early(kind, text)
	e.OrderReference = "REF_" + text
	return e
}

func referenceOfAnother(t *testing.T, db Database) {
	s := newShop(db.Open(t))
	first := s.charge(t, "first")
	s.answer = func(payments.Order) (payments.Created, error) { return created(first.OrderReference), nil }
	second, err := s.Checkout(t.Context(), terms("T1", "second"))
	if _, ambiguous := errors.AsType[*payments.AmbiguousError](err); !ambiguous {
		t.Fatalf("checkout: %v, want an unknown outcome", err)
	}
	stored, _ := read(t, s.store, second.Reference)
	expect(t, "status", stored.Status, payments.StatusUnknown)
	expect(t, "order reference", stored.OrderReference, "")
	expect(t, "link", stored.Link, payments.Link{})
	untouched, _ := read(t, s.store, first.OrderReference)
	expect(t, "the first", untouched, first)
}

func references(t *testing.T, db Database) {
	const tills, each = 5, 20
	var (
		mu   sync.Mutex
		seen = map[string]bool{}
	)
	for range 2 { // The second round is after a restart.
		shops := []*shop{newShop(db.Open(t)), newShop(db.Open(t))}
		var group sync.WaitGroup
		for i := range tills * each {
			group.Go(func() {
				// A till's number is taken by both processes.
				order, err := shops[i%2].Checkout(t.Context(), terms(fmt.Sprint("T", i/2%tills), fmt.Sprint("sale ", i)))
				mu.Lock()
				defer mu.Unlock()
				if err != nil || seen[order.Reference] {
					t.Errorf("reference %s, seen before: %v, error %v", order.Reference, seen[order.Reference], err)
				}
				seen[order.Reference] = true
			})
		}
		group.Wait()
		check(t, "close", errors.Join(shops[0].store.Close(), shops[1].store.Close()))
	}
	expect(t, "references", len(seen), 2*tills*each)
}
