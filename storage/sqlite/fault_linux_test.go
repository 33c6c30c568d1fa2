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
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

// protect makes a file read-only for whoever runs the tests, until release.
func protect(t *testing.T, path string) (release func()) {
	t.Helper()
	unprotect, err := disk.Protect(path)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { must(t, unprotect()) })
	return func() { must(t, unprotect()) }
}

func TestS3AReadOnlyDatabaseIsNoticedBeforeAnythingIsWritten(t *testing.T) {
	inBubble(t, func(t *testing.T, h *harmed) {
		h.settle()
		release := protect(t, h.path)
		h.expectNotice("the fault")
		h.expectFault(sqlite.ErrReadOnly)
		release()
		h.expectNotice("its end")
		h.expectSound()
	})
}

// mountSmall gives a folder a disk of its own, of 8 MiB.
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

// cram fills a disk until so many bytes are left.
func cram(t *testing.T, path string, left int64) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(t, err)
	var about unix.Statfs_t
	for {
		must(t, unix.Statfs(path, &about))
		if int64(about.Bavail)*about.Bsize <= left {
			break
		}
		if _, err = file.Write(make([]byte, 4096)); err != nil {
			break
		}
	}
	must(t, file.Close())
}

func TestS4OnAFullDiskOutcomesAreStoredAndNoOrderIsMade(t *testing.T) {
	folder := mountSmall(t)
	const minimum = 2 << 20
	synctest.Test(t, func(t *testing.T) {
		path, other := filepath.Join(folder, "till.db"), filepath.Join(folder, "other")
		store, err := sqlite.OpenWith(t.Context(), path, sqlite.WithMinimum(minimum))
		must(t, err)
		defer func() { must(t, store.Close()) }()
		service := payments.New(store, nil, time.Now)
		notices := store.Watch(t.Context())
		insert := func(n int) error {
			return store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(n)) })
		}
		receive := func(n int) error {
			_, err := service.Receive(t.Context(), storagetest.Success(storagetest.Order(n)), make([]byte, 1000))
			return err
		}
		for n := range 200 {
			must(t, insert(n))
		}

		cram(t, other, minimum-4096)
		if err := insert(1000); !errors.Is(err, payments.ErrNoRoom) {
			t.Errorf("a new order: error %v", err)
		}
		for n := range 20 {
			if err := receive(n); err != nil {
				t.Fatalf("an outcome: %v", err)
			}
		}

		cram(t, other, 0)
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

		must(t, os.Remove(other))
		time.Sleep(time.Second)
		synctest.Wait()
		must(t, receive(failed), insert(1000))
		for n := range failed + 1 {
			if order, events, err := store.Order(t.Context(), storagetest.Order(n).Reference); err != nil || !order.Paid() || len(events) != 1 {
				t.Errorf("order %d: paid %v, %d events (%v)", n, order.Paid(), len(events), err)
			}
		}
		expectWhole(t, path)
	})
}
