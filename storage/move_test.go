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
	"checkout/till/storage/storagetest/postgrestest"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Run(m)) }

// move copies a shop that must be copied whole, and sound.
func move(t *testing.T, from, to string) storage.Moved {
	t.Helper()
	moved, err := storage.Move(t.Context(), from, to, false, func(storage.MoveProgress) {})
	if err != nil {
		t.Fatal(err)
	}
	return moved
}

// expectSame fails the test unless all tables of two databases hold the same.
func expectSame(t *testing.T, what string, got, want storage.Moved) {
	t.Helper()
	if got.Sequence != want.Sequence || fmt.Sprint(got.Tables, got.Verdicts) != fmt.Sprint(want.Tables, want.Verdicts) {
		t.Fatalf("%s:\n got %d %v %v\nwant %d %v %v", what,
			got.Sequence, rows(got), got.Verdicts, want.Sequence, rows(want), want.Verdicts)
	}
}

func rows(moved storage.Moved) (counts []string) {
	for _, table := range moved.Tables {
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

func TestAShopGoesFromFileToFileAsItIs(t *testing.T) {
	shop := newHistory(t, 1, 300)
	source := shop.close()
	before := read(t, source)
	target := filepath.Join(t.TempDir(), "new", "till.db")
	first := move(t, source, target)
	if first.Written == 0 || len(first.Verdicts) < 5 {
		t.Fatalf("copied %v %v: the shop has too little in it", rows(first), first.Verdicts)
	}
	if read(t, source) != before {
		t.Error("the source was written to")
	}
	expectSound(t, target)
	again := move(t, source, target)
	expectSame(t, "run again", again, first)
	small := int64(0)
	for _, table := range again.Tables[3:] {
		small += table.Rows
	}
	if again.Written != small {
		t.Errorf("run again %d rows were written, want the %d of the small tables", again.Written, small)
	}
}

func TestAShopGoesToAServerAndBackAsItIs(t *testing.T) {
	shop := newHistory(t, 2, 650)
	source, address := shop.close(), postgrestest.Database(t)
	there := move(t, source, address)
	expectSame(t, "to PostgreSQL", move(t, source, address), there)
	back := filepath.Join(t.TempDir(), "back.db")
	expectSame(t, "back", move(t, address, back), there)
	expectSound(t, back)
	again := filepath.Join(t.TempDir(), "again.db")
	expectSame(t, "from the first one", move(t, source, again), there)
}

func TestWorkGoesOnInACopyWhereItWasInTheSource(t *testing.T) {
	shop := newHistory(t, 3, 60)
	last := shop.sell()
	source, address := shop.close(), postgrestest.Database(t)
	moved := move(t, source, address)
	shop.open(address)
	if order, events, err := shop.store.Order(t.Context(), last.Reference); err != nil || order.Status != last.Status || len(events) != 0 {
		t.Fatalf("%+v %d events %v", order, len(events), err)
	}
	shop.deliver(last, payments.PaymentSuccess)
	order, events, err := shop.store.Order(t.Context(), last.OrderReference)
	if err != nil || !order.Paid() || len(events) != 1 || events[0].Sequence <= moved.Tables[2].Rows {
		t.Errorf("%+v %+v %v", order, events, err)
	}
	next := shop.sell()
	if next.Reference <= last.Reference {
		t.Errorf("after %s comes %s", last.Reference, next.Reference)
	}
	shop.close()
	// What was sold there is not to be lost.
	_, err = storage.Move(t.Context(), source, address, false, func(storage.MoveProgress) {})
	if err == nil || !strings.Contains(err.Error(), "holds what the copy did not bring") {
		t.Errorf("copied over a shop that went on: %v", err)
	}
}

func TestACopyThatWasInterruptedIsRefusedUntilItIsWhole(t *testing.T) {
	shop := newHistory(t, 4, 750)
	source := shop.close()
	for _, target := range []string{filepath.Join(t.TempDir(), "till.db"), postgrestest.Database(t)} {
		for _, table := range []string{"orders", "events", "counters"} {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := storage.Move(ctx, source, target, false, func(told storage.MoveProgress) {
				if told.Table == table {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("interrupted at %s: %v", table, err)
			}
			store, err := storage.Open(t.Context(), target)
			if err == nil {
				_ = store.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "run till database copy again") {
				t.Errorf("opened half a copy: %v", err)
			}
			other := filepath.Join(t.TempDir(), "other.db")
			if _, err = storage.Move(t.Context(), target, other, false, func(storage.MoveProgress) {}); err == nil {
				t.Error("half a copy was copied")
			}
		}
		moved := move(t, source, target)
		if events := moved.Tables[2].Rows; moved.Written > events*2 {
			t.Errorf("%d rows were written again, of orders that were there", moved.Written)
		}
	}
}

func TestTheSecondRunBringsWhatCameMeanwhile(t *testing.T) {
	shop := newHistory(t, 5, 650)
	address := postgrestest.Database(t)
	// The shop is open, and nobody holds the lock of a listener.
	move(t, shop.path, address)
	for range 60 {
		shop.step()
	}
	source := shop.close()
	want := move(t, source, filepath.Join(t.TempDir(), "till.db"))
	expectSame(t, "after the second run", move(t, source, address), want)
	store, err := storage.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	// What came late to an order is found, whatever was indexed before.
	for _, order := range shop.orders {
		found, err := store.Orders(t.Context(), payments.Query{Search: order.Reference, Limit: 1000})
		if err != nil || len(found) == 0 {
			t.Fatalf("%s is not found (%v)", order.Reference, err)
		}
	}
}

func TestATargetThatHoldsOtherThingsIsLeftAsItIs(t *testing.T) {
	one, other := newHistory(t, 6, 20), newHistory(t, 7, 20)
	source, target := one.close(), other.close()
	before := read(t, target)
	_, err := storage.Move(t.Context(), source, target, false, func(storage.MoveProgress) {})
	if err == nil || !strings.Contains(err.Error(), "copy into a database that is empty") {
		t.Errorf("error %v", err)
	}
	// Another shop's copy is no copy of this one.
	copied := filepath.Join(t.TempDir(), "till.db")
	move(t, target, copied)
	_, err = storage.Move(t.Context(), source, copied, false, func(storage.MoveProgress) {})
	if err == nil || !strings.Contains(err.Error(), "an order that the source lacks") {
		t.Errorf("error %v", err)
	}
	if read(t, target) != before {
		t.Error("the target was written to")
	}
	expectSound(t, copied)
}

func TestWhatIsInUseIsNotCopiedUnlessItMust(t *testing.T) {
	shop := newHistory(t, 8, 20)
	source, address := shop.close(), postgrestest.Database(t)
	lock, err := storage.Lock(source)
	if err != nil {
		t.Fatal(err)
	}
	told := func(storage.MoveProgress) {}
	if _, err := storage.Move(t.Context(), source, address, false, told); !errors.Is(err, storage.ErrInUse) {
		t.Errorf("a source in use: %v", err)
	}
	if _, err := storage.Move(t.Context(), source, address, true, told); err != nil {
		t.Errorf("a source in use, with force: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	shop.open(address)
	back := filepath.Join(t.TempDir(), "till.db")
	for _, c := range []struct{ from, to string }{{source, address}, {address, back}} {
		if _, err := storage.Move(t.Context(), c.from, c.to, false, told); !errors.Is(err, storage.ErrInUse) {
			t.Errorf("a console uses the server: %v", err)
		}
	}
	if _, err := storage.Move(t.Context(), source, address, true, told); !errors.Is(err, storage.ErrInUse) {
		t.Errorf("force does not copy into what is in use: %v", err)
	}
}

func TestASourceThatIsNoneIsRefusedAndLeft(t *testing.T) {
	folder := t.TempDir()
	missing, older := filepath.Join(folder, "none", "till.db"), newHistory(t, 9, 5).close()
	db, err := sql.Open("sqlite", older)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA user_version = 3"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(folder, "target.db")
	for from, want := range map[string]string{
		missing: "no such file", older: "open it once with till", postgrestest.Database(t): "open it once with till",
	} {
		_, err := storage.Move(t.Context(), from, target, false, func(storage.MoveProgress) {})
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
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
