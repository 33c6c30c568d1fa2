package storagetest

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// Together runs several changes at the same time and returns their errors. They usually share one
// commit: another change occupies the writer until all of them wait. change gets the number of the
// change, from 0 to count - 1, and may run more than once.
func Together(t *testing.T, store payments.Store, count int, change func(i int, tx payments.Tx) error) []error {
	t.Helper()
	errs := make([]error, count)
	holds, release := make(chan struct{}), make(chan struct{})
	var begun, ended sync.WaitGroup
	ended.Go(func() {
		err := store.Update(t.Context(), func(payments.Tx) error {
			close(holds)
			<-release
			return nil
		})
		if err != nil {
			t.Errorf("the change that holds the writer: %v", err)
		}
	})
	<-holds
	begun.Add(count)
	for i := range count {
		ended.Go(func() {
			begun.Done()
			errs[i] = store.Update(t.Context(), func(tx payments.Tx) error { return change(i, tx) })
		})
	}
	begun.Wait()
	for range 10 * count { // Wait until the changes are in the writer's queue.
		runtime.Gosched()
	}
	close(release)
	ended.Wait()
	return errs
}

// maxRounds is the maximum number of attempts to make several changes share a commit.
const maxRounds = 100

// failsForAll makes COMMIT fail, by a constraint that the database checks only at the commit.
func failsForAll(t *testing.T, db Database) {
	store := db.Open(t)
	db.Script(t, `CREATE TABLE allowed (id INTEGER PRIMARY KEY)`)
	db.Script(t, `ALTER TABLE counters ADD COLUMN checked INTEGER DEFAULT 1 REFERENCES allowed (id) DEFERRABLE INITIALLY DEFERRED`)
	shared := int64(0) // Each change takes the next number, so this counts the changes that shared the last commit.
	for round := 0; shared < 2; round++ {
		if round == maxRounds {
			t.Fatal("no changes shared a commit")
		}
		for i, err := range Together(t, store, 20, func(i int, tx payments.Tx) (err error) {
			shared, err = tx.NextNumber("series")
			return errors.Join(err, tx.InsertOrder(numbered(i)))
		}) {
			if err == nil || errors.Is(err, payments.ErrCommitUnknown) { // ErrCommitUnknown is wrong here: the database answered that it did not commit.
				t.Errorf("change %d: error %v", i, err)
			}
		}
		expect(t, "orders", find(t, store, payments.Query{}), []string{})
	}
	db.Script(t, `INSERT INTO allowed VALUES (1)`)
	check(t, "afterwards", errors.Join(Together(t, store, 20, func(i int, tx payments.Tx) error { return tx.InsertOrder(numbered(i)) })...))
}

// failsForOne makes two changes share a transaction. One of them inserts a number that is already
// stored; this fails only at the commit, when the store sends the statement. The other change must
// still be stored.
func failsForOne(t *testing.T, db Database) {
	store := db.Open(t)
	take := func(tx payments.Tx, number string) error {
		_, err := tx.NextNumber("series") // Waits for an answer, so the transaction has begun.
		sale := drawer.CounterSale{Number: number, Till: "T1", Items: numbered(0).Items, Amount: 9000, Given: 9000, At: opening()}
		return errors.Join(err, tx.(drawer.Tx).InsertCash(sale))
	}
	update(t, store, func(tx payments.Tx) error { return take(tx, "taken") })
	runs := ""
	for round := 0; runs != "right wrong right wrong "; round++ {
		if round == maxRounds {
			t.Fatal("no changes shared a transaction in this order")
		}
		runs = ""
		right := round % 2 // Alternate, because it is not known which change the store runs first.
		errs := Together(t, store, 2, func(i int, tx payments.Tx) error {
			if i != right {
				runs += "wrong "
				return take(tx, "taken")
			}
			runs += "right "
			return take(tx, fmt.Sprint(round))
		})
		check(t, "the right change", errs[right])
		if errs[1-right] == nil {
			t.Error("the wrong change was acknowledged")
		}
	}
}

// LastBefore is a migration that stores the last number of the series outdated.
const LastBefore = "CREATE TABLE last_before AS SELECT value FROM counters WHERE series = 'outdated'"

// RunOutdated checks an open store while changes run and a newer program updates the tables. update
// runs the migration [LastBefore] and returns the stored number. After that, all changes and reads
// of older must return the error refused.
func RunOutdated(t *testing.T, older drawer.Store, refused error, update func() (lastBefore int64)) {
	t.Helper()
	var (
		mu      sync.Mutex
		group   sync.WaitGroup
		taken   int64
		begun   = make(chan struct{}, 1)
		updated atomic.Bool
	)
	take := func(tx payments.Tx) error {
		number, err := tx.NextNumber("outdated")
		mu.Lock()
		defer mu.Unlock()
		taken = max(taken, number)
		return err
	}
	for range 4 {
		group.Go(func() {
			var err error
			for late := false; err == nil && !late; {
				late = updated.Load()
				err = older.Update(t.Context(), take)
				select {
				case begun <- struct{}{}:
				default:
				}
			}
			if !errors.Is(err, refused) {
				t.Errorf("a change of the older program: error %v, want %v", err, refused)
			}
		})
	}
	<-begun
	last := update()
	updated.Store(true)
	group.Wait()
	if taken != last {
		t.Errorf("the older program took %d numbers, %d of them before the tables were updated", taken, last)
	}
	if _, err := older.Orders(t.Context(), payments.Query{}); !errors.Is(err, refused) {
		t.Errorf("a read of the older program: error %v, want %v", err, refused)
	}
}
