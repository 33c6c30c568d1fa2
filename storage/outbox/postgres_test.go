package outbox_test

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/outbox"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

// serve lets a rig keep a shop of twenty orders in a database at a server.
func serve(t *testing.T, r *rig, store *postgres.Store) {
	t.Helper()
	service := payments.New(store, &gatewayOf{}, r.clock.Now)
	for range 20 {
		if _, err := service.Checkout(t.Context(), payments.Terms{
			Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 9000, Quantity: 1}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	r.database = &database{Service: service}
	if err := r.outbox.Close(); err != nil {
		t.Fatal(err)
	}
	r.change = append(r.change, func(c *outbox.Config) { c.Probe = store.Probe })
	r.open()
}

func TestP4APostgreSQLServerIsKilledDuringTwentyWebhooks(t *testing.T) {
	server, err := postgrestest.Start()
	switch {
	case err != nil && os.Getenv("TILL_TEST_REQUIRE") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("there is no PostgreSQL here: ", err)
	}
	t.Cleanup(server.Remove)
	store, err := postgres.Open(t.Context(), server.Address("postgres"), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	r := newRig(t, 0)
	serve(t, r, store)
	post := listen(r)
	const before = 5
	arrivals := map[int]time.Time{}
	for number := 1; number <= 20; number++ {
		if number == before+1 {
			server.Kill()
			// What serves a connection outlives the server by a few commits.
			eventually(t, "the server is gone", func() bool { return store.Probe(t.Context()) != nil })
		}
		r.clock.pass(3 * time.Second)
		arrivals[number] = r.clock.Now()
		want := http.StatusInternalServerError
		if number <= before {
			want = http.StatusOK
		}
		if status := post(body(payments.PaymentSuccess, number, "")); status != want {
			t.Errorf("P4 order %d: answered %d, want %d", number, status, want)
		}
	}
	r.expectLeft(20 - before)
	// Its shared memory is in use until the last of its processes has ended.
	eventually(t, "the server starts again", func() bool { return server.Restart() == nil })
	r.clock.pass(10 * time.Minute)
	// The listener does by itself what is left to do.
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.outbox.Run(ctx) }()
	eventually(t, "nothing waits", func() bool { return r.outbox.State().Events == 0 })
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	r.expectLeft(0)
	for number := 1; number <= 20; number++ {
		order, records := r.find(number)
		if len(records) != 1 || !order.Facts.PaidAt.Equal(arrivals[number]) ||
			order.Verdict(payments.Conditions{}, r.clock.Now()) != payments.VerdictPaid {
			t.Errorf("P4 order %d: %+v, %+v", number, order.Facts, records)
		}
	}
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	late := time.After(time.Minute)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !so() {
		select {
		case <-look.C:
		case <-late:
			t.Fatalf("P4 not in time: %s", what)
		}
	}
}
