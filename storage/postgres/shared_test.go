package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// ask returns the values of a query's first column as texts.
func ask(t *testing.T, address, query string) []string {
	t.Helper()
	plain, err := pgx.Connect(t.Context(), address)
	must(t, err)
	defer func() { _ = plain.Close(t.Context()) }()
	rows, err := plain.Query(t.Context(), query)
	must(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return found
}

// P2: whoever listens is cut off, something happens, and the reconnection tells
// of it. The poll is too slow to help.
func TestP2AListenerThatIsCutOffMissesNothing(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	mine, others := openAt(t, address, postgres.Timed(time.Hour, 0)), openAt(t, address)
	storagetest.Fill(t, others, 20)
	service, notices := payments.New(others, storagetest.Taker{}, time.Now), mine.Watch(t.Context())
	expectNotice(t, notices) // Of the orders that are there.
	for n := range 20 {
		postgrestest.Script(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event = 'ClientRead'
			AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT value ||%')`)
		if _, err := service.Receive(t.Context(), storagetest.Success(storagetest.Order(n)), []byte("{}")); err != nil {
			t.Fatal(err)
		}
		expectNotice(t, notices)
		if order, _, err := mine.Order(t.Context(), storagetest.Order(n).Reference); err != nil || !order.Paid() {
			t.Fatalf("order %d is not paid when that is told (%v)", n, err)
		}
	}
	if mine.Connection().Polls {
		t.Error("it polls at a server that tells")
	}
}

const patience = 20 * time.Second

// expectNotice waits for a notice.
func expectNotice(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	select {
	case <-notices:
	case <-time.After(patience):
		t.Fatal("no notice came")
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
	group.Go(func() {
		if err := insert(first, 1, true); err != nil {
			t.Error(err)
		}
	})
	<-holds
	group.Go(func() {
		if err := insert(second, 2, false); err != nil {
			t.Error(err)
		}
	})
	for strings.Join(ask(t, address, `SELECT count(*)::text FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`), "") != "1" {
	}
	if orders, err := third.Orders(t.Context(), payments.Query{}); err != nil || len(orders) != 0 {
		t.Errorf("%d orders are seen before either is committed (%v)", len(orders), err)
	}
	close(release)
	group.Wait()
	got := ask(t, address, "SELECT id || ' ' || reference FROM orders ORDER BY id")
	want := []string{"1 " + storagetest.Order(1).Reference, "2 " + storagetest.Order(2).Reference}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("stored %v, want %v", got, want)
	}
}
