package sqlite_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// noticed tells whether a notice lies ready.
func noticed(notices <-chan struct{}) bool {
	select {
	case _, open := <-notices:
		return open
	default:
		return false
	}
}

func TestAProbeWritesAndWakesNobody(t *testing.T) {
	path := whole(t)
	mine, others := openAt(t, path), openAt(t, path)
	notices := []<-chan struct{}{mine.Watch(t.Context()), others.Watch(t.Context())}
	for range 10 {
		must(t, mine.Probe(t.Context()))
	}
	// What is written after the probes is the first that is noticed.
	if noticed(notices[0]) {
		t.Error("a probe woke its own process")
	}
	must(t, mine.Update(t.Context(), storagetest.TakeNumber))
	<-notices[0]
	<-notices[1]
	var probes int64
	if err := raw(t, path).QueryRowContext(t.Context(), "SELECT value FROM meta WHERE key = 'probe'").Scan(&probes); err != nil || probes != 10 {
		t.Errorf("%d probes were written, want 10 (%v)", probes, err)
	}
	must(t, mine.Close())
	if err := mine.Probe(t.Context()); err == nil {
		t.Error("a closed store can be written")
	}
}

func TestClosingLeavesOneWholeFile(t *testing.T) {
	path := whole(t)
	store := openAt(t, path)
	store.Watch(t.Context())
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := store.Update(t.Context(), storagetest.TakeNumber); err != nil {
				t.Error(err)
			}
			if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for range 2 { // Twice does no harm.
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
	if left := files(t, filepath.Dir(path)); !slices.Equal(left, []string{"till.db"}) {
		t.Errorf("files %q are left, want till.db alone", left)
	}
}

func TestTwoProcessesMayMakeADatabaseAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "till.db")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			store, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := store.Update(t.Context(), storagetest.TakeNumber); err != nil {
				t.Error(err)
			}
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	err := openAt(t, path).Update(t.Context(), func(tx payments.Tx) error {
		number, err := tx.Sales().NextNumber("series")
		if number != 9 {
			t.Errorf("number %d, want 9: something was written to another file", number)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	left := files(t, filepath.Dir(path))
	if slices.ContainsFunc(left, func(name string) bool { return strings.Contains(name, ".new-") }) {
		t.Errorf("files %q are left", left)
	}
}

func TestOpeningEndsWithItsContext(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	leave()
	path := filepath.Join(t.TempDir(), "till.db")
	if store, err := sqlite.Open(ctx, path); err == nil {
		_ = store.Close()
		t.Error("opened")
	}
	if left := files(t, filepath.Dir(path)); len(left) != 0 {
		t.Errorf("files %q are left", left)
	}
	ctx, leave = context.WithCancel(t.Context())
	store, err := sqlite.Open(ctx, path)
	must(t, err)
	leave() // Ends the opening, not the store.
	if err := store.Update(t.Context(), storagetest.TakeNumber); err != nil {
		t.Error(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}
