package postgres_test

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// P2: whoever listens is cut off, something happens, and is told all the same.
func TestP2AListenerThatIsCutOffMissesNothing(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	mine, others := openAt(t, address), openAt(t, address)
	storagetest.Fill(t, others, 20)
	notices := mine.Watch(t.Context())
	expectNotice(t, notices) // Of the orders that are there.
	for n := range 20 {
		postgrestest.Script(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event = 'ClientRead'
			AND query LIKE 'LISTEN%'`)
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

// screen shows the content of its store as of the last notice: it reads at each
// notice, and at no other time.
type screen struct {
	store   *postgres.Store
	notices <-chan struct{}
	shown   map[string]string // By reference; nil after an error.
}

// show shows the content of a store from now on.
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

// expect waits until an order is shown as paid, as waiting or not at all.
func (s *screen) expect(t *testing.T, n int, want string) {
	t.Helper()
	for reference := storagetest.Order(n).Reference; s.shown == nil || s.shown[reference] != want; s.read(t) {
		expectNotice(t, s.notices)
	}
}

// P8: a standby that follows asynchronously takes over without the last commits,
// and has others by the time that it is found, of the same numbers. Everybody
// shows what the new server holds, and hears of what comes there: who lost the
// old server for a while, and who was led to the new one without noticing.
func TestP8AServerThatTakesOverWithoutTheLastCommitsIsReadAnew(t *testing.T) {
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
		screen.expect(t, 9, "waiting") // Who does not follow yet would not be thrown out.
	}
	second.Detach(t, first)
	receive(t, cut, 0)
	charged(t, cut, 7)
	for _, screen := range screens {
		screen.expect(t, 0, "paid")
		screen.expect(t, 7, "waiting")
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
	found, err := storage.Verify(t.Context(), name, nil)
	if err != nil || found.Found > 0 {
		t.Errorf("examined: %v, %+v", err, found.Differences)
	}
}

// leading returns an address that leads to one server or another, as a name in
// the network does.
func leading(t *testing.T) (address string, lead func(to *postgrestest.Server)) {
	t.Helper()
	folder, err := os.MkdirTemp("", "till-name") //nolint:usetesting // The path of a socket may not be long.
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	way := filepath.Join(folder, "way")
	return "postgres://till@/postgres?host=" + url.QueryEscape(way), func(to *postgrestest.Server) {
		t.Helper()
		_ = os.Remove(way) // The first time there is none.
		must(t, os.Symlink(to.Folder, way))
	}
}

// The sequence goes back in place, as after a restore over the database, while
// no connection is lost.
func TestP8ASequenceThatGoesBackIsReadAnew(t *testing.T) {
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
		storagetest.Order(1).Reference+`') UPDATE meta SET value = value - 1 WHERE key = 'change_seq'`)
	screen.expect(t, 1, "waiting")
	receive(t, others, 2)
	screen.expect(t, 2, "paid")
	receive(t, mine, 1)
	screen.expect(t, 1, "paid")
}
