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
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Close(t.Context()) }()
	rows, err := plain.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestP1FourKindsAtOnceForManyOrdersThroughTwoProcesses(t *testing.T) {
	address := postgrestest.Database(t)
	stores := []*postgres.Store{openAt(t, address), openAt(t, address)}
	const orders = 200
	storagetest.Fill(t, stores[0], orders)
	var group sync.WaitGroup
	for i, kind := range payments.EventKinds() {
		service := payments.New(stores[i%2], storagetest.Taker{}, time.Now)
		for worker := range 4 {
			group.Go(func() {
				for n := worker; n < orders; n += 4 {
					event := storagetest.Success(storagetest.Order(n))
					event.Kind = kind
					receipt, err := service.Receive(t.Context(), event, []byte("{}"))
					// Who waits for too long for a busy server answers 500, and the
					// service sends the event again.
					for again := 0; err != nil && again < 5; again++ {
						receipt, err = service.Receive(t.Context(), event, []byte("{}"))
					}
					if err != nil || receipt.Outcome == payments.Duplicate {
						t.Errorf("order %d, %s: %s, %v", n, kind, receipt.Outcome, err)
					}
				}
			})
		}
	}
	group.Wait()
	for n := range orders {
		order, events, err := stores[n%2].Order(t.Context(), storagetest.Order(n).Reference)
		if err != nil || len(events) != 4 || !order.Paid() {
			t.Fatalf("order %d: %d events, paid %v, %v", n, len(events), order.Paid(), err)
		}
		if last, _ := events[3].Event.Kind.Status(); order.Status != last {
			t.Errorf("order %d is %s, and the last event says %s", n, order.Status, last)
		}
	}
	found, _, err := postgres.Verify(t.Context(), address, nil)
	if err != nil || found.Found != 0 || found.Orders != orders || found.Events != 4*orders {
		t.Errorf("examined %d orders and %d events: %+v, %v", found.Orders, found.Events, found.Differences, err)
	}
	gaps := ask(t, address, "SELECT (max(sequence) - count(*))::text FROM events UNION ALL SELECT (max(id) - count(*))::text FROM orders")
	if strings.Join(gaps, " ") != "0 0" {
		t.Errorf("numbers are missing: %s", gaps)
	}
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
