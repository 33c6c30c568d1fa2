package storage_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Run(m)) }

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// shop is a history in an open store.
type shop struct {
	*storagetest.History
	store storage.Store
	path  string
}

// newShop returns a shop in a file to which so many things have happened.
func newShop(t *testing.T, seed uint64, steps int) *shop {
	t.Helper()
	s := &shop{path: filepath.Join(t.TempDir(), "till.db")}
	s.open(t, s.path)
	s.History = storagetest.NewHistory(t, s.store, seed, steps)
	return s
}

// open opens the shop at an address.
func (s *shop) open(t *testing.T, address string) {
	t.Helper()
	store, err := storage.Open(t.Context(), address)
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	if s.store = store; s.History != nil {
		s.Resume(store)
	}
}

// Close closes the shop and returns its path.
func (s *shop) Close(t *testing.T) string {
	t.Helper()
	must(t, s.store.Close())
	return s.path
}

// copyShop copies a shop that must be copied whole, and sound.
func copyShop(t *testing.T, from, to string) storage.Copied {
	t.Helper()
	copied, err := storage.Copy(t.Context(), from, to, false, func(storage.CopyProgress) {})
	must(t, err)
	return copied
}

// expectSame fails the test unless all tables of two databases hold the same.
func expectSame(t *testing.T, what string, got, want storage.Copied) {
	t.Helper()
	if got.Sequence != want.Sequence || fmt.Sprint(got.Tables, got.Statuses) != fmt.Sprint(want.Tables, want.Statuses) {
		t.Fatalf("%s:\n got %d %v %v\nwant %d %v %v", what,
			got.Sequence, rows(got), got.Statuses, want.Sequence, rows(want), want.Statuses)
	}
}

func rows(copied storage.Copied) (counts []string) {
	for _, table := range copied.Tables {
		counts = append(counts, fmt.Sprintf("%s %d %x", table.Table, table.Rows, table.SHA256[:4]))
	}
	return counts
}

// expectSound fails the test unless a database is as its events make it.
func expectSound(t *testing.T, path string) {
	t.Helper()
	found, err := storage.Verify(t.Context(), path, false, nil)
	if err != nil || found.Found != 0 {
		t.Fatalf("%v %+v", err, found.Differences)
	}
}

func TestAShopGoesToAServerAndBackAndFromFileToFileAsItIs(t *testing.T) {
	shop := newShop(t, 2, 650)
	source, address := shop.Close(t), postgrestest.Database(t)
	before := read(t, source)
	there := copyShop(t, source, address)
	for _, table := range there.Tables[:6] {
		if table.Rows == 0 {
			t.Fatalf("copied %v %v: the shop has too little in it", rows(there), there.Statuses)
		}
	}
	back := filepath.Join(t.TempDir(), "back.db")
	expectSame(t, "back", copyShop(t, address, back), there)
	expectSound(t, back)
	again := filepath.Join(t.TempDir(), "new", "again.db")
	expectSame(t, "from the first one", copyShop(t, source, again), there)
	expectSound(t, again)
	if read(t, source) != before {
		t.Error("the source was written to")
	}
}

func TestWorkGoesOnInACopyWhereItWasInTheSource(t *testing.T) {
	shop := newShop(t, 3, 60)
	last := shop.Sell()
	source, address := shop.Close(t), postgrestest.Database(t)
	copied := copyShop(t, source, address)
	shop.open(t, address)
	if order, events, err := shop.store.Order(t.Context(), last.Reference); err != nil || order.Status != last.Status || len(events) != 0 {
		t.Fatalf("%+v %d events %v", order, len(events), err)
	}
	shop.Deliver(last, payments.PaymentSuccess)
	order, events, err := shop.store.Order(t.Context(), last.OrderReference)
	if err != nil || !order.Paid() || len(events) != 1 || events[0].Sequence <= copied.Tables[2].Rows {
		t.Errorf("%+v %+v %v", order, events, err)
	}
	next := shop.Sell()
	if next.Reference <= last.Reference {
		t.Errorf("after %s comes %s", last.Reference, next.Reference)
	}
	shop.Close(t)
	// What was sold there is not to be lost.
	_, err = storage.Copy(t.Context(), source, address, false, func(storage.CopyProgress) {})
	if err == nil || !strings.Contains(err.Error(), "copy into a database that is empty") {
		t.Errorf("copied over a shop that went on: %v", err)
	}
}

func TestACopyThatWasInterruptedHasWrittenNothing(t *testing.T) {
	shop := newShop(t, 4, 750)
	source := shop.Close(t)
	for _, target := range []string{filepath.Join(t.TempDir(), "till.db"), postgrestest.Database(t)} {
		for _, table := range []string{"orders", "events", "closings"} {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := storage.Copy(ctx, source, target, false, func(told storage.CopyProgress) {
				if told.Table == table {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("interrupted at %s: %v", table, err)
			}
		}
		copyShop(t, source, target)
	}
}

func TestATargetThatHoldsOtherThingsIsLeftAsItIs(t *testing.T) {
	one, other := newShop(t, 6, 20), newShop(t, 7, 20)
	source, target := one.Close(t), other.Close(t)
	before := read(t, target)
	_, err := storage.Copy(t.Context(), source, target, false, func(storage.CopyProgress) {})
	if err == nil || !strings.Contains(err.Error(), "copy into a database that is empty") {
		t.Errorf("error %v", err)
	}
	if read(t, target) != before {
		t.Error("the target was written to")
	}
}

func TestWhatIsInUseIsNotCopiedUnlessItMust(t *testing.T) {
	shop := newShop(t, 8, 20)
	source, address := shop.Close(t), postgrestest.Database(t)
	lock, err := storage.Lock(source)
	must(t, err)
	told := func(storage.CopyProgress) {}
	if _, err := storage.Copy(t.Context(), source, address, false, told); !errors.Is(err, storage.ErrInUse) {
		t.Errorf("a source in use: %v", err)
	}
	if _, err := storage.Copy(t.Context(), source, address, true, told); err != nil {
		t.Errorf("a source in use, with force: %v", err)
	}
	must(t, lock.Release())
	shop.open(t, address)
	back := filepath.Join(t.TempDir(), "till.db")
	for _, c := range []struct{ from, to string }{{source, address}, {address, back}} {
		if _, err := storage.Copy(t.Context(), c.from, c.to, false, told); !errors.Is(err, storage.ErrInUse) {
			t.Errorf("a console uses the server: %v", err)
		}
	}
	if _, err := storage.Copy(t.Context(), source, address, true, told); !errors.Is(err, storage.ErrInUse) {
		t.Errorf("force does not copy into what is in use: %v", err)
	}
}

func TestASourceThatIsNoneIsRefusedAndLeft(t *testing.T) {
	folder := t.TempDir()
	missing, newer := filepath.Join(folder, "none", "till.db"), newShop(t, 9, 5).Close(t)
	db, err := sql.Open("sqlite", newer)
	must(t, err)
	if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	must(t, db.Close())
	target := filepath.Join(folder, "target.db")
	for from, want := range map[string]string{
		missing: "no such file", newer: "update till", postgrestest.Database(t): "open it once with till",
	} {
		_, err := storage.Copy(t.Context(), from, target, false, func(storage.CopyProgress) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("%d files were made (%v)", len(entries), err)
	}
}

// read returns a file's bytes.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}
