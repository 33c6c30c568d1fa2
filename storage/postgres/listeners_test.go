package postgres_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// TestSignsOfLife makes the records of listeners older instead of waiting.
func TestSignsOfLife(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	one, two, till := openAt(t, address), openAt(t, address), openAt(t, address)
	silences := func() (found []time.Duration) {
		for _, listener := range till.Connection().Listeners {
			found = append(found, listener.Silent)
		}
		return found
	}
	// The till reads the records once a second.
	expect := func(what string, names ...string) {
		t.Helper()
		expectSoon(t, what, func() bool {
			return slices.EqualFunc(till.Connection().Listeners, names, func(l payments.Listener, name string) bool { return l.Name == name })
		})
	}
	sequence := func() []string {
		read, err := postgrestest.Try(t, address, "SELECT value FROM meta WHERE key = 'change_seq'")
		must(t, err)
		return read
	}
	expect("there is none at first")
	storagetest.Fill(t, one, 1)
	notices, before := till.Watch(t.Context()), sequence()
	expectNotice(t, notices)

	must(t, one.SignOfLife(t.Context(), "a:1"))
	must(t, two.SignOfLife(t.Context(), "b:2"))
	expect("both are found, the last one first", "b:2", "a:1")
	if silent := slices.Max(silences()); silent > 10*time.Second {
		t.Errorf("got %v right after a sign", silent)
	}
	postgrestest.Script(t, address, "UPDATE listeners SET seen_at = seen_at - 60000 WHERE name = 'b:2'")
	expect("the silent one is last", "a:1", "b:2")
	if silent := silences()[1]; silent < time.Minute || silent > 70*time.Second {
		t.Errorf("got %v a minute after a sign", silent)
	}
	must(t, two.SignOfLife(t.Context(), "b:2"))
	expect("it is back", "b:2", "a:1")
	must(t, two.EndSigns(t.Context(), "b:2"))
	expect("it ended cleanly", "a:1")

	postgrestest.Script(t, address, "UPDATE listeners SET seen_at = seen_at - 86400000")
	must(t, two.SignOfLife(t.Context(), "b:2"))
	expect("one that was never ended is forgotten after a day", "b:2")
	postgrestest.Script(t, address, "UPDATE listeners SET seen_at = seen_at + 3600000")
	expectSoon(t, "a sign from before the server's clock was set back is old", func() bool { return silences()[0] > 50*time.Minute })

	if after := sequence(); !slices.Equal(after, before) {
		t.Errorf("the change sequence went from %v to %v", before, after)
	}
	select {
	case <-notices:
		t.Error("a sign of life woke a watcher")
	default:
	}
}
