package storagetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"checkout/till/payments"
)

func changeTests() []test {
	return []test{
		{"is there when Update has returned, for this opening and for another one", seenAtOnce},
		{"that fails returns its own error and writes nothing", takenBack},
		{"that panics returns an error and writes nothing", panicIsError},
		{"that fails or panics leaves its neighbours alone", neighbours},
		{"that only reads may find nothing to write", onlyReads},
		{"goes on after an error of the domain", goesOn},
		{"never runs when its caller has left before", leftBefore},
		{"never runs when its caller leaves while it waits", leftWaiting},
		{"is finished when its caller leaves while it runs", leftRunning},
		{"does not keep readers waiting, and they see nothing of it yet", readersGoOn},
		{"that is over can be used no more", over},
		{"after Close is refused", closed},
	}
}

func seenAtOnce(t *testing.T, open Opener) {
	one, other := open(t), open(t)
	insert(t, one, numbered(1))
	read(t, one, numbered(1).Reference)
	read(t, other, numbered(1).Reference)
	insert(t, other, numbered(2))
	read(t, one, numbered(2).Reference)
}

// wrote writes something of every kind.
func wrote(tx payments.Tx) error {
	if err := tx.InsertOrder(numbered(1)); err != nil {
		return err
	}
	if _, _, err := tx.Events().Insert(record(event(payments.PaymentFailed, numbered(1), "x"))); err != nil {
		return err
	}
	if _, err := tx.Sales().NextNumber("series"); err != nil {
		return err
	}
	return tx.Sales().SaveSale(payments.Sale{ID: "sale", Till: "T1", UpdatedAt: opening()})
}

// expectEmpty fails the test if anything of wrote is there.
func expectEmpty(t *testing.T, store Store) {
	t.Helper()
	expect(t, "orders", find(t, store, payments.Query{}), []string{})
	events := unmatched(t, store, 10)
	expect(t, "events", len(events), 0)
	sales, err := store.Sales(t.Context(), "T1")
	check(t, "sales", err)
	expect(t, "sales", len(sales), 0)
	update(t, store, func(tx payments.Tx) error {
		number, err := tx.Sales().NextNumber("series")
		if number != 1 {
			t.Errorf("the next number is %d, want 1", number)
		}
		return err
	})
}

func takenBack(t *testing.T, open Opener) {
	store := open(t)
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		if err := wrote(tx); err != nil {
			return err
		}
		return errRefused
	})
	if err != errRefused { //nolint:errorlint // It must be the very error.
		t.Fatalf("error %v, want %v itself", err, errRefused)
	}
	expectEmpty(t, store)
}

func panicIsError(t *testing.T, open Opener) {
	store := open(t)
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		if err := wrote(tx); err != nil {
			return err
		}
		panic("a mistake in a rule")
	})
	if err == nil {
		t.Fatal("no error")
	}
	expectEmpty(t, store)
}

func neighbours(t *testing.T, open Opener) {
	store := open(t)
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

func onlyReads(t *testing.T, open Opener) {
	store := open(t)
	update(t, store, func(tx payments.Tx) error {
		_, err := tx.Order("nobody")
		expectError(t, "order", err, payments.ErrNotFound)
		return nil
	})
}

func goesOn(t *testing.T, open Opener) {
	store := open(t)
	first, second := numbered(1), numbered(2)
	first.OrderReference = "REF_1"
	insert(t, store, first, second)
	update(t, store, func(tx payments.Tx) error {
		again := numbered(3)
		again.Reference = first.Reference
		expectError(t, "insert", tx.InsertOrder(again), payments.ErrReferenceTaken)
		taken := second
		taken.OrderReference, taken.Error = first.OrderReference, "must not be saved"
		expectError(t, "save", tx.SaveOrder(taken), payments.ErrOrderReferenceTaken)
		return tx.InsertOrder(numbered(3))
	})
	expect(t, "orders", len(find(t, store, payments.Query{})), 3)
	stored, _ := read(t, store, second.Reference)
	expect(t, "second", stored, second)
}

func leftBefore(t *testing.T, open Opener) {
	store := open(t)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	err := store.Update(ctx, func(payments.Tx) error {
		t.Error("the change ran")
		return nil
	})
	expectError(t, "update", err, context.Canceled)
}

func leftWaiting(t *testing.T, open Opener) {
	store := open(t)
	running, release := make(chan struct{}), make(chan struct{})
	var first sync.WaitGroup
	first.Go(func() {
		err := store.Update(t.Context(), func(tx payments.Tx) error {
			close(running)
			<-release
			return tx.InsertOrder(numbered(1))
		})
		if err != nil {
			t.Errorf("update: %v", err)
		}
	})
	<-running
	ctx, leave := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() {
		waiting <- store.Update(ctx, func(payments.Tx) error {
			t.Error("the change of a caller who had left ran")
			return nil
		})
	}()
	leave()
	expectError(t, "update", <-waiting, context.Canceled)
	close(release)
	first.Wait()
	insert(t, store, numbered(2))
}

func leftRunning(t *testing.T, open Opener) {
	store := open(t)
	ctx, leave := context.WithCancel(t.Context())
	err := store.Update(ctx, func(tx payments.Tx) error {
		leave()
		return tx.InsertOrder(numbered(1))
	})
	check(t, "update", err)
	read(t, store, numbered(1).Reference)
}

func readersGoOn(t *testing.T, open Opener) {
	store := open(t)
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
	close(release)
	writing.Wait()
	expect(t, "seen meanwhile", seen, []string{numbered(1).Reference})
	expect(t, "seen after", len(find(t, store, payments.Query{})), 2)
}

func over(t *testing.T, open Opener) {
	store := open(t)
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
	expect(t, "orders", find(t, store, payments.Query{}), []string{})
}

func closed(t *testing.T, open Opener) {
	store := open(t)
	check(t, "close", store.Close())
	if err := store.Update(t.Context(), wrote); err == nil {
		t.Error("a closed store took a change")
	}
	if _, err := store.Orders(t.Context(), payments.Query{}); err == nil {
		t.Error("a closed store was read")
	}
}
