package tui_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// A till may be far from its database server, so the number of round trips decides how long the
// cashier waits. The test counts the round trips of all connections of a console and of a separate
// listener. Polling adds a few, so the test uses the lowest number of several sales.
func TestASaleOnADistantServerTakesFewRoundTrips(t *testing.T) {
	road := postgrestest.NewRoad(t, postgrestest.New(t).Address("postgres"), "127.0.0.1:0").Open()
	distant := func() *postgres.Store {
		store, err := postgres.Open(t.Context(), road.Address(), postgres.Options{})
		tuitest.Must(t, err)
		t.Cleanup(func() { _ = store.Close() })
		return store
	}
	listener := shoptest.New(t, distant())
	shop := shoptest.New(t, distant(), payments.WithDrafts(shoptest.Database(t)))
	if err := shop.HoldTill(t.Context(), shoptest.Till); err != nil { // A console does this when it opens its shop.
		t.Fatal(err)
	}
	c := at(t, shop, func(c *console) { c.config.Shared = true })
	c.Resize(120, 36) // At this size, the screen has the pane of the day.
	notices := c.Watch(t.Context())
	// during returns the number of round trips from the beginning of an act until the console has read
	// the last change.
	during := func(act func()) int64 {
		begun := road.Trips()
		act()
		for {
			select {
			case <-notices:
				c.wake()
			case <-time.After(100 * time.Millisecond):
				return road.Trips() - begun
			}
		}
	}
	var untilCode, untilPaid []int64
	quiet := func() { c.after(time.Minute).after(time.Minute) } // After this, all screens have read what they need.
	for range 5 {
		c.enter("Vary 3500", "")
		quiet()
		untilCode = append(untilCode, during(func() { c.enter("") }))
		c.Sees("WAITING")
		quiet()
		listener.Advance(c.Now().Sub(listener.Now()))
		order := c.newest()
		untilPaid = append(untilPaid, during(func() { listener.Hear(shoptest.Event(order, payments.PaymentSuccess, "")) }))
		c.Sees("PAID")
		c.after(counter.Grace).press("enter")
	}
	if got := slices.Min(untilCode); got > 10 {
		t.Errorf("%d round trips from Enter to the code, want at most 10 (all: %v)", got, untilCode)
	}
	if got := slices.Min(untilPaid); got > 4 {
		t.Errorf("%d round trips from the event to PAID, want at most 4 (all: %v)", got, untilPaid)
	}
}
