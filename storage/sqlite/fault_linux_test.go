package sqlite_test

import (
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

func TestS3AReadOnlyDatabaseIsNoticedBeforeAnythingIsWritten(t *testing.T) {
	inBubble(t, func(t *testing.T, h *harmed) {
		h.settle()
		release, err := disk.Protect(h.path)
		if err != nil {
			t.Skip(err)
		}
		h.expectNotice("the fault")
		h.expectFault(sqlite.ErrReadOnly)
		must(t, release())
		h.expectNotice("its end")
		h.expectSound()
	})
}

func TestS4OnAFullDiskOutcomesAreStoredAndNoOrderIsMade(t *testing.T) {
	disk := disk.New(t, 32<<20)
	const minimum = 2 << 20
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(disk.Folder, "till.db")
		store, err := sqlite.OpenWith(t.Context(), path, func(o *sqlite.Options) { o.Minimum = minimum })
		must(t, err)
		defer func() { must(t, store.Close()) }()
		service := payments.New(store, nil, time.Now)
		notices := store.Watch(t.Context())
		receive := func(n int) error {
			_, err := service.Receive(t.Context(), storagetest.Success(storagetest.Order(n)), make([]byte, 1000))
			return err
		}
		for n := range 200 {
			must(t, insert(t, store, n))
		}

		disk.FillTo(minimum - 4096)
		if err := insert(t, store, 1000); !errors.Is(err, payments.ErrNoRoom) {
			t.Errorf("a new order: error %v", err)
		}
		for n := range 20 {
			must(t, receive(n))
		}

		disk.Fill()
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

		disk.Free()
		time.Sleep(time.Second)
		synctest.Wait()
		must(t, receive(failed), insert(t, store, 1000))
		for n := range failed + 1 {
			if order, events, err := store.Order(t.Context(), storagetest.Order(n).Reference); err != nil || !order.Paid() || len(events) != 1 {
				t.Errorf("order %d: paid %v, %d events (%v)", n, order.Paid(), len(events), err)
			}
		}
		expectWhole(t, path)
	})
}
