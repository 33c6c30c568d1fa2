package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

func TestAProbeWritesWithoutANotice(t *testing.T) {
	t.Parallel()
	path := whole(t)
	mine, others := openAt(t, path), openAt(t, path)
	notices := []<-chan struct{}{mine.Watch(t.Context()), others.Watch(t.Context())}
	for range 10 {
		must(t, mine.Probe(t.Context()))
	}
	// The probes must cause no notice: the first notice must come from the next change.
	if noticed(notices[0]) {
		t.Error("a probe woke a watcher of its own store")
	}
	must(t, mine.Update(t.Context(), storagetest.TakeNumber))
	<-notices[0]
	<-notices[1]
	if probes := count(t, path, "SELECT value FROM meta WHERE key = 'probe'"); probes != 10 {
		t.Errorf("%d probes were written, want 10", probes)
	}
	must(t, mine.Close())
	if err := mine.Probe(t.Context()); err == nil {
		t.Error("a closed store can be written")
	}
}

// SQLite deletes the files of the log when the last connection is closed, so only the database file
// may remain.
func TestClosingWaitsForReadsAndLeavesOneWholeFile(t *testing.T) {
	t.Parallel()
	for range storagetest.Size(3, 100) {
		path := whole(t)
		store := openAt(t, path)
		store.Watch(t.Context())
		var group sync.WaitGroup
		begun := make(chan struct{}, 1)
		for range sqlstore.ReaderCount {
			group.Go(func() {
				for err := error(nil); err == nil; {
					_, err = store.Articles(t.Context())
					select {
					case begun <- struct{}{}:
					default:
					}
				}
			})
		}
		<-begun
		must(t, store.Update(t.Context(), storagetest.TakeNumber))
		for range 2 { // A second Close is harmless.
			must(t, store.Close())
		}
		if left := files(t, filepath.Dir(path)); !slices.Equal(left, []string{"till.db"}) {
			t.Errorf("got files %q, want only till.db", left)
		}
		group.Wait()
	}
}

func TestParallelOpensCreateOneDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "till.db")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			store, err := sqlite.Open(t.Context(), path)
			if err == nil {
				err = errors.Join(store.Update(t.Context(), storagetest.TakeNumber), store.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if number := count(t, path, "SELECT value FROM counters"); number != 8 {
		t.Errorf("got number %d, want 8: a change went to another file", number)
	}
	if left := files(t, filepath.Dir(path)); slices.ContainsFunc(left, func(name string) bool { return strings.Contains(name, ".new-") }) {
		t.Errorf("files %q are left", left)
	}
}

func TestTheContextOfOpenDoesNotEndTheStore(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	path := filepath.Join(t.TempDir(), "new", "till.db")
	store, err := sqlite.Open(ctx, path)
	must(t, err)
	leave()
	must(t, store.Update(t.Context(), storagetest.TakeNumber), store.Close(), os.Remove(path))
	if store, err := sqlite.Open(ctx, path); err == nil {
		_ = store.Close()
		t.Error("Open with a cancelled context returned no error")
	}
	if left := files(t, filepath.Dir(path)); len(left) != 0 {
		t.Errorf("files %q are left", left)
	}
}

// Reads and writes use separate connections.
func TestLongReadsDoNotDelayChanges(t *testing.T) {
	t.Parallel()
	store := openAt(t, whole(t))
	if _, err := store.Readers().ExecContext(t.Context(), "UPDATE meta SET value = 0"); err == nil {
		t.Error("a connection for reads can write")
	}
	var reading []*sql.Rows
	for range sqlstore.ReaderCount {
		rows, err := store.Readers().QueryContext(t.Context(), "SELECT id FROM orders") //nolint:sqlclosecheck // Kept open until the end of the test.
		must(t, err)
		if !rows.Next() {
			t.Fatal("got no order to read", rows.Err())
		}
		reading = append(reading, rows)
	}
	// The loop runs long enough for two checks of the database's files.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for start := time.Now(); time.Since(start) < 1200*time.Millisecond; {
		if err := store.Update(ctx, storagetest.TakeNumber); err != nil {
			t.Error(err)
			break
		}
		<-time.After(time.Millisecond) // Some hundred changes are enough: the log then has more pages than are copied at once.
	}
	for _, rows := range reading {
		must(t, rows.Close())
	}
}

// Reading events must not load their bodies.
func TestManyLargeEventsNeedLittleMemory(t *testing.T) {
	store := openAt(t, whole(t))
	order := storagetest.Order(1)
	put := func(count, size int, orderReference, reference string, outcome payments.Effect) {
		must(t, store.Update(t.Context(), func(tx payments.Tx) (err error) {
			for n := range count {
				event := storagetest.Success(order)
				event.Kind, event.OrderReference, event.Error = payments.PaymentFailed, orderReference, payments.TextValue(fmt.Sprint(n))
				err = errors.Join(err, tx.InsertEvent(payments.Record{
					Event: event, ID: event.ID(), ReceivedAt: order.CreatedAt, Order: reference, Effect: outcome, Count: 1, Body: make([]byte, size),
				}))
			}
			return err
		}))
	}
	put(200, 60<<10, order.OrderReference, order.Reference, payments.Unchanged)
	put(3000, 6<<10, "REF_next", "", payments.Unmatched)
	for what, work := range map[string]func() int{
		"show an order of 200 events": func() int {
			_, events, err := store.Order(t.Context(), order.Reference)
			must(t, err)
			return len(events) - 200
		},
		"let one learn 3,000": func() int {
			order, err := payments.New(store, storagetest.Taker{}, time.Now).Checkout(t.Context(), payments.Terms{Reference: "next", Till: "T1", Items: order.Items})
			must(t, err)
			return strings.Compare(string(order.Status), string(payments.StatusFailed))
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		wrong := work()
		runtime.ReadMemStats(&after)
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 50 || wrong != 0 {
			t.Errorf("used %d MB to %s, wrong result: %v", used, what, wrong != 0)
		}
	}
}

func TestADatabaseWithLessOfAnythingIsLess(t *testing.T) {
	whole := sqlite.Contents{Orders: 2, Cash: 2, Events: 2, Newest: time.UnixMilli(2)}
	for _, less := range []sqlite.Contents{
		{Orders: 1, Cash: 3, Events: 3, Newest: time.UnixMilli(3)},
		{Orders: 3, Cash: 1, Events: 3, Newest: time.UnixMilli(3)},
		{Orders: 3, Cash: 3, Events: 1, Newest: time.UnixMilli(3)},
		{Orders: 3, Cash: 3, Events: 3, Newest: time.UnixMilli(1)},
	} {
		if !less.Less(whole) || whole.Less(whole) {
			t.Errorf("%+v is not less than %+v, or that is less than itself", less, whole)
		}
	}
}
