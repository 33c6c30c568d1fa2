package postgres_test

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

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
	cut := openAt(t, postgrestest.Either(first, second, "postgres"), postgres.Timed(time.Hour, 0))
	led := openAt(t, name, postgres.Timed(time.Hour, 0))
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
	found, _, err := postgres.Verify(t.Context(), name, nil)
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
