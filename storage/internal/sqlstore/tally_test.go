package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

// again delivers an event that is known and expects it to be called so.
func again(t *testing.T, service *payments.Service, event payments.Event) {
	t.Helper()
	receipt, err := service.Receive(t.Context(), event, []byte("{}"))
	if err != nil || receipt.Outcome != payments.Duplicate {
		t.Fatalf("%+v, %v", receipt, err)
	}
}

// deliveries returns how often the only event of REF_1 came.
func deliveries(t *testing.T, store *sqlstore.Store) int64 {
	t.Helper()
	_, events, err := store.Order(t.Context(), "REF_1")
	if err != nil || len(events) != 1 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	return events[0].Count
}

func TestADuplicateCostsNoCommit(t *testing.T) {
	path := empty(t)
	store, writer, _ := open(t, path)
	service, _ := shopAt(t, store)
	writer.reset()
	for range 100 {
		again(t, service, successOf("REF_1"))
	}
	if commits := writer.count("COMMIT"); commits != 0 {
		t.Errorf("%d commits for 100 duplicates", commits)
	}
	if got := deliveries(t, store); got != 101 {
		t.Errorf("%d deliveries are shown, want 101", got)
	}
	other, _, _ := open(t, path)
	if got := deliveries(t, other); got != 1 {
		t.Errorf("%d deliveries are on disk, want 1", got)
	}
	receive(t, service, "REF_2")
	for name, s := range map[string]*sqlstore.Store{"here": store, "in another process": other} {
		if got := deliveries(t, s); got != 101 {
			t.Errorf("%d deliveries are shown %s after the next commit, want 101", got, name)
		}
	}
	if commits, counted := writer.count("COMMIT"), writer.count("UPDATE events SET count"); commits != 1 || counted != 1 {
		t.Errorf("%d commits and %d counts, want one of each", commits, counted)
	}
}

func TestTooManyCountsAreWritten(t *testing.T) {
	store, writer, _ := open(t, empty(t))
	service, _ := shopAt(t, store)
	event := func(n int) payments.Event {
		event := successOf("REF_1")
		event.Description = payments.TextValue(fmt.Sprint(n))
		return event
	}
	for n := range sqlstore.MaxTally + 1 {
		if _, err := service.Receive(t.Context(), event(n), nil); err != nil {
			t.Fatal(err)
		}
	}
	writer.reset()
	for n := range sqlstore.MaxTally + 1 {
		again(t, service, event(n))
	}
	if commits := writer.count("COMMIT"); commits != 1 {
		t.Errorf("%d commits, want one when %d events are counted", commits, sqlstore.MaxTally)
	}
}

func TestS3AfterAFailedCommitADuplicateReachesTheDisk(t *testing.T) {
	store, writer, _ := open(t, empty(t))
	service, _ := shopAt(t, store)
	writer.fail(func(text string, _ func(string)) error {
		if strings.HasPrefix(text, "COMMIT") {
			return errDisk
		}
		return nil
	})
	if _, err := service.Receive(t.Context(), successOf("REF_2"), nil); !errors.Is(err, errDisk) {
		t.Fatalf("error %v", err)
	}
	if _, err := service.Receive(t.Context(), successOf("REF_1"), nil); !errors.Is(err, errDisk) {
		t.Errorf("a duplicate is answered with %v while nothing can be committed", err)
	}
	writer.fail(nil)
	writer.reset()
	again(t, service, successOf("REF_1"))
	again(t, service, successOf("REF_1"))
	if commits := writer.count("COMMIT"); commits != 1 {
		t.Errorf("%d commits, want one for the first duplicate", commits)
	}
}

func TestCountsAreWrittenAtTheEnd(t *testing.T) {
	path := empty(t)
	store, _, _ := open(t, path)
	service, _ := shopAt(t, store)
	again(t, service, successOf("REF_1"))
	store.Close()
	other, _, _ := open(t, path)
	if got := deliveries(t, other); got != 2 {
		t.Errorf("%d deliveries, want 2", got)
	}
}
