package storagetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
)

func seenAtOnce(t *testing.T, db Database) {
	one, other := db.Open(t), db.Open(t)
	insert(t, one, numbered(1))
	read(t, one, numbered(1).Reference)
	read(t, other, numbered(1).Reference)
}

func neighbours(t *testing.T, db Database) {
	store := db.Open(t)
	const count = 60
	errs := make([]error, count)
	var group sync.WaitGroup
	for i := range count {
		group.Go(func() {
			errs[i] = store.Update(t.Context(), func(tx payments.Tx) error {
				if err := tx.InsertOrder(numbered(i)); err != nil {
					return err
				}
				switch i % 3 {
				case 1:
					return fmt.Errorf("order %d: %w", i, errRefused)
				case 2:
					panic(i)
				}
				return nil
			})
		})
	}
	group.Wait()
	for i, err := range errs {
		_, _, found := store.Order(t.Context(), numbered(i).Reference)
		switch i % 3 {
		case 0:
			check(t, "update", errors.Join(err, found))
		case 1:
			expect(t, "error", fmt.Sprint(err), fmt.Sprintf("order %d: %v", i, errRefused))
			expectError(t, "read order", found, payments.ErrNotFound)
		default:
			if err == nil || !strings.Contains(err.Error(), "at change.go:") {
				t.Errorf("order %d: after a panic the error is %v", i, err)
			}
			expectError(t, "read order", found, payments.ErrNotFound)
		}
	}
}

func leftWaiting(t *testing.T, db Database) {
	store := db.Open(t)
	insert(t, store, numbered(1))
	inserted, release := make(chan struct{}), make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		err := store.Update(t.Context(), func(tx payments.Tx) error {
			err := tx.InsertOrder(numbered(2))
			close(inserted)
			<-release
			return err
		})
		if err != nil {
			t.Errorf("update: %v", err)
		}
	})
	<-inserted
	seen := find(t, store, payments.Query{})
	for _, stays := range []time.Duration{0, 50 * time.Millisecond} {
		ctx, leave := context.WithTimeout(t.Context(), stays)
		err := store.Update(ctx, func(payments.Tx) error {
			t.Error("a change ran although its caller had left")
			return nil
		})
		leave()
		expectError(t, "update", err, context.DeadlineExceeded)
	}
	close(release)
	writing.Wait()
	expect(t, "seen meanwhile", seen, []string{numbered(1).Reference})
	expect(t, "seen after", len(find(t, store, payments.Query{})), 2)
}

func leftRunning(t *testing.T, db Database) {
	store := db.Open(t)
	ctx, leave := context.WithCancel(t.Context())
	err := store.Update(ctx, func(tx payments.Tx) error {
		leave()
		return tx.InsertOrder(numbered(1))
	})
	check(t, "update", err)
	read(t, store, numbered(1).Reference)
}

func over(t *testing.T, db Database) {
	store := db.Open(t)
	var kept payments.Tx
	update(t, store, func(tx payments.Tx) error {
		kept = tx
		return nil
	})
	if err := kept.InsertOrder(numbered(1)); err == nil {
		t.Error("an ended transaction stored an order")
	}
	if _, err := kept.Order("nobody"); err == nil || errors.Is(err, payments.ErrNotFound) {
		t.Errorf("an ended transaction was read: error %v", err)
	}
	if err := kept.SaveSale(sold("a")); err == nil {
		t.Error("an ended transaction stored a sale")
	}
	expect(t, "orders", find(t, store, payments.Query{}), []string{})
	check(t, "close", store.Close())
	if store.Update(t.Context(), func(payments.Tx) error { return nil }) == nil {
		t.Error("a closed store made a change")
	}
	if _, err := store.Orders(t.Context(), payments.Query{}); err == nil {
		t.Error("a closed store was read")
	}
}

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

func expectQuiet(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	select {
	case <-notices:
		t.Fatal("a notice came")
	default:
	}
}

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
	store.Watch(t.Context()) // A watcher that never receives must not block others.
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
	update(t, store, func(tx payments.Tx) error { return tx.DropSale("nobody's") })
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
