package storagetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
)

// Breaker makes a database unusable, and then usable again with all that was
// stored.
type Breaker struct {
	Break, Mend func(t *testing.T)
}

// RunFaults runs the part of the contract that concerns a database which cannot
// be used for a while. create makes an empty database for each test.
func RunFaults(t *testing.T, run Runner, create func(t *testing.T) (Opener, Breaker)) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(t *testing.T, open Opener, breaker Breaker)
	}{
		{"fails every call, and none as if there were nothing", failsAll},
		{"acknowledges no event, which is applied once when it comes again", appliedOnce},
		{"loses nothing that was acknowledged while many write", losesNothing},
		{"can be closed", closedWhileBroken},
	} {
		t.Run("a database that cannot be used "+test.name, func(t *testing.T) {
			t.Parallel()
			run(t, func(t *testing.T) {
				open, breaker := create(t)
				test.run(t, open, breaker)
			})
		})
	}
}

// Calls makes every call of a store and returns the errors by name.
func Calls(t *testing.T, store payments.Store, ref string) map[string]error {
	t.Helper()
	ctx := t.Context()
	_, _, order := store.Order(ctx, ref)
	_, _, nothing := store.Order(ctx, "nobody's")
	_, orders := store.Orders(ctx, payments.Query{})
	_, unmatched := store.Unmatched(ctx, 10)
	_, sales := store.Sales(ctx, "T1")
	_, articles := store.Articles(ctx)
	period := payments.Period{From: opening(), To: opening().AddDate(0, 0, 1), Sold: true}
	_, takings := store.Takings(ctx, period, func(payments.Order) bool { return true })
	return map[string]error{
		"order": order, "order that is not there": nothing, "orders": orders, "unmatched": unmatched, "sales": sales,
		"articles": articles, "takings": takings,
		"update": store.Update(ctx, func(tx payments.Tx) error { return tx.Sales().DropSale("nobody's") }),
	}
}

// expectBroken fails the test unless every call says that the store cannot be
// used.
func expectBroken(t *testing.T, store Store, ref string) {
	t.Helper()
	for call, err := range Calls(t, store, ref) {
		if err == nil || errors.Is(err, payments.ErrNotFound) {
			t.Errorf("%s: error %v", call, err)
		}
	}
}

// expectUsable fails the test unless every call works.
func expectUsable(t *testing.T, store Store, ref string) {
	t.Helper()
	for call, err := range Calls(t, store, ref) {
		if err != nil && !(errors.Is(err, payments.ErrNotFound) && call == "order that is not there") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// expectState waits until a store can be used or cannot, and is told so.
func expectState(t *testing.T, store Store, notices <-chan struct{}, usable bool) {
	t.Helper()
	for {
		_, err := store.Orders(t.Context(), payments.Query{})
		if (err == nil) == usable {
			return
		}
		expectNotice(t, notices)
	}
}

func failsAll(t *testing.T, open Opener, breaker Breaker) {
	store := open(t)
	order := newShop(store).charge(t, "s")
	notices := store.Watch(t.Context())
	breaker.Break(t)
	expectState(t, store, notices, false)
	expectBroken(t, store, order.Reference)
	expectBroken(t, store, order.Reference) // Not only once.
	breaker.Mend(t)
	expectState(t, store, notices, true)
	expectUsable(t, store, order.Reference)
}

func appliedOnce(t *testing.T, open Opener, breaker Breaker) {
	store := open(t)
	shop := newShop(store)
	order, notices := shop.charge(t, "s"), store.Watch(t.Context())
	paid := event(payments.PaymentSuccess, order, "paid")
	breaker.Break(t)
	expectState(t, store, notices, false)
	for range 3 {
		if receipt, err := shop.Receive(t.Context(), paid, body(paid)); err == nil {
			t.Errorf("acknowledged as %s", receipt.Outcome)
		}
	}
	breaker.Mend(t)
	expectState(t, store, notices, true)
	// Nobody knows what became of the deliveries that failed.
	first, second := shop.receive(t, paid), shop.receive(t, paid)
	if first.Outcome != payments.Applied && first.Outcome != payments.Duplicate || second.Outcome != payments.Duplicate {
		t.Errorf("afterwards %s, then %s", first.Outcome, second.Outcome)
	}
	stored, events := read(t, open(t), order.Reference)
	if !stored.Paid() || len(events) != 1 {
		t.Errorf("paid %v, %d events", stored.Paid(), len(events))
	}
}

func losesNothing(t *testing.T, open Opener, breaker Breaker) {
	store := open(t)
	insert(t, store, numbered(0))
	var (
		next    atomic.Int64
		mu      sync.Mutex
		stored  []string
		failed  = make(chan struct{}, 1000)
		healed  = make(chan struct{})
		group   sync.WaitGroup
		notices = store.Watch(t.Context())
	)
	for range 4 {
		group.Go(func() {
			for {
				order := numbered(int(next.Add(1)))
				err := store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) })
				if err != nil {
					failed <- struct{}{}
					<-healed
					return
				}
				mu.Lock()
				stored = append(stored, order.Reference)
				mu.Unlock()
			}
		})
	}
	breaker.Break(t)
	for range 4 {
		<-failed
	}
	breaker.Mend(t)
	expectState(t, store, notices, true)
	close(healed)
	group.Wait()
	check(t, "close", store.Close())
	again := open(t)
	for _, reference := range stored {
		read(t, again, reference)
	}
	insert(t, again, numbered(int(next.Add(1))))
}

func closedWhileBroken(t *testing.T, open Opener, breaker Breaker) {
	store := open(t)
	insert(t, store, numbered(1))
	notices := store.Watch(t.Context())
	breaker.Break(t)
	expectState(t, store, notices, false)
	check(t, "close", store.Close())
	expectEnd(t, notices)
	breaker.Mend(t)
	again := open(t)
	read(t, again, numbered(1).Reference)
	expectUsable(t, again, numbered(1).Reference)
}
