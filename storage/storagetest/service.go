package storagetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"checkout/till/payments"
)

func serviceTests() []test {
	return []test{
		{"applies 50 equal concurrent events once, in one process or two", equalAtOnce},
		{"applies each of several concurrent events of one order once", differentAtOnce},
		{"makes unique references across tills, processes and restarts", references},
	}
}

func deliver(t *testing.T, shops []*shop, events []payments.Event) map[payments.Effect]int {
	t.Helper()
	var (
		mu      sync.Mutex
		group   sync.WaitGroup
		effects = map[payments.Effect]int{}
	)
	for i, e := range events {
		group.Go(func() {
			receipt, err := shops[i%len(shops)].Receive(t.Context(), e, body(e))
			if err != nil {
				t.Errorf("receive: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			effects[receipt.Effect]++
		})
	}
	group.Wait()
	return effects
}

func equalAtOnce(t *testing.T, db Database) {
	shops := []*shop{newShop(db.Open(t)), newShop(db.Open(t))}
	for processes := range shops {
		order := shops[0].charge(t, fmt.Sprint(processes))
		equal := slices.Repeat([]payments.Event{event(payments.PaymentSuccess, order, "x")}, 50)
		effects := deliver(t, shops[:1+processes], equal)
		expect(t, "effects", effects, map[payments.Effect]int{payments.Applied: 1, payments.Duplicate: 49})
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
	effects := deliver(t, []*shop{s, other}, all)
	expect(t, "duplicates", effects[payments.Duplicate], 0)
	stored, events := read(t, s.store, order.Reference)
	expect(t, "events", len(events), len(all))
	last, _ := events[len(events)-1].Event.Kind.Status()
	expect(t, "status is the last event's", stored.Status, last)
	expect(t, "paid", stored.Paid(), true)
}

func references(t *testing.T, db Database) {
	const tills, each = 5, 20
	var (
		mu   sync.Mutex
		seen = map[string]bool{}
	)
	rounds := Size(2, 1000)
	for round := range rounds { // Every round after the first follows a restart.
		shops := []*shop{newShop(db.Open(t)), newShop(db.Open(t))}
		var group sync.WaitGroup
		for i := range tills * each {
			group.Go(func() {
				// Two shops, like two processes, take numbers of the same till.
				order, err := shops[i%2].Checkout(t.Context(), terms(fmt.Sprint("T", i/2%tills), fmt.Sprint("sale ", round, " ", i)))
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
	expect(t, "references", len(seen), rounds*tills*each)
}
