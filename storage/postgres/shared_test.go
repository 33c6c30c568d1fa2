package postgres_test

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// A change during the loss of the LISTEN connection must still cause a notice.
func TestALostListenConnectionMissesNoChange(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	mine, others := openAt(t, address), openAt(t, address)
	storagetest.Fill(t, others, 20)
	notices := mine.Watch(t.Context())
	expectNotice(t, notices) // Drop the notice about the inserted orders.
	for n := range 20 {
		postgrestest.Script(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event = 'ClientRead'
			AND query LIKE 'LISTEN%'`)
		receive(t, others, n)
		expectNotice(t, notices)
		if order, _, err := mine.Order(t.Context(), storagetest.Order(n).Reference); err != nil || !order.Paid() {
			t.Fatalf("order %d is not paid after the notice (%v)", n, err)
		}
	}
	if mine.Connection().Polls {
		t.Error("the store polls although the server sends notifications")
	}
}

// oneWaits reports whether exactly one connection to a database waits for a lock.
func oneWaits(t *testing.T, address string) bool {
	t.Helper()
	waiting, err := postgrestest.Try(t, address, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
	return err == nil && waiting[0] == "1"
}

// Transactions commit in the order of their sequence numbers, however long each takes. So a reader
// that has seen a sequence number has seen all smaller ones.
func TestCommitsFollowTheirSequence(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	first, second, third := openAt(t, address), openAt(t, address), openAt(t, address)
	holds, release := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	write := func(store *postgres.Store, n int, hold bool) {
		group.Go(func() {
			err := store.Update(t.Context(), func(tx payments.Tx) error {
				err := tx.InsertOrder(storagetest.Order(n))
				if hold {
					close(holds)
					<-release
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	write(first, 1, true)
	<-holds
	write(second, 2, false)
	expectSoon(t, "the second one waits", func() bool { return oneWaits(t, address) })
	if orders, err := third.Orders(t.Context(), payments.Query{}); err != nil || len(orders) != 0 {
		t.Errorf("got %d orders before either commit, want 0 (%v)", len(orders), err)
	}
	close(release)
	group.Wait()
	got, err := postgrestest.Try(t, address, "SELECT id || ' ' || reference FROM orders ORDER BY id")
	if want := []string{"1 " + storagetest.Order(1).Reference, "2 " + storagetest.Order(2).Reference}; !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v (%v)", got, want, err)
	}
}

// A till must not add to a database while a shop is copied into it: the copy ends with the head of
// the copied ledger.
func TestAChangeWaitsForACopyIntoItsDatabase(t *testing.T) {
	t.Parallel()
	from, to := postgrestest.Database(t), postgrestest.Database(t)
	must(t, openAt(t, from).Close())
	till := openAt(t, to)
	endpoint := func(address string) sqlstore.Endpoint {
		opened, err := postgres.OpenEndpoint(t.Context(), address)
		must(t, err)
		t.Cleanup(func() { _ = opened.Pool.Close() })
		return opened
	}
	source, target := endpoint(from), endpoint(to)
	holder, err := endpoint(from).Pool.Conn(t.Context())
	must(t, err)
	defer holder.Close()
	_, err = holder.ExecContext(t.Context(), "BEGIN; LOCK TABLE customers IN ACCESS EXCLUSIVE MODE")
	must(t, err)
	copied, changed := make(chan error, 1), make(chan struct{})
	go func() {
		_, err := sqlstore.Copy(t.Context(), source, target)
		copied <- err
	}()
	expectSoon(t, "the copy waits for the last table", func() bool { return oneWaits(t, from) })
	var released, ran atomic.Bool
	go func() {
		defer close(changed)
		_ = till.Update(t.Context(), func(tx payments.Tx) error { // On a busy machine, it may wait longer than a till waits.
			_, err := tx.NextNumber("series")
			ran.Store(err == nil && !released.Load())
			return err
		})
	}()
	expectSoon(t, "the till waits", func() bool { return oneWaits(t, to) || ran.Load() })
	released.Store(true)
	_, err = holder.ExecContext(t.Context(), "ROLLBACK")
	must(t, err, <-copied)
	<-changed
	if ran.Load() {
		t.Error("a change ran during the copy")
	}
}

// The server lets a till wait for its turn for at most three seconds.
func TestALongBatchLeavesAnotherTillItsTurn(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	mine := openAt(t, address)
	begins, waits, turn := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var leads atomic.Bool // Whether the first change of the batch has begun.
	var group sync.WaitGroup
	group.Go(func() {
		for _, err := range storagetest.Together(t, mine, 8, func(_ int, tx payments.Tx) error {
			_, err := tx.NextNumber("series") // The transaction waits for its turn here.
			if leads.CompareAndSwap(false, true) {
				close(begins)
				<-waits
				<-time.After(time.Second) // A batch may take this long.
			} else {
				<-turn
			}
			return err
		}) {
			if err != nil {
				t.Error(err)
			}
		}
	})
	<-begins
	ended := make(chan error, 1)
	go func() { // This goroutine does not use a store, which would wait for only three seconds: on a busy machine, the turn of the batch may take longer.
		_, err := postgrestest.Try(t, address, "SET lock_timeout = '20s'; "+postgres.Turn())
		ended <- err
	}()
	expectSoon(t, "the other till waits", func() bool { return oneWaits(t, address) })
	close(waits)
	err := <-ended
	close(turn)
	group.Wait()
	must(t, err)
}

// screen shows the orders as they were at the store's last notice. It reads the store only after a
// notice.
type screen struct {
	store   *postgres.Store
	notices <-chan struct{}
	shown   map[string]string // Status by order reference; nil after an error.
}

func show(t *testing.T, store *postgres.Store) *screen {
	t.Helper()
	s := &screen{store: store, notices: store.Watch(t.Context())}
	s.read(t)
	return s
}

func (s *screen) read(t *testing.T) {
	t.Helper()
	orders, err := s.store.Orders(t.Context(), payments.Query{})
	if s.shown = nil; err != nil {
		return
	}
	s.shown = map[string]string{}
	for _, order := range orders {
		s.shown[order.Reference] = map[bool]string{true: "paid", false: "waiting"}[order.Paid()]
	}
}

// expect waits until an order is shown as "paid" or "waiting", or, for "", is not shown.
func (s *screen) expect(t *testing.T, n int, want string) {
	t.Helper()
	for reference := storagetest.Order(n).Reference; s.shown == nil || s.shown[reference] != want; s.read(t) {
		expectNotice(t, s.notices)
	}
}

// An asynchronous standby that lacks the last commits is promoted. It then stores other changes
// with the same sequence numbers. Both screens must show the content of the new server and receive
// its notices. The store of one screen loses its connections; the store of the other is redirected
// without an error.
func TestFailoverThatLostCommitsIsReread(t *testing.T) {
	t.Parallel()
	first := postgrestest.New(t)
	second := first.Standby(t)
	name, lead := leading(t)
	lead(first)
	cut := openAt(t, postgrestest.Either(first, second, "postgres"))
	led := openAt(t, name)
	storagetest.Fill(t, cut, 3)
	screens := map[*postgres.Store]*screen{cut: show(t, cut), led: show(t, led)}
	charged(t, openAt(t, first.Address("postgres")), 9)
	for _, screen := range screens {
		screen.expect(t, 9, "waiting") // Both stores must listen before their connections are closed.
	}
	second.Detach(t, first)
	receive(t, cut, 0)
	charged(t, cut, 7)
	for _, screen := range screens {
		screen.expect(t, 0, "paid")
		screen.expect(t, 7, "waiting")
	}

	if _, err := postgres.Open(t.Context(), second.Address("postgres"), postgres.Options{}); !errors.Is(err, postgres.ErrStandby) || !postgres.Away(err) {
		t.Errorf("the standby: error %v, want ErrStandby, which Away accepts", err)
	}
	second.Promote(t)
	others := openAt(t, second.Address("postgres"))
	receive(t, others, 1)
	charged(t, others, 8)
	lead(second)
	throwOut(t, first.Address("postgres"))
	screens[led].expect(t, 1, "paid")
	first.Kill()
	for _, screen := range screens {
		screen.expect(t, 0, "waiting")
		screen.expect(t, 1, "paid")
		screen.expect(t, 7, "")
		screen.expect(t, 8, "waiting")
	}
	receive(t, others, 2)
	for _, screen := range screens {
		screen.expect(t, 2, "paid")
	}
	for _, store := range []*postgres.Store{cut, led} {
		must(t, store.Update(t.Context(), storagetest.TakeNumber))
	}
	found, err := storage.Verify(t.Context(), name, storage.Checks{Now: time.Now()})
	if err != nil || found.Found > 0 {
		t.Errorf("Verify returned %v with %+v", err, found.Differences)
	}
}

// leading returns an address, and a function that redirects the address to another server, like a
// change in the DNS.
func leading(t *testing.T) (address string, lead func(to *postgrestest.Server)) {
	t.Helper()
	folder, err := os.MkdirTemp("", "till-name") //nolint:usetesting // Socket paths must be short.
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	way := filepath.Join(folder, "way")
	return "postgres://till@/postgres?host=" + url.QueryEscape(way), func(to *postgrestest.Server) {
		t.Helper()
		_ = os.Remove(way) // At the first call, there is no link to remove.
		must(t, os.Symlink(to.Folder, way))
	}
}

// The sequence decreases without a lost connection, as after a restore into the same database. It
// decreases by more than the test adds afterwards: if it reached the old value again, a late
// notification would hide the change.
func TestASequenceThatGoesBackIsReread(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	mine, others := openAt(t, address), openAt(t, address)
	storagetest.Fill(t, others, 3)
	for n := range 2 {
		receive(t, others, n)
	}
	screen := show(t, mine)
	screen.expect(t, 1, "paid")
	postgrestest.Script(t, address, `WITH gone AS (DELETE FROM events WHERE sequence = 2),
		back AS (UPDATE orders SET status = 'pending', paid_at = NULL, success_seen = false, open = true WHERE reference = '`+
		storagetest.Order(1).Reference+`') UPDATE meta SET value = value - 1000 WHERE key = 'change_seq'`)
	screen.expect(t, 1, "waiting")
	receive(t, others, 2)
	screen.expect(t, 2, "paid")
	receive(t, mine, 1)
	screen.expect(t, 1, "paid")
}
