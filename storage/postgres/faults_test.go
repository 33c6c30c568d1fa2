package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// Connections that were idle when the server threw them out are no fault.
func TestWhatIsBegunAfterTheServerRestartedWorks(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	store := openAt(t, address)
	for range 5 {
		throwOut(t, address)
		_, err := store.Orders(t.Context(), payments.Query{})
		must(t, err, store.Update(t.Context(), storagetest.TakeNumber))
	}
}

// Nobody knows what became of a commit whose answer was lost: its sender is not
// told that it was stored, and sends it again, which is harmless.
func TestP5ACommitWhoseAnswerIsLostIsRepeated(t *testing.T) {
	for fate, want := range map[int32]payments.Outcome{reaches: payments.Duplicate, misses: payments.Applied} {
		w := newWire(t, postgrestest.Database(t))
		store := openAt(t, w.address)
		storagetest.Fill(t, store, 1)
		event := storagetest.Success(storagetest.Order(0))
		service := payments.New(store, nil, time.Now)
		w.commit.Store(fate)
		if receipt, err := service.Receive(t.Context(), event, []byte("{}")); err == nil {
			t.Errorf("it was acknowledged: %+v", receipt)
		}
		var receipt payments.Receipt
		expectSoon(t, "the event is taken", func() bool {
			var err error
			receipt, err = service.Receive(t.Context(), event, []byte("{}"))
			return err == nil
		})
		if receipt.Outcome != want || receipt.Status != payments.StatusSuccess {
			t.Errorf("%+v, want %s", receipt, want)
		}
		order, events, err := store.Order(t.Context(), event.OrderReference)
		if err != nil || !order.Paid() || len(events) != 1 {
			t.Errorf("%+v, %d events, %v", order.Facts, len(events), err)
		}
	}
}

// P5: the postmaster is killed while many write. What was acknowledged is
// there, and what was not may be delivered again.
func TestP5AKilledServerLosesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	const events, before = 400, 150
	server := postgrestest.New(t)
	store := openAt(t, server.Address("postgres"))
	service := payments.New(store, storagetest.Taker{}, time.Now)
	storagetest.Fill(t, store, events)
	var (
		next   atomic.Int64
		group  sync.WaitGroup
		loaded = make(chan struct{})
		killed atomic.Bool
	)
	for range 16 {
		notices := store.Watch(t.Context())
		group.Go(func() {
			for n := int(next.Add(1)) - 1; n < events; n = int(next.Add(1)) - 1 {
				if n == before {
					close(loaded)
				}
				event := storagetest.Success(storagetest.Order(n))
				for _, err := service.Receive(t.Context(), event, []byte("{}")); err != nil; _, err = service.Receive(t.Context(), event, []byte("{}")) {
					if !killed.Load() && n < before {
						t.Errorf("event %d: %v", n, err)
						return
					}
					select {
					case <-notices:
					case <-time.After(time.Second):
					}
				}
			}
		})
	}
	<-loaded
	killed.Store(true)
	server.Kill()
	must(t, server.Restart())
	group.Wait()
	again := openAt(t, server.Address("postgres"))
	for n := range events {
		order, records, err := again.Order(t.Context(), storagetest.Order(n).Reference)
		if err != nil || !order.Paid() || len(records) != 1 {
			t.Errorf("order %d: paid %v, %d events, %v", n, order.Paid(), len(records), err)
		}
	}
	found, _, err := postgres.Verify(t.Context(), server.Address("postgres"), nil)
	if err != nil || found.Found > 0 {
		t.Errorf("examined: %v, %+v", err, found.Differences)
	}
}
