package postgres_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// throwOut ends all connections to a database, and waits until they are gone: the
// server does not.
func throwOut(t *testing.T, address string) {
	t.Helper()
	postgrestest.Script(t, postgresOf(address), "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = '"+
		postgrestest.Name(address)+"'")
}

// postgresOf is the address of the server's first database.
func postgresOf(address string) string {
	name := postgrestest.Name(address)
	return string(bytes.Replace([]byte(address), []byte("/"+name), []byte("/postgres"), 1))
}

// Connections that were idle when the server threw them out are no fault.
func TestWhatIsBegunAfterTheServerRestartedWorks(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	store := openAt(t, address)
	for range 5 {
		throwOut(t, address)
		if err := store.Update(t.Context(), storagetest.TakeNumber); err != nil {
			t.Error(err)
		}
		if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
			t.Error(err)
		}
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
	server, err := postgrestest.Start()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(server.Remove)
	store := openAt(t, server.Address("postgres"))
	service := payments.New(store, storagetest.Taker{}, time.Now)
	storagetest.Fill(t, store, 400)
	var (
		next         atomic.Int64
		mu           sync.Mutex
		acknowledged []int
		group        sync.WaitGroup
		loaded       = make(chan struct{})
		killed       atomic.Bool
	)
	for range 16 {
		notices := store.Watch(t.Context())
		group.Go(func() {
			for n := int(next.Add(1)) - 1; n < 400; n = int(next.Add(1)) - 1 {
				if n == 150 {
					close(loaded)
				}
				for {
					receipt, err := service.Receive(t.Context(), storagetest.Success(storagetest.Order(n)), []byte(fmt.Sprint(n)))
					if err == nil && (receipt.Outcome == payments.Applied || receipt.Outcome == payments.Duplicate) {
						break
					}
					if err == nil || !killed.Load() && n < 150 {
						t.Errorf("event %d: %s, %v", n, receipt.Outcome, err)
						return
					}
					select {
					case <-notices:
					case <-time.After(time.Second):
					}
				}
				mu.Lock()
				acknowledged = append(acknowledged, n)
				mu.Unlock()
			}
		})
	}
	<-loaded
	killed.Store(true)
	server.Kill()
	must(t, server.Restart())
	group.Wait()
	again := openAt(t, server.Address("postgres"))
	for _, n := range acknowledged {
		order, events, err := again.Order(t.Context(), storagetest.Order(n).Reference)
		if err != nil || !order.Paid() || len(events) != 1 {
			t.Errorf("order %d: paid %v, %d events, %v", n, order.Paid(), len(events), err)
		}
	}
	if len(acknowledged) != 400 {
		t.Errorf("%d of 400 events are acknowledged", len(acknowledged))
	}
	found, _, err := postgres.Verify(t.Context(), server.Address("postgres"), nil)
	if err = errors.Join(err); err != nil || found.Found > 0 {
		t.Errorf("examined: %v, %+v", err, found.Differences)
	}
}
