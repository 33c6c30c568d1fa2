package postgres_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

// P7: whatever the store does at that moment, it is known within 10 s that
// nothing is heard of the server any more, and it goes on by itself.
func TestP7SilenceIsAFaultWithinTenSeconds(t *testing.T) {
	t.Parallel()
	change := func(store *postgres.Store, within func()) error {
		return store.Update(t.Context(), func(tx payments.Tx) error {
			_, err := tx.Sales().NextNumber("series")
			within()
			return err
		})
	}
	for name, begin := range map[string]func(store *postgres.Store, w *wire) error{
		"P7 while nobody does anything": func(_ *postgres.Store, w *wire) error { w.cut.Store(true); return nil },
		"P7 in the middle of a change": func(store *postgres.Store, w *wire) error {
			return change(store, func() { w.cut.Store(true) })
		},
		"P7 in the middle of a commit": func(store *postgres.Store, w *wire) error {
			return change(store, func() { w.commit.Store(falls) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWire(t, postgrestest.Database(t))
			store := openAt(t, w.address)
			if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
				t.Fatal(err)
			}
			alarm, began := store.Watch(t.Context()), time.Now()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = begin(store, w) // It may have been written or not.
			}()
			failing := func() bool {
				_, err := store.Orders(t.Context(), payments.Query{})
				return err != nil
			}
			<-alarm // Nobody asks before.
			if took := time.Since(began); took > 10*time.Second || !failing() {
				t.Errorf("it was told after %v, and is a fault: %v", took, failing())
			}
			w.cut.Store(false)
			<-ended
			expectSoon(t, "it goes on", func() bool { return !failing() })
		})
	}
}
