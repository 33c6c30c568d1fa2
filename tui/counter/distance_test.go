package counter_test

import (
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

// A till may be far from its database server. Then the number of round trips decides how long the
// cashier waits. The store's polls add round trips, so the test takes the lowest number of several
// sales.
func TestASaleOnADistantServerTakesFewRoundTrips(t *testing.T) {
	road := postgrestest.NewRoad(t, postgrestest.New(t).Address("postgres"), "127.0.0.1:0").Open()
	distant := func() *postgres.Store {
		store, err := postgres.Open(t.Context(), road.Address(), postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		return store
	}
	console, listener := distant(), shoptest.New(t, distant())
	d := sell(t, shoptest.New(t, console, payments.WithDrafts(shoptest.Database(t))))
	notices := console.Watch(t.Context())
	var untilCode, untilPaid []int64
	for range 5 {
		d.add("Vary", 3500)
		d.at.Charge()
		d.at.Yes()
		begun := road.Trips()
		d.until("the code", d.at.CodeShown)
		untilCode = append(untilCode, road.Trips()-begun)
		d.settle()
		for len(notices) > 0 { // Drop the notices of the console's own changes.
			<-notices
		}
		begun = road.Trips()
		listener.Hear(shoptest.Event(d.at.Shown(), payments.PaymentSuccess, ""))
		<-notices
		d.at.Wake()
		d.until("PAID", func() bool { return d.at.Verdict() == payments.VerdictPaid })
		untilPaid = append(untilPaid, road.Trips()-begun)
		d.after(counter.Grace).at.Done(d.at.Shown())
		d.settle()
	}
	if got := slices.Min(untilCode); got > 9 {
		t.Errorf("%d round trips from Enter to the code, want at most 9 (all: %v)", got, untilCode)
	}
	if got := slices.Min(untilPaid); got > 4 {
		t.Errorf("%d round trips from the event to PAID, want at most 4 (all: %v)", got, untilPaid)
	}
}
