package storagetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func deliver(t *testing.T, shops []*shop, events []payments.Event) map[payments.Effect]int {
	t.Helper()
	var (
		mu      sync.Mutex
		group   sync.WaitGroup
		effects = map[payments.Effect]int{}
	)
	for i, e := range events {
		group.Go(func() {
			receipt, err := shops[i%len(shops)].Receive(t.Context(), e, Encode(e))
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
	for round := range rounds { // A restart precedes every round except the first.
		shops := []*shop{newShop(db.Open(t)), newShop(db.Open(t))}
		var group sync.WaitGroup
		for i := range tills * each {
			group.Go(func() {
				// The two shops take numbers of the same till, like two processes.
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

func leftAfterRefund(t *testing.T, db Database) {
	store := db.Open(t)
	const number = "T1-GT-C-000001"
	payment := cashPayment(number)
	sold := ledger.Transfer{
		At: opening(), Booked: opening(), Kind: ledger.Sale, From: ledger.Sales, To: ledger.Drawer("T1"), Amount: 9000, Till: "T1", Payment: payment,
	}
	back := sold
	back.Kind, back.From, back.To, back.Amount = ledger.Refund, ledger.Drawer("T1"), ledger.Sales, 4000
	update(t, store, func(tx payments.Tx) error {
		sale := drawer.CounterSale{Number: number, Sale: "S1", Till: "T1", Items: numbered(0).Items, Amount: 9000, Given: 9000, At: opening()}
		if err := errors.Join(tx.(drawer.Tx).InsertCash(sale), tx.Post(sold)); err != nil {
			return err
		}
		before, err := tx.Taken("S1")
		expect(t, "taken", before.Net, money.Ariary(9000))
		if err := errors.Join(err, tx.Post(back)); err != nil {
			return err
		}
		after, err := tx.Taken("S1")
		expect(t, "left", after.Net, money.Ariary(5000))
		return err
	})
}

func partsInOrder(t *testing.T, db Database) {
	store := db.Open(t)
	for name, numbers := range map[string][]string{
		"of two tills": {"T2-GT-C-000001", "T1-GT-C-000001"},
		"of a million": {"T3-GT-C-999999", "T3-GT-C-1000000"},
		"of one till":  {"T4-GT-C-000001", "T4-GT-C-000002", "T4-GT-C-000003"},
	} {
		var taken payments.Taken
		update(t, store, func(tx payments.Tx) (err error) {
			for _, number := range numbers {
				sale := drawer.CounterSale{Number: number, Sale: name, Till: "T1", Items: numbered(0).Items, Amount: 1000, Total: 9000, Given: 1000, At: opening()}
				sold := ledger.Transfer{
					At: opening(), Booked: opening(), Kind: ledger.Sale, From: ledger.Sales, To: ledger.Drawer("T1"), Amount: 1000, Till: "T1", Payment: cashPayment(number),
				}
				err = errors.Join(err, tx.(drawer.Tx).InsertCash(sale), tx.Post(sold))
			}
			taken, _ = tx.Taken(name)
			return err
		})
		want := payments.Taken{Number: numbers[len(numbers)-1], First: numbers[0], Net: money.Ariary(1000 * len(numbers)), Largest: 9000}
		expect(t, "parts "+name, taken, want)
	}
}
