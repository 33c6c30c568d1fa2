package postgres_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// Connections that the server closed while they were idle must cause no error.
func TestCallsAfterAServerRestartWork(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	store := openAt(t, address)
	var faults []error
	for range 5 {
		throwOut(t, address)
		_, err := store.Orders(t.Context(), payments.Query{})
		if err = errors.Join(err, store.Update(t.Context(), storagetest.TakeNumber)); err != nil {
			faults = append(faults, err)
			expectSoon(t, "it works again", func() bool { return store.Update(t.Context(), storagetest.TakeNumber) == nil })
		}
	}
	if len(faults) > 1 { // The store's own poll may have failed once.
		t.Error(faults)
	}
}

func newRoad(t *testing.T, database string) *postgrestest.Road {
	t.Helper()
	return postgrestest.NewRoad(t, database, "127.0.0.1:0").Open()
}

// If the answer to a commit is lost, its result is unknown. Receive returns an error, and the
// sender delivers the event again, which is harmless.
func TestACommitWithALostAnswerIsRepeated(t *testing.T) {
	for fate, want := range map[postgrestest.Fate]payments.Effect{postgrestest.Reaches: payments.Duplicate, postgrestest.Misses: payments.Applied} {
		road := newRoad(t, postgrestest.Database(t))
		store := openAt(t, road.Address())
		storagetest.Fill(t, store, 1)
		event := storagetest.Success(storagetest.Order(0))
		service := payments.New(store, nil, time.Now)
		road.NextCommit(fate)
		if receipt, err := service.Receive(t.Context(), event, []byte("{}")); !errors.Is(err, payments.ErrCommitUnknown) {
			t.Errorf("the lost commit was answered with %+v, %v", receipt, err)
		}
		var receipt payments.Receipt
		expectSoon(t, "the event is taken", func() bool {
			var err error
			receipt, err = service.Receive(t.Context(), event, []byte("{}"))
			return err == nil
		})
		if receipt.Effect != want || receipt.Status != payments.StatusSuccess {
			t.Errorf("got %+v, want %s", receipt, want)
		}
		order, events, err := store.Order(t.Context(), event.OrderReference)
		if err != nil || !order.Paid() || len(events) != 1 {
			t.Errorf("got %+v, %d events, error %v", order.Facts, len(events), err)
		}
	}
}

// Several changes share a commit, and the connection breaks before the server receives the commit.
func TestALostCommitIsAcknowledgedToNoneOfItsChanges(t *testing.T) {
	t.Parallel()
	road := newRoad(t, postgrestest.Database(t))
	store := openAt(t, road.Address())
	const count = 10
	lost := 0
	for begun := 0; lost < 2; begun += count {
		if begun == 100*count {
			t.Fatal("no changes shared a commit")
		}
		ran := make([]bool, count)
		errs := storagetest.Together(t, store, count, func(i int, tx payments.Tx) error {
			ran[i] = true
			if i == 0 {
				road.NextCommit(postgrestest.Misses)
			}
			return tx.InsertOrder(storagetest.Order(begun + i))
		})
		expectSoon(t, "it goes on", func() bool { return store.Update(t.Context(), storagetest.TakeNumber) == nil })
		lost = 0
		for i, err := range errs {
			_, _, missing := store.Order(t.Context(), storagetest.Order(begun+i).Reference)
			if missing != nil {
				lost++
			}
			// Only a change that began before the fault may have an unknown result: another was not stored.
			unknown := err != nil && ran[i]
			if (err == nil) != (missing == nil) || errors.Is(err, payments.ErrCommitUnknown) != unknown {
				t.Errorf("order %d: the change returned %v, the read %v", i, err, missing)
			}
		}
	}
}

// The server's main process is killed, in some tests during parallel writes.
func TestAKilledServerLosesNoAcknowledgedChange(t *testing.T) {
	t.Parallel()
	storagetest.RunFaults(t, storagetest.Plain, func(t *testing.T) storagetest.Database {
		server := postgrestest.New(t)
		return storagetest.Database{
			Open:  func(t *testing.T) storagetest.Store { return openAt(t, server.Address("postgres")) },
			Break: func(*testing.T) { server.Kill() },
			Mend:  func(t *testing.T) { must(t, server.Restart()) },
		}
	})
}

