package storagetest

import (
	"context"
	"testing"
	"time"

	"checkout/till/payments"
)

func watchTests() []test {
	return []test{
		{"is woken by a change", woken},
		{"has one notice however much changed", oneNotice},
		{"is not woken by a change that failed or wrote nothing", notWoken},
		{"is woken by another process", wokenByOther},
		{"is woken by another process that wrote before anybody watched", wokenLate},
		{"leaves when its context ends", leaves},
		{"does not keep others from being woken when it does not listen", deafWatcher},
		{"is told at Close", watchClosed},
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

func woken(t *testing.T, open Opener) {
	store := open(t)
	one, two := store.Watch(t.Context()), store.Watch(t.Context())
	insert(t, store, numbered(1))
	for _, notices := range []<-chan struct{}{one, two} {
		expectNotice(t, notices)
	}
	saveSale(t, store, sold("a", "T1", 1, "x"))
	expectNotice(t, one)
	put(t, store, record(event(payments.PaymentFailed, full(), "x")))
	expectNotice(t, one)
}

func oneNotice(t *testing.T, open Opener) {
	store := open(t)
	notices := store.Watch(t.Context())
	for i := range 3 {
		insert(t, store, numbered(i))
	}
	expectNotice(t, notices)
	expectQuiet(t, notices)
}

func notWoken(t *testing.T, open Opener) {
	store := open(t)
	notices := store.Watch(t.Context())
	_ = store.Update(t.Context(), func(tx payments.Tx) error {
		if err := wrote(tx); err != nil {
			t.Error(err)
		}
		return errRefused
	})
	update(t, store, func(tx payments.Tx) error { return tx.Sales().DropSale("nobody's") })
	expectQuiet(t, notices)
}

func wokenByOther(t *testing.T, open Opener) {
	mine, others := open(t), open(t)
	notices := mine.Watch(t.Context())
	for i := range 3 {
		insert(t, others, numbered(i))
		expectNotice(t, notices)
		read(t, mine, numbered(i).Reference)
	}
}

func wokenLate(t *testing.T, open Opener) {
	mine, others := open(t), open(t)
	insert(t, others, numbered(1))
	expectNotice(t, mine.Watch(t.Context()))
}

func leaves(t *testing.T, open Opener) {
	store := open(t)
	stays := store.Watch(t.Context())
	ctx, leave := context.WithCancel(t.Context())
	notices := store.Watch(ctx)
	leave()
	expectEnd(t, notices)
	expectEnd(t, store.Watch(ctx))
	insert(t, store, numbered(1))
	expectNotice(t, stays)
}

func deafWatcher(t *testing.T, open Opener) {
	store := open(t)
	store.Watch(t.Context())
	notices := store.Watch(t.Context())
	for i := range 5 {
		insert(t, store, numbered(i))
		expectNotice(t, notices)
	}
}

func watchClosed(t *testing.T, open Opener) {
	store := open(t)
	notices := store.Watch(t.Context())
	check(t, "close", store.Close())
	expectEnd(t, notices)
	expectEnd(t, store.Watch(t.Context()))
}
