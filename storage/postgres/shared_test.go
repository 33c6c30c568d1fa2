package postgres_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// P2: whoever listens is cut off, something happens, and the reconnection tells
// of it. The poll is too slow to help.
func TestP2AListenerThatIsCutOffMissesNothing(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	mine, others := openAt(t, address, postgres.Timed(time.Hour, 0)), openAt(t, address)
	storagetest.Fill(t, others, 20)
	notices := mine.Watch(t.Context())
	expectNotice(t, notices) // Of the orders that are there.
	for n := range 20 {
		postgrestest.Script(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event = 'ClientRead'
			AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT value ||%')`)
		receive(t, others, n)
		expectNotice(t, notices)
		if order, _, err := mine.Order(t.Context(), storagetest.Order(n).Reference); err != nil || !order.Paid() {
			t.Fatalf("order %d is not paid when that is told (%v)", n, err)
		}
	}
	if mine.Connection().Polls {
		t.Error("it polls at a server that tells")
	}
}

// P3: a transaction that was begun earlier is committed earlier, however long
// it takes, so that who knows a sequence has seen all before it.
func TestP3CommitsComeInTheOrderOfTheirSequence(t *testing.T) {
	address := postgrestest.Database(t)
	first, second, third := openAt(t, address), openAt(t, address), openAt(t, address)
	holds, release := make(chan struct{}), make(chan struct{})
	insert := func(store *postgres.Store, n int, hold bool) error {
		return store.Update(t.Context(), func(tx payments.Tx) error {
			err := tx.InsertOrder(storagetest.Order(n))
			if hold {
				close(holds)
				<-release
			}
			return err
		})
	}
	var group sync.WaitGroup
	write := func(store *postgres.Store, n int, hold bool) {
		group.Go(func() {
			if err := insert(store, n, hold); err != nil {
				t.Error(err)
			}
		})
	}
	write(first, 1, true)
	<-holds
	write(second, 2, false)
	expectSoon(t, "the second one waits", func() bool {
		waiting, err := postgrestest.Try(t, address, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
		return err == nil && waiting[0] == "1"
	})
	if orders, err := third.Orders(t.Context(), payments.Query{}); err != nil || len(orders) != 0 {
		t.Errorf("%d orders are seen before either is committed (%v)", len(orders), err)
	}
	close(release)
	group.Wait()
	got, err := postgrestest.Try(t, address, "SELECT id || ' ' || reference FROM orders ORDER BY id")
	if want := []string{"1 " + storagetest.Order(1).Reference, "2 " + storagetest.Order(2).Reference}; !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v (%v)", got, want, err)
	}
}
