package sqlite_test

import (
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

// Whatever happens to the files while many write: what was acknowledged is
// there in the end, and the store works again each time.
func TestS5WhatIsAcknowledgedAmongFaultsIsThere(t *testing.T) {
	harms, random := storagetest.Size(4, 40), rand.New(rand.NewPCG(7, 7))
	path := whole(t)
	store := openAt(t, path)
	notices := store.Watch(t.Context())
	var (
		next, done atomic.Int64
		mu         sync.Mutex
		stored     []int
		group      sync.WaitGroup
	)
	next.Store(10)
	for range 4 {
		mine := store.Watch(t.Context())
		group.Go(func() {
			for done.Load() == 0 {
				n := int(next.Add(1))
				if store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(n)) }) != nil {
					<-mine
					continue
				}
				mu.Lock()
				stored = append(stored, n)
				mu.Unlock()
			}
		})
	}
	acknowledged := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(stored)
	}
	for range harms {
		switch random.IntN(3) {
		case 0:
			must(t, os.Rename(path, path+".away"), os.Rename(path+".away", path))
		case 1:
			for _, suffix := range []string{"", "-wal", "-shm"} {
				must(t, os.Rename(path+suffix, path+suffix+".away"))
			}
			for _, suffix := range []string{"-wal", "-shm", ""} {
				must(t, os.Rename(path+suffix+".away", path+suffix))
			}
		case 2:
			script(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
		}
		// Until much was stored since.
		for before := acknowledged(); acknowledged() < before+20; {
			if _, err := store.Orders(t.Context(), payments.Query{Limit: 1}); err != nil {
				<-notices
			}
		}
	}
	done.Store(1)
	for store.Update(t.Context(), storagetest.TakeNumber) != nil { // It wakes who waits.
		<-notices
	}
	group.Wait()
	must(t, store.Close())
	expectWhole(t, path)
	again := openAt(t, path)
	for _, n := range stored {
		if _, _, err := again.Order(t.Context(), storagetest.Order(n).Reference); err != nil {
			t.Errorf("order %d was acknowledged: %v", n, err)
		}
	}
	t.Logf("%d of %d changes were acknowledged", len(stored), next.Load()-10)
}
