package storage_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
	"checkout/till/storage/storagetest/postgrestest"
)

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// newShop takes random steps in a new database and closes it. It returns the history and the path
// of the database.
func newShop(t *testing.T, seed uint64, steps int) (shop *storagetest.History, path string) {
	t.Helper()
	path = filepath.Join(disk.Memory(t), "till.db")
	store := openStore(t, path)
	shop = storagetest.NewHistory(t, store, seed, steps)
	must(t, store.Close())
	return shop, path
}

func openStore(t *testing.T, address string) storage.Store {
	t.Helper()
	store, err := storage.Open(t.Context(), address, storage.Options{})
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// copyShop copies a database and fails the test unless the copy verifies without a difference.
func copyShop(t *testing.T, from, to string) []storage.CopiedTable {
	t.Helper()
	copied, err := storage.Copy(t.Context(), from, to)
	must(t, err)
	found, err := storage.Verify(t.Context(), to, storage.Checks{Decode: storagetest.Decode, Now: time.Now()})
	if err != nil || found.Found != 0 {
		t.Fatalf("%v %+v", err, found.Differences)
	}
	return copied
}

func TestCopyKeepsEveryRowBetweenFilesAndServers(t *testing.T) {
	t.Parallel()
	source := filepath.Join(disk.Memory(t), "till.db")
	store := openStore(t, source)
	storagetest.RunDrawer(t, store)
	storagetest.NewHistory(t, store, 2, 450)
	must(t, store.Close())
	address := postgrestest.Database(t)
	before := read(t, source)
	there := copyShop(t, source, address)
	for _, table := range there[:6] {
		if table.Rows == 0 {
			t.Fatalf("copied %+v: every one of the first six tables needs rows", there)
		}
	}
	back := filepath.Join(disk.Memory(t), "new", "back.db")
	for from, to := range map[string]string{address: back, source: filepath.Join(disk.Memory(t), "again.db")} {
		// Compare the row count and the digest of every table.
		if copied := copyShop(t, from, to); fmt.Sprintf("%x", copied) != fmt.Sprintf("%x", there) {
			t.Errorf("got %+v, want %+v", copied, there)
		}
	}
	if read(t, source) != before {
		t.Error("the source was changed")
	}
}

func TestWorkContinuesInACopy(t *testing.T) {
	t.Parallel()
	shop, source := newShop(t, 3, 60)
	store, address := openStore(t, source), postgrestest.Database(t)
	shop.Resume(store, store)
	last := shop.Sell()
	must(t, store.Close())
	copied := copyShop(t, source, address)
	store = openStore(t, address)
	shop.Resume(store, store)
	if order, events, err := store.Order(t.Context(), last.Reference); err != nil || order.Status != last.Status || len(events) != 0 {
		t.Fatalf("got %+v with %d events, error %v", order, len(events), err)
	}
	shop.Deliver(last, payments.PaymentSuccess)
	order, events, err := store.Order(t.Context(), last.OrderReference)
	if err != nil || !order.Paid() || len(events) != 1 || events[0].Sequence <= copied[2].Rows {
		t.Errorf("got %+v with events %+v, error %v", order, events, err)
	}
	next := shop.Sell()
	prefix := last.Reference[:strings.LastIndex(last.Reference, "-")] // The prefix contains the tag of the source.
	if next.Reference <= last.Reference || !strings.HasPrefix(next.Reference, prefix) {
		t.Errorf("the reference after %s is %s", last.Reference, next.Reference)
	}
	must(t, store.Close())
	// Copy must not overwrite a shop that already has orders.
	_, other := newShop(t, 7, 20)
	before := read(t, other)
	for _, target := range []string{address, other} {
		_, err := storage.Copy(t.Context(), source, target)
		if err == nil || !strings.Contains(err.Error(), "copy into a database that is empty") {
			t.Errorf("copy over a shop with newer sales: error %v", err)
		}
	}
	if read(t, other) != before {
		t.Error("the target was changed")
	}
}

func TestAnInterruptedCopyWritesNothing(t *testing.T) {
	t.Parallel()
	_, source := newShop(t, 4, storagetest.Size(750, 2000))
	for _, target := range []string{filepath.Join(disk.Memory(t), "till.db"), postgrestest.Database(t)} {
		interrupted := 0
		for limit := 4 * time.Millisecond; ; limit *= 2 {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			_, err := storage.Copy(ctx, source, target)
			cancel()
			if err == nil {
				break
			}
			interrupted++
			// The server may still count the aborted session as a user of the database.
			if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, storage.ErrInUse) {
				t.Fatalf("interrupted after %v: %v", limit, err)
			}
		}
		if found, err := storage.Verify(t.Context(), target, storage.Checks{Decode: storagetest.Decode, Now: time.Now()}); err != nil || found.Found != 0 || interrupted == 0 {
			t.Errorf("interrupted %d times: %v %+v", interrupted, err, found.Differences)
		}
	}
}

