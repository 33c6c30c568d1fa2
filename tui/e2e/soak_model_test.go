package e2e_test

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/oracle"
	"checkout/till/storage"
)

// accountForAll compares what is stored with what was sent: each event that was
// acknowledged is there once and in its place, nothing else is, and each order
// is what the rules make of its events.
func (s *soak) accountForAll() {
	s.t.Helper()
	text, code := s.command("verify", "--json")
	var verified struct {
		OK             bool
		Orders, Events int64
	}
	if err := json.Unmarshal([]byte(text), &verified); err != nil || code != 0 || !verified.OK {
		s.t.Errorf("verify: exit %d, %v\n%s", code, err, text)
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
	var events int64
	known := make(map[string]bool)
	for _, a := range s.all {
		known[a.reference] = true
		events += int64(len(a.deliveries))
		s.compare(store, a)
	}
	if verified.Events != events {
		s.t.Errorf("%d events are stored, and %d were acknowledged", verified.Events, events)
	}
	if unmatched, err := store.Unmatched(s.t.Context(), 10); err != nil || len(unmatched) > 0 {
		s.t.Errorf("unmatched are %+v (%v)", unmatched, err)
	}
	s.compareOthers(store, known)
}

// compare compares one order and its events with what was sent.
func (s *soak) compare(store storage.Store, a *account) {
	s.t.Helper()
	order, records, err := store.Order(s.t.Context(), a.reference)
	if err != nil {
		s.t.Errorf("order %s was made: %v", a.reference, err)
		return
	}
	if len(records) != len(a.deliveries) {
		s.t.Errorf("order %s has %d events, and %d were acknowledged", a.reference, len(records), len(a.deliveries))
		return
	}
	for n, d := range a.deliveries {
		record := records[n]
		if record.Event.Kind != d.kind || record.Event.Description.Text != d.description || record.BodySHA256 != sha256.Sum256(d.body) {
			s.t.Errorf("event %d of %s is %s, not %q", n+1, a.reference, record.Event.Description.Text, d.description)
		}
		// A fault may cost the number of deliveries, which no verdict rests on.
		if record.Count < 1 {
			s.t.Errorf("event %q was counted %d times", d.description, record.Count)
		}
	}
	now := time.Now()
	status, paid, verdict := oracle.Judge(a.history, 0, order.Link.ExpiresAt, now)
	if shown := order.Verdict(payments.Conditions{}, now); order.Status != status || order.Paid() != paid || shown != verdict {
		s.t.Errorf("order %s is %s, paid %v, %s; the model says %s, %v, %s",
			a.reference, order.Status, order.Paid(), shown, status, paid, verdict)
	}
}

// compareOthers looks at the orders that were begun during a fault.
func (s *soak) compareOthers(store storage.Store, known map[string]bool) {
	s.t.Helper()
	found, err := store.Orders(s.t.Context(), payments.Query{Limit: 1_000_000})
	if err != nil {
		s.t.Error(err)
	}
	seen := 0
	for _, order := range found {
		if known[order.Reference] {
			seen++
		} else if order.Paid() || order.Status.Reported() {
			s.t.Errorf("order %s had no event and is %s", order.Reference, order.Status)
		}
	}
	if seen != len(known) {
		s.t.Errorf("%d orders were made and %d are in the list", len(known), seen)
	}
}
