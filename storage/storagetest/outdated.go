package storagetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// LastBefore is a migration that stores how many numbers of a series were taken before the
// migration.
const LastBefore = "CREATE TABLE last_before AS SELECT value FROM counters WHERE series = 'outdated'"

// RunOutdated checks an open store while changes run and a newer program updates the tables. update
// updates them with the migration [LastBefore], and returns the number that the migration has
// stored. All later changes and reads of the older program must return the error refused.
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
