package storagetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
)

func changeTests() []test {
	return []test{
		{"is there when Update has returned, for this opening and for another one", seenAtOnce},
		{"that fails or panics returns its own error, writes nothing and leaves its neighbours alone", neighbours},
		{"keeps no reader waiting, who sees nothing of it yet, and never runs when its caller left before", leftWaiting},
		{"is finished when its caller leaves while it runs", leftRunning},
		{"that is over can be used no more, and after Close is refused", over},
	}
}

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
			if err == nil {
				t.Errorf("order %d: no error after a panic", i)
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
			t.Error("the change of a caller who had left ran")
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
		t.Error("a transaction that is over took an order")
	}
	if _, err := kept.Order("nobody"); err == nil || errors.Is(err, payments.ErrNotFound) {
		t.Errorf("a transaction that is over was read: %v", err)
	}
	if err := kept.Sales().SaveSale(sold("a")); err == nil {
		t.Error("a transaction that is over took a sale")
	}
	expect(t, "orders", find(t, store, payments.Query{}), []string{})
	check(t, "close", store.Close())
	if store.Update(t.Context(), func(payments.Tx) error { return nil }) == nil {
		t.Error("a closed store took a change")
	}
	if _, err := store.Orders(t.Context(), payments.Query{}); err == nil {
		t.Error("a closed store was read")
	}
}
