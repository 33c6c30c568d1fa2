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

func TestFaults(t *testing.T) {
	template := migrated(t)
	storagetest.RunFaults(t, func(t *testing.T) (storagetest.Opener, storagetest.Breaker) {
		address := postgrestest.Like(t, template)
		allow := func(t *testing.T, allowed string) {
			postgrestest.Script(t, postgresOf(address),
				"ALTER DATABASE "+postgrestest.Name(address)+" ALLOW_CONNECTIONS "+allowed)
		}
		open := func(t *testing.T) storagetest.Store { return openAt(t, address) }
		return open, storagetest.Breaker{
			Break: func(t *testing.T) {
				allow(t, "false")
				throwOut(t, address)
			},
			Mend: func(t *testing.T) { allow(t, "true") },
		}
	})
}

func TestAServerThatSaysNothingIsAFaultUntilItSpeaks(t *testing.T) {
	proxy, address := between(t, postgrestest.Database(t))
	store := openAt(t, address, postgres.WithAnswer(200*time.Millisecond))
	notices := store.Watch(t.Context())
	speak := proxy.silence()
	for {
		if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
			break
		}
		<-notices
	}
	if err := store.Update(t.Context(), takeNumber); err == nil {
		t.Error("a change was acknowledged")
	}
	speak()
	for {
		if _, err := store.Orders(t.Context(), payments.Query{}); err == nil {
			break
		}
		<-notices
	}
	if err := store.Update(t.Context(), takeNumber); err != nil {
		t.Error(err)
	}
}

func takeNumber(tx payments.Tx) error {
	_, err := tx.Sales().NextNumber("series")
	return err
}

// taken returns how many numbers were taken, and takes one.
func taken(t *testing.T, store *postgres.Store) (count int64) {
	t.Helper()
	err := store.Update(t.Context(), func(tx payments.Tx) (err error) {
		count, err = tx.Sales().NextNumber("series")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count - 1
}

// Connections that were idle when the server threw them out are no fault.
func TestWhatIsBegunAfterTheServerRestartedWorks(t *testing.T) {
	address := postgrestest.Database(t)
	store := openAt(t, address)
	for range 5 {
		throwOut(t, address)
		if err := store.Update(t.Context(), takeNumber); err != nil {
			t.Error(err)
		}
		if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
			t.Error(err)
		}
	}
}

func TestP5ACommitWhoseAnswerIsLostIsAskedFor(t *testing.T) {
	for name, c := range map[string]struct {
		rule    func(p *proxy) (seen func() bool)
		written bool
	}{
		"it was committed": {func(p *proxy) func() bool {
			asks, seen := once("COMMIT", true)
			answers := afterwards(seen)
			p.set(asks, answers)
			return seen
		}, true},
		"it never reached the server": {func(p *proxy) func() bool {
			asks, seen := once("COMMIT", false)
			p.set(asks, nil)
			return seen
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			proxy, address := between(t, postgrestest.Database(t))
			store := openAt(t, address)
			var lost func() bool
			err := store.Update(t.Context(), func(tx payments.Tx) error {
				lost = c.rule(proxy)
				return takeNumber(tx)
			})
			if (err == nil) != c.written || !lost() {
				t.Errorf("error %v; it was written: %v", err, c.written)
			}
			want := int64(0)
			if c.written {
				want = 1
			}
			direct := openAt(t, address)
			if got := taken(t, direct); got != want {
				t.Errorf("%d numbers were taken, want %d", got, want)
			}
		})
	}
}

// P5: the postmaster is killed while many write. What was acknowledged is
// there, and what was not may be delivered again.
func TestP5AKilledServerLosesNothingThatWasAcknowledged(t *testing.T) {
	server, err := postgrestest.Start()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(server.Remove)
	store := openAt(t, server.Address("postgres"))
	service := payments.New(store, taker{}, time.Now)
	fill(t, store, 400)
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
					receipt, err := service.Receive(t.Context(), success(orderFor(n)), []byte(fmt.Sprint(n)))
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
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	group.Wait()
	again := openAt(t, server.Address("postgres"))
	for _, n := range acknowledged {
		order, events, err := again.Order(t.Context(), orderFor(n).Reference)
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