func TestTwoConsolesCannotShareAName(t *testing.T) {
	t.Parallel()
	address, other := postgrestest.Database(t), postgrestest.Database(t)
	take := func(address, name string) (*postgres.Store, error) {
		store, err := postgres.Open(t.Context(), address, postgres.Options{Till: name})
		if err == nil {
			t.Cleanup(func() { _ = store.Close() })
		}
		return store, err
	}
	first, err := take(address, "T1")
	must(t, err)
	for _, name := range []string{"T1", "t1", "T-1 é"} {
		if _, err := take(address, name); !errors.Is(err, postgres.ErrNameTaken) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := take(address, "T2"); err != nil {
		t.Errorf("another name: %v", err)
	}
	if _, err := take(other, "T1"); err != nil {
		t.Errorf("another shop: %v", err)
	}
	// The console keeps its name when its connections are lost.
	throwOut(t, address)
	expectSoon(t, "it goes on", func() bool { return first.Update(t.Context(), storagetest.TakeNumber) == nil })
	// While the first console reconnects, another console may take the name. The test closes the other
	// console immediately, so the first one gets the name again.
	expectSoon(t, "the first console has its name again", func() bool {
		second, err := take(address, "T1")
		if err == nil {
			_ = second.Close()
		}
		return errors.Is(err, postgres.ErrNameTaken)
	})
	must(t, first.Close())
	expectSoon(t, "the name is free again", func() bool {
		_, err := take(address, "T1")
		return err == nil
	})
}

// After a network failure, the server has not noticed yet that the console's old connection is
// dead. This connection must not prevent the console from using its name.
func TestAConsoleTakesItsNameBackFromItsOwnLostConnection(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	road := newRoad(t, address)
	options := postgres.Impatient(time.Second)
	options.Till = "T1"
	store := openAt(t, road.Address(), options)
	road.LeaveOpen()
	road.Hush(true)
	expectSoon(t, "the silence is noticed", func() bool { return store.Update(t.Context(), storagetest.TakeNumber) != nil })
	road.Hush(false)
	expectSoon(t, "it goes on", func() bool { return store.Update(t.Context(), storagetest.TakeNumber) == nil })
}

func TestALazyStoreOpensBeforeItsServerIsUp(t *testing.T) {
	t.Parallel()
	road := newRoad(t, postgrestest.Database(t))
	road.Hush(true)
	began := time.Now()
	store := openAt(t, road.Address(), postgres.Options{Lazy: 300 * time.Millisecond, Till: "T1"})
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("opened after %v", took)
	}
	notices := store.Watch(t.Context())
	if _, err := store.Orders(t.Context(), payments.Query{}); err == nil || store.Outage() == nil {
		t.Errorf("orders were read without a server (%v, %v)", err, store.Outage())
	}
	road.Hush(false)
	expectSoon(t, "it begins", func() bool { return store.Outage() == nil })
	expectNotice(t, notices)
	must(t, store.Update(t.Context(), storagetest.TakeNumber))
	if _, err := postgres.Open(t.Context(), "postgres://till@127.0.0.1:1/till", postgres.Options{}); !postgres.Away(err) {
		t.Errorf("got error %v, want one that Away accepts", err)
	}
}

// The store notices a silent server within ten seconds, whatever the store does at that moment, and
// recovers without help.
func TestSilenceIsAFaultWithinTenSeconds(t *testing.T) {
	t.Parallel()
	change := func(store *postgres.Store, within func()) error {
		return store.Update(t.Context(), func(tx payments.Tx) error {
			_, err := tx.NextNumber("series")
			within()
			return err
		})
	}
	for name, begin := range map[string]func(store *postgres.Store, road *postgrestest.Road) error{
		"while the store is idle": func(_ *postgres.Store, road *postgrestest.Road) error { road.Hush(true); return nil },
		"in the middle of a change": func(store *postgres.Store, road *postgrestest.Road) error {
			return change(store, func() { road.Hush(true) })
		},
		"in the middle of a commit": func(store *postgres.Store, road *postgrestest.Road) error {
			return change(store, func() { road.NextCommit(postgrestest.Falls) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			road := newRoad(t, postgrestest.Database(t))
			store := openAt(t, road.Address())
			if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
				t.Fatal(err)
			}
			alarm, began := store.Watch(t.Context()), time.Now()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = begin(store, road) // The commit may have succeeded.
			}()
			failing := func() bool {
				_, err := store.Orders(t.Context(), payments.Query{})
				return err != nil
			}
			<-alarm // The store must notice the fault and wake its watcher without a call.
			if took := time.Since(began); took > 10*time.Second || !failing() {
				t.Errorf("woken after %v, calls fail: %v", took, failing())
			}
			road.Hush(false)
			<-ended
			expectSoon(t, "it goes on", func() bool { return !failing() })
		})
	}
}