func TestADatabaseInUseIsNotCopied(t *testing.T) {
	t.Parallel()
	_, source := newShop(t, 8, 20)
	address, back := postgrestest.Database(t), filepath.Join(disk.Memory(t), "till.db")
	expect := func(from, to string, want error) {
		t.Helper()
		if _, err := storage.Copy(t.Context(), from, to); !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
	release, err := storage.Lock(source)
	must(t, err)
	expect(source, address, storage.ErrInUse)
	release()
	expect(source, address, nil)
	openStore(t, address) // Now a console uses the database.
	// Each call waits two seconds for the connections of the console to end.
	var both sync.WaitGroup
	both.Go(func() { expect(source, address, storage.ErrInUse) })
	both.Go(func() { expect(address, back, storage.ErrInUse) })
	both.Wait()
}

func TestCopyRefusesAnInvalidSource(t *testing.T) {
	folder := disk.Memory(t)
	missing := filepath.Join(folder, "none", "till.db")
	_, newer := newShop(t, 9, 5)
	db, err := sql.Open("sqlite", newer)
	must(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE meta SET value = 99 WHERE key = 'schema'")
	must(t, err, db.Close())
	target := filepath.Join(folder, "target.db")
	for from, want := range map[string]string{
		missing: "no such file", newer: "update till", postgrestest.Database(t): "open it once with till",
	} {
		_, err := storage.Copy(t.Context(), from, target)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if made := files(t, folder); len(made) != 0 {
		t.Errorf("the files %q were created", made)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestAFolderKeepsTheNewestBackups(t *testing.T) {
	path := filepath.Join(disk.Memory(t), "till[1].db")
	folder := disk.Memory(t)
	const another = "till1-2020-01-01-190000.db" // A backup of till1.db.
	must(t, os.WriteFile(filepath.Join(folder, another), nil, 0o600))
	must(t, openStore(t, path).Close())
	evening := time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)
	for day := range 5 {
		_, err := storage.BackupInto(t.Context(), path, folder, evening.AddDate(0, 0, day), 0)
		must(t, err)
	}
	wrongClock := time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	written, err := storage.BackupInto(t.Context(), path, folder, wrongClock, 3)
	must(t, err)
	name := strings.TrimSuffix(filepath.Base(path), ".db")
	want := []string{another, name + "-1970-01-01-000000.db", name + "-2026-11-24-190000.db", name + "-2026-11-25-190000.db"}
	if got := files(t, folder); filepath.Base(written.Path) != want[1] || !slices.Equal(got, want) {
		t.Errorf("wrote %s, kept %q, want %q", written.Path, got, want)
	}
}

// The backups from a time when the clock was ahead are older than the backup of now.
func TestBackupsOfAClockThatWasAheadAreRemovedFirst(t *testing.T) {
	path := filepath.Join(disk.Memory(t), "till.db")
	folder := disk.Memory(t)
	must(t, openStore(t, path).Close())
	evening := time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{evening.AddDate(1, 0, 0), evening.AddDate(1, 0, 1), evening, evening.AddDate(0, 0, 1)} {
		_, err := storage.BackupInto(t.Context(), path, folder, at, 2)
		must(t, err)
	}
	if got := files(t, folder); !slices.Equal(got, []string{"till-2026-11-21-190000.db", "till-2026-11-22-190000.db"}) {
		t.Errorf("kept %q", got)
	}
}

// A till sees immediately that another process has made a backup. The copy itself contains the time
// of the backup before.
func TestADatabaseKnowsItsLastBackup(t *testing.T) {
	path := filepath.Join(disk.Memory(t), "till.db")
	knows := func(path string, want time.Time) {
		t.Helper()
		store := openStore(t, path)
		times, known, err := storage.LastBackup(t.Context(), store)
		must(t, err, store.Close())
		if !known || !times.Last.Equal(want) || !times.First.IsZero() {
			t.Errorf("%s knows %+v, want the last backup at %s", path, times, want)
		}
	}
	knows(path, time.Time{})
	evening := time.Date(2026, 11, 21, 19, 0, 0, 0, time.UTC)
	for day := range 2 {
		_, err := storage.BackupInto(t.Context(), path, filepath.Dir(path), evening.AddDate(0, 0, day), 0)
		must(t, err)
	}
	knows(path, evening.AddDate(0, 0, 1))
	knows(filepath.Join(filepath.Dir(path), "till-2026-11-22-190000.db"), evening)
}
