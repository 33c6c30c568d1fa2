package outbox_test

import (
	"context"
	"os"
	"sync"
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
	twentyWebhooks(r, func() {
		server.Kill()
		// What serves a connection outlives the server by a few commits.
		eventually(t, "the server is gone", func() bool { return store.Probe(t.Context()) != nil })
	}, func() {
		// Its shared memory is in use until the last of its processes has ended.
		eventually(t, "the server starts again", func() bool { return server.Restart() == nil })
		// The listener does by itself what is left to do.
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = r.outbox.Run(ctx) })
		eventually(t, "nothing waits", func() bool { return r.outbox.State().Events == 0 })
		stop()
		running.Wait()
	})
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
