package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
)

const (
	smallDisk    = 8 << 20
	smallReserve = 1 << 20
)

// mountSmall gives a folder a disk of its own.
func mountSmall(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=8m,mode=0700"); err != nil {
		t.Skipf("no small disk can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(folder, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// cram fills what is left of a disk.
func cram(t *testing.T, path string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(t, err)
	for err == nil {
		_, err = file.Write(make([]byte, 4096))
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
	must(t, file.Close())
}

// occupied returns how much of the disk a file takes.
func occupied(t *testing.T, path string) int64 {
	t.Helper()
	var about unix.Stat_t
	if err := unix.Stat(path, &about); err != nil {
		return 0
	}
	return about.Blocks * 512
}

func TestS4OnAFullDiskOutcomesAreStoredAndNoOrderIsMade(t *testing.T) {
	folder := mountSmall(t)
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(folder, "till.db")
		store, err := sqlite.Open(t.Context(), path, sqlite.WithReserve(smallReserve))
		must(t, err)
		defer func() { must(t, store.Close()) }()
		service := payments.New(store, nil, time.Now)
		notices := store.Watch(t.Context())
		insert := func(n int) error {
			return store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(orderFor(n)) })
		}
		receive := func(n int) error {
			_, err := service.Receive(t.Context(), success(orderFor(n)), make([]byte, 1000))
			return err
		}
		for n := range 200 {
			must(t, insert(n))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := occupied(t, path+".reserve"); got != smallReserve {
			t.Fatalf("the reserve takes %d bytes, want %d", got, smallReserve)
		}

		cram(t, filepath.Join(folder, "other"))
		if err := insert(1000); !errors.Is(err, payments.ErrNoRoom) {
			t.Errorf("a new order: error %v", err)
		}
		for n := range 20 {
			if err := receive(n); err != nil {
				t.Fatalf("an outcome: %v", err)
			}
		}
		if got := occupied(t, path+".reserve"); got != 0 {
			t.Errorf("the reserve still takes %d bytes", got)
		}
		if err := insert(1000); !errors.Is(err, payments.ErrNoRoom) {
			t.Errorf("a new order on the reserve: error %v", err)
		}

		cram(t, filepath.Join(folder, "other"))
		synctest.Wait()
		noticed(notices)
		failed := 20
		for ; failed < 200 && receive(failed) == nil; failed++ {
		}
		if failed == 200 {
			t.Fatal("the disk is not full")
		}
		if !noticed(notices) {
			t.Error("nobody was told")
		}
		if _, err := store.Orders(t.Context(), payments.Query{}); err == nil {
			t.Error("without room the store says something of orders")
		}

		must(t, os.Remove(filepath.Join(folder, "other")))
		time.Sleep(time.Second)
		synctest.Wait()
		must(t, receive(failed), insert(1000))
		time.Sleep(time.Second)
		synctest.Wait()
		if got := occupied(t, path+".reserve"); got != smallReserve {
			t.Errorf("the reserve takes %d bytes again, want %d", got, smallReserve)
		}
		for n := range failed + 1 {
			if order, events, err := store.Order(t.Context(), orderFor(n).Reference); err != nil || !order.Paid() || len(events) != 1 {
				t.Errorf("order %d: paid %v, %d events (%v)", n, order.Paid(), len(events), err)
			}
		}
		expectWhole(t, path)
	})
}

func TestS4ADiskThatWasAlwaysFullHasNoReserveAndTakesNoOrder(t *testing.T) {
	folder := mountSmall(t)
	overwrite(t, filepath.Join(folder, "other"), make([]byte, smallDisk-smallReserve-smallReserve/2))
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(folder, "till.db")
		store, err := sqlite.Open(t.Context(), path, sqlite.WithReserve(smallReserve))
		must(t, err)
		defer func() { must(t, store.Close()) }()
		time.Sleep(time.Minute)
		err = store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(orderFor(1)) })
		if !errors.Is(err, payments.ErrNoRoom) || occupied(t, path+".reserve") != 0 {
			t.Errorf("error %v, reserve %d", err, occupied(t, path+".reserve"))
		}
		must(t, store.Probe(t.Context()), os.Remove(filepath.Join(folder, "other")))
		must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(orderFor(1)) }))
	})
}
