package storagetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
)

func watchTests() []test {
	return []test{
		{"has one notice however much changed, and none of what failed or wrote nothing", woken},
		{"is woken by another process, also by one that wrote before anybody watched", wokenByOther},
		{"leaves when its context ends, and is told at Close", leaves},
	}
}

// expectNotice waits for a notice.
func expectNotice(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	select {
	case _, open := <-notices:
		if !open {
			t.Fatal("the channel was closed")
		}
	case <-time.After(patience):
		t.Fatal("no notice came")
	}
}

// expectQuiet fails the test when a notice lies ready.
func expectQuiet(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	select {
	case <-notices:
		t.Fatal("a notice came")
	default:
	}
}

// expectEnd waits until the channel is closed.
func expectEnd(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case _, open := <-notices:
			if !open {
				return
			}
		case <-timeout:
			t.Fatal("the channel was not closed")
		}
	}
}

func woken(t *testing.T, db Database) {
	store := db.Open(t)
	store.Watch(t.Context()) // Who does not listen keeps nobody from being woken.
	one, two := store.Watch(t.Context()), store.Watch(t.Context())
	for i := range 3 {
		insert(t, store, numbered(i))
	}
	expectNotice(t, one)
	expectNotice(t, two)
	expectQuiet(t, one)
	saveSale(t, store, sold("a"))
	expectNotice(t, one)
	put(t, store, record(event(payments.PaymentFailed, full(), "x")))
	expectNotice(t, one)
	err := store.Update(t.Context(), func(tx payments.Tx) error { return errors.Join(tx.InsertOrder(numbered(9)), errRefused) })
	expectError(t, "update", err, errRefused)
	update(t, store, func(tx payments.Tx) error { return tx.Sales().DropSale("nobody's") })
	expectQuiet(t, one)
}

func wokenByOther(t *testing.T, db Database) {
	mine, others := db.Open(t), db.Open(t)
	insert(t, others, numbered(0))
	notices := mine.Watch(t.Context())
	expectNotice(t, notices)
	for i := range 3 {
		insert(t, others, numbered(1+i))
		expectNotice(t, notices)
		read(t, mine, numbered(1+i).Reference)
	}
}

func leaves(t *testing.T, db Database) {
	store := db.Open(t)
	stays := store.Watch(t.Context())
	ctx, leave := context.WithCancel(t.Context())
	notices := store.Watch(ctx)
	leave()
	expectEnd(t, notices)
	expectEnd(t, store.Watch(ctx))
	insert(t, store, numbered(1))
	expectNotice(t, stays)
	check(t, "close", store.Close())
	expectEnd(t, stays)
	expectEnd(t, store.Watch(t.Context()))
}
