package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// openAt opens a database for the length of a test.
func openAt(t testing.TB, path string, opts ...sqlite.Option) *sqlite.Store {
	t.Helper()
	store, err := sqlite.OpenWith(t.Context(), path, opts...)
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestContractOfFaults(t *testing.T) {
	storagetest.RunFaults(t, synctest.Test, func(t *testing.T) (storagetest.Opener, storagetest.Breaker) {
		path := filepath.Join(t.TempDir(), "till.db")
		move := func(from, to string) func(t *testing.T) {
			return func(t *testing.T) {
				t.Helper()
				must(t, os.Rename(from, to))
			}
		}
		return func(t *testing.T) storagetest.Store { return openAt(t, path) },
			storagetest.Breaker{Break: move(path, path+".away"), Mend: move(path+".away", path)}
	})
}

func TestContract(t *testing.T) {
	storagetest.Run(t, synctest.Test, func(t *testing.T) storagetest.Opener {
		path := filepath.Join(t.TempDir(), "till.db")
		return func(t *testing.T) storagetest.Store { return openAt(t, path) }
	})
}

func TestContractOfTexts(t *testing.T) {
	storagetest.RunClean(t, "char", func(t *testing.T) (storagetest.Opener, func(t *testing.T, statement string)) {
		path := filepath.Join(t.TempDir(), "till.db")
		return func(t *testing.T) storagetest.Store { return openAt(t, path) },
			func(t *testing.T, statement string) { script(t, path, statement) }
	})
}

// The last connection that is closed deletes the log's files.
func TestCloseWaitsForReads(t *testing.T) {
	for range 10 {
		path := filepath.Join(t.TempDir(), "till.db")
		store := openAt(t, path)
		var reads sync.WaitGroup
		begun := make(chan struct{}, sqlstore.ReaderCount)
		for range sqlstore.ReaderCount {
			reads.Go(func() {
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
		must(t, store.Close())
		if left, err := filepath.Glob(path + "-*"); err != nil || len(left) > 0 {
			t.Errorf("the closed database is still open: %v, %v", left, err)
		}
		reads.Wait()
	}
}

// H10: reading and writing have connections of their own.
func TestFourLongReadsHoldUpNoChange(t *testing.T) {
	store := openAt(t, whole(t))
	reading, release := make(chan struct{}, sqlstore.ReaderCount), make(chan struct{})
	var group sync.WaitGroup
	for range sqlstore.ReaderCount {
		group.Go(func() {
			at := storagetest.Order(1).CreatedAt
			_, err := store.Takings(t.Context(), payments.Day(at), func(payments.Order) bool {
				reading <- struct{}{}
				<-release
				return true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range sqlstore.ReaderCount {
		<-reading
	}
	for range 20 {
		must(t, store.Update(t.Context(), storagetest.TakeNumber))
	}
	close(release)
	group.Wait()
}

// W35: the bodies of events stay where they are.
func TestW35ManyLargeEventsAreReadAndAppliedInLittleMemory(t *testing.T) {
	store := openAt(t, filepath.Join(t.TempDir(), "till.db"))
	service := payments.New(store, storagetest.Taker{}, time.Now)
	order := storagetest.Order(1)
	record := func(reference string, n, size int) payments.Record {
		event := storagetest.Success(order)
		event.Kind, event.OrderReference = payments.PaymentFailed, reference
		event.Error = payments.TextValue(fmt.Sprint(n))
		return payments.Record{Event: event, ID: event.ID(), ReceivedAt: time.Now(), Outcome: payments.NoSuchOrder, Count: 1, Body: make([]byte, size)}
	}
	must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) }))
	for batch := range 30 {
		must(t, store.Update(t.Context(), func(tx payments.Tx) (err error) {
			for n := range 100 {
				applied := record(order.OrderReference, n, 60<<10)
				applied.Order, applied.Outcome = order.Reference, payments.Unchanged
				if batch < 2 {
					applied.Event.Error = payments.TextValue(fmt.Sprint(batch, n))
					applied.ID = applied.Event.ID()
					_, _, err = tx.Events().Insert(applied)
				}
				_, _, unmatched := tx.Events().Insert(record("REF_T1-20261121-0001", batch*100+n, 6<<10))
				err = errors.Join(err, unmatched)
			}
			return err
		}))
	}
	allocated := func(work func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) >> 20
	}
	shown := allocated(func() {
		_, events, err := store.Order(t.Context(), order.Reference)
		if err != nil || len(events) != 200 {
			t.Errorf("%d events (%v)", len(events), err)
		}
	})
	learnt := allocated(func() {
		made, err := service.Checkout(t.Context(), payments.Terms{
			Reference: "T1-20261121-0001", Till: "T1", Items: order.Items,
		})
		if err != nil || made.Status != payments.StatusFailed {
			t.Errorf("%s (%v)", made.Status, err)
		}
	})
	if shown > 50 || learnt > 50 {
		t.Errorf("%d MB to show an order of 200 events, %d MB for one that learns 3,000", shown, learnt)
	}
}
