package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

func TestC3EventsAreInTheOrderOfTheirArrivalWhateverTheClockSays(t *testing.T) {
	store := openAt(t, filepath.Join(t.TempDir(), "till.db"))
	order := storagetest.Order(1)
	must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) }))
	now := order.CreatedAt
	service := payments.New(store, nil, func() time.Time { now = now.Add(-time.Hour); return now })
	kinds := []payments.EventKind{payments.PaymentFailed, payments.PaymentCanceled, payments.PaymentSuccess}
	for _, kind := range kinds {
		event := storagetest.Success(order)
		event.Kind = kind
		_, err := service.Receive(t.Context(), event, storagetest.Encode(event))
		must(t, err)
	}
	found, records, err := store.Order(t.Context(), order.Reference)
	if err != nil || found.Status != payments.StatusSuccess || len(records) != len(kinds) {
		t.Fatalf("status %s, %d events (%v)", found.Status, len(records), err)
	}
	for n, record := range records {
		if record.Event.Kind != kinds[n] {
			t.Errorf("event %d is %s, want %s", n+1, record.Event.Kind, kinds[n])
		}
	}
}
