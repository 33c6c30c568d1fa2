package outbox_test

import (
	"testing"
	"time"

	"checkout/till/storage/outbox"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

func TestP4APostgreSQLServerIsKilledDuringTwentyWebhooks(t *testing.T) {
	server := postgrestest.New(t)
	store, err := postgres.Open(t.Context(), server.Address("postgres"), postgres.Options{})
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	r := newRig(t, func(c *outbox.Config) { c.Probe = store.Probe })
	must(t, r.outbox.Close())
	r.serve(store)
	twentyWebhooks(r, func() {
		server.Kill()
		// What serves a connection outlives the server by a few commits.
		eventually(t, "the server is gone", func() bool { return store.Probe(t.Context()) != nil })
	}, func() {
		must(t, server.Restart())
		eventually(t, "nothing waits", func() bool { return r.outbox.Drain(t.Context()) == nil })
	})
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for late := time.After(time.Minute); !so(); {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-late:
			t.Fatalf("P4 not in time: %s", what)
		}
	}
}
