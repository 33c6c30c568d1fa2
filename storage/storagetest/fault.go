package storagetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
)

type answer struct {
	value any
	err   error
}

func reads(t *testing.T, store Store, ref string) map[string]answer {
	t.Helper()
	ctx, all := t.Context(), map[string]answer{}
	order, events, err := store.Order(ctx, ref)
	all["order"], all["finding"], all["events"] = answer{order, err}, answer{order.Finding, err}, answer{events, err}
	order, _, err = store.Order(ctx, "nobody's")
	all["order that is not there"] = answer{order, err}
	orders, err := store.Orders(ctx, payments.Query{})
	all["orders"] = answer{orders, err}
	unmatched, err := store.Unmatched(ctx, 10)
	all["unmatched"] = answer{unmatched, err}
	sales, err := store.Sales(ctx, "T1")
	all["sales"] = answer{sales, err}
	articles, err := store.Articles(ctx)
	all["articles"] = answer{articles, err}
	cashiers, err := store.Cashiers(ctx)
	all["cashiers"] = answer{cashiers, err}
	period := money.Period{From: opening().AddDate(-1, 0, 0), To: opening().AddDate(1, 0, 0), Sold: true}
	var counted []drawer.Counted
	err = store.View(ctx, func(tx drawer.Tx) (err error) {
		counted, err = tx.Takings(period)
		return err
	})
	all["counted"] = answer{counted, err}
	return all
}

// Calls makes a change, and each of the most important reads, on a store. It returns the errors by
// the name of the call.
func Calls(t *testing.T, store Store, ref string) map[string]error {
	t.Helper()
	errs := map[string]error{
		"update": store.Update(t.Context(), func(tx payments.Tx) error { return tx.DropSale("nobody's") }),
	}
	for call, answer := range reads(t, store, ref) {
		errs[call] = answer.err
	}
	return errs
}

// expectCalls makes the calls of [Calls]. If work is true, all of them must succeed; otherwise all
// must fail.
func expectCalls(t *testing.T, store Store, ref string, work bool) {
	t.Helper()
	for call, err := range Calls(t, store, ref) {
		missing := errors.Is(err, payments.ErrNotFound)
		if works := err == nil || missing && call == "order that is not there"; works != work || missing && !works {
			t.Errorf("%s: error %v", call, err)
		}
	}
}

// expectState waits until reads of the store succeed (usable) or fail (not usable). It tries again
// after each notice.
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

func failsAll(t *testing.T, db Database) {
	store := db.Open(t)
	shop := newShop(store)
	order, notices := shop.charge(t, "s"), store.Watch(t.Context())
	paid := event(payments.PaymentSuccess, order, "paid")
	db.Break(t)
	expectState(t, store, notices, false)
	for range 2 {
		expectCalls(t, store, order.Reference, false)
		if receipt, err := shop.Receive(t.Context(), paid, Encode(paid)); err == nil {
			t.Errorf("the event was acknowledged as %s", receipt.Effect)
		}
	}
	db.Mend(t)
	expectState(t, store, notices, true)
	expectCalls(t, store, order.Reference, true)
	// The failed delivery may have stored the event, so the first effect is applied or duplicate.
	first, second := shop.receive(t, paid), shop.receive(t, paid)
	if first.Effect != payments.Applied && first.Effect != payments.Duplicate || second.Effect != payments.Duplicate {
		t.Errorf("got effect %s, then %s", first.Effect, second.Effect)
	}
	stored, events := read(t, db.Open(t), order.Reference)
	if !stored.Paid() || len(events) != 1 {
		t.Errorf("got paid %v and %d events", stored.Paid(), len(events))
	}
}

func losesNothing(t *testing.T, db Database) {
	store := db.Open(t)
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
	db.Break(t)
	for range 4 {
		<-failed
	}
	db.Mend(t)
	expectState(t, store, notices, true)
	close(healed)
	group.Wait()
	check(t, "close", store.Close())
	again := db.Open(t)
	for _, reference := range stored {
		read(t, again, reference)
	}
	insert(t, again, numbered(int(next.Add(1))))
}

func closedWhileBroken(t *testing.T, db Database) {
	store := db.Open(t)
	insert(t, store, numbered(1))
	notices := store.Watch(t.Context())
	db.Break(t)
	expectState(t, store, notices, false)
	check(t, "close", store.Close())
	expectEnd(t, notices)
	db.Mend(t)
	again := db.Open(t)
	read(t, again, numbered(1).Reference)
	expectCalls(t, again, numbered(1).Reference, true)
}
