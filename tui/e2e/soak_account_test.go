package e2e_test

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/oracle"
	"checkout/till/storage"
)

// accountForAll compares what is stored with what was told: each event that was
// acknowledged is there once and in its place, nothing else is, and each order
// is what the rules make of its events.
func (s *soak) accountForAll() {
	s.t.Helper()
	text, code := s.command("verify", "--json")
	var verified struct {
		OK             bool
		Orders, Events int64
	}
	if err := json.Unmarshal([]byte(text), &verified); err != nil || code != 0 || !verified.OK || verified.Events != s.acked.Load() {
		s.t.Errorf("verify: exit %d, %v, and %d events were acknowledged\n%s", code, err, s.acked.Load(), text)
	}
	store, err := storage.Open(s.t.Context(), s.shop.database())
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			s.t.Error(err)
		}
	}()
	known := make(map[string]bool)
	for _, a := range s.all {
		known[a.Reference] = true
		s.compare(store, a)
	}
	if unmatched, err := store.Unmatched(s.t.Context(), 10); err != nil || len(unmatched) > 0 {
		s.t.Errorf("unmatched are %+v (%v)", unmatched, err)
	}
	orders, err := store.Orders(s.t.Context(), payments.Query{Limit: 1_000_000})
	if err != nil {
		s.t.Error(err)
	}
	listed := 0
	for _, order := range orders {
		// Others were begun during a fault.
		if known[order.Reference] {
			listed++
		} else if order.Paid() || order.Status.Reported() {
			s.t.Errorf("order %s had no event and is %s", order.Reference, order.Status)
		}
	}
	if listed != len(known) {
		s.t.Errorf("%d orders were made and %d are in the list", len(known), listed)
	}
}

// compare compares one order and its events with what was told.
func (s *soak) compare(store storage.Store, a *account) {
	s.t.Helper()
	order, records, err := store.Order(s.t.Context(), a.Reference)
	if err != nil || len(records) != len(a.told) {
		s.t.Errorf("order %s has %d events, and %d were acknowledged (%v)", a.Reference, len(records), len(a.told), err)
		return
	}
	for n, event := range a.told {
		record := records[n]
		// A fault may cost the number of deliveries, which no verdict rests on.
		if record.Event.Kind != event.kind || record.Event.Description.Text != event.description ||
			record.BodySHA256 != sha256.Sum256(event.body) || record.Count < 1 {
			s.t.Errorf("event %d of %s is %s, %d times, not %q", n+1, a.Reference, record.Event.Description.Text, record.Count, event.description)
		}
	}
	now := time.Now()
	status, paid, verdict := oracle.Judge(a.history, 0, order.Link.ExpiresAt, now)
	if shown := order.Verdict(payments.Conditions{}, now); order.Status != status || order.Paid() != paid || shown != verdict {
		s.t.Errorf("order %s is %s, paid %v, %s; the model says %s, %v, %s",
			a.Reference, order.Status, order.Paid(), shown, status, paid, verdict)
	}
}
