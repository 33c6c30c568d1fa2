package storagetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
)

func eventTests() []test {
	return []test{
		{"C3 comes back as it was stored, in order of arrival", eventComesBack},
		{"keeps fields of every kind and every byte", eventBytes},
		{"that comes again is counted and not stored", eventAgain},
		{"of an order is stored with it at once", eventWithOrder},
		{"leaves the backlog of its order reference when it is saved", backlog},
		{"that is not stored cannot be saved", saveUnknown},
		{"that no order has is listed, newest first", unmatchedNewest},
		{"O13 that says paid and was not looked at is listed before the others", unnoticedFirst},
		{"beyond the limit goes, the oldest that is no success first", trimmed},
		{"W37 that says paid and nobody looked at stays, whatever comes after it", unnoticedStay},
		{"beyond the limit of bytes goes, too", trimmedByBytes},
		{"W35 is counted by its order reference, and known by its identity", countedByReference},
	}
}

// expectEvents compares stored events with those that were handed in, whose
// sequences the store gave.
func expectEvents(t *testing.T, what string, got, want []payments.Record) {
	t.Helper()
	expect(t, what+": how many", len(got), len(want))
	for i := range got {
		if i > 0 && got[i].Sequence <= got[i-1].Sequence {
			t.Errorf("%s: sequence %d follows %d", what, got[i].Sequence, got[i-1].Sequence)
		}
		same := got[i]
		same.Sequence = want[i].Sequence
		expect(t, what, same, want[i])
	}
}

// put stores an event as if it had just come, and returns it as it is read, which
// is without its body.
func put(t *testing.T, store Store, r payments.Record) (stored payments.Record, fresh bool) {
	t.Helper()
	update(t, store, func(tx payments.Tx) (err error) {
		stored, fresh, err = tx.Events().Insert(r)
		return err
	})
	stored.Body = nil
	return stored, fresh
}

func eventComesBack(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, full())
	var want []payments.Record
	for i, kind := range append(payments.EventKinds(), "payment.refunded") {
		r := record(event(kind, full(), fmt.Sprint("text ", i)))
		r.ReceivedAt = opening().Add(time.Duration(-i) * time.Hour) // C3: whatever the clock says.
		stored, fresh := put(t, store, r)
		expect(t, "fresh", fresh, true)
		stored.Order, stored.Outcome = full().Reference, payments.Applied
		update(t, store, func(tx payments.Tx) error { return tx.Events().Save(stored) })
		want = append(want, stored)
	}
	_, events := read(t, store, full().Reference)
	expect(t, "events", events, want)
	expectEvents(t, "events", events, want)
}

func eventBytes(t *testing.T, open Opener) {
	store := open(t)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	values := []payments.Value{
		{},
		{Kind: payments.Null},
		payments.TextValue(""), payments.TextValue(string(all)),
		{Kind: payments.Number, Text: "1.5e3"},
		{Kind: payments.Other, Text: `{"a":[1]}`},
	}
	for _, text := range hostile() {
		values = append(values, payments.TextValue(text))
	}
	var want []payments.Record
	for i, value := range values {
		e := payments.Event{Kind: "payment.failed", OrderReference: fmt.Sprint("REF_", i)}
		e.Reference, e.Amount, e.Currency, e.Description, e.Error = value, value, value, value, value
		r := record(e)
		r.Body = all
		if i == 0 {
			r.Body = []byte{}
		}
		put(t, store, r)
		r.Body = nil
		want = append([]payments.Record{r}, want...)
	}
	got := unmatched(t, store, 100)
	for i := range got {
		got[i].Sequence = 0
		expect(t, "event", got[i], want[i])
	}
	expect(t, "how many", len(got), len(want))
}

func eventAgain(t *testing.T, open Opener) {
	store := open(t)
	first := record(event(payments.PaymentFailed, full(), "x"))
	stored, _ := put(t, store, first)
	again := first
	again.ReceivedAt, again.Body = opening().AddDate(0, 0, 1), []byte("other white space")
	for count := int64(2); count < 5; count++ {
		known, fresh := put(t, store, again)
		stored.Count = count
		expect(t, "fresh", fresh, false)
		expect(t, "known", known, stored)
	}
	listed := unmatched(t, store, 10)
	expect(t, "unmatched", listed, []payments.Record{stored})
	insert(t, store, full())
	stored.Order, stored.Outcome = full().Reference, payments.Applied
	update(t, store, func(tx payments.Tx) error { return tx.Events().Save(stored) })
	known, _ := put(t, store, again)
	stored.Count++
	expect(t, "known, once it was applied", known, stored)
}

func eventWithOrder(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, full(), numbered(2))
	r := record(event(payments.PaymentSuccess, full(), "x"))
	r.Order, r.Outcome = full().Reference, payments.Applied
	stored, fresh := put(t, store, r)
	expect(t, "fresh", fresh, true)
	r.Sequence, r.Body = stored.Sequence, nil
	expect(t, "stored", stored, r)
	_, events := read(t, store, full().Reference)
	expect(t, "events", events, []payments.Record{r})
	_, others := read(t, store, numbered(2).Reference)
	expect(t, "events of another order", len(others), 0)
	left := unmatched(t, store, 10)
	expect(t, "unmatched", len(left), 0)
	r = record(event(payments.PaymentFailed, full(), "y"))
	r.Order = "nobody's"
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		_, _, err := tx.Events().Insert(r)
		return err
	})
	expectError(t, "an event of no such order", err, payments.ErrNotFound)
}

func backlog(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, full())
	elsewhere := full()
	elsewhere.OrderReference = "REF_8"
	var want []payments.Record
	for i := range 3 {
		stored, _ := put(t, store, record(event(payments.PaymentFailed, full(), fmt.Sprint(i))))
		want = append(want, stored)
	}
	put(t, store, record(event(payments.PaymentFailed, elsewhere, "x")))
	for left := want; len(left) > 0; left = left[1:] {
		update(t, store, func(tx payments.Tx) error {
			got, err := tx.Events().Backlog(full().OrderReference)
			check(t, "backlog", err)
			expect(t, "backlog", got, left)
			saved := left[0]
			saved.Order, saved.Outcome = full().Reference, payments.Unchanged
			return tx.Events().Save(saved)
		})
	}
	update(t, store, func(tx payments.Tx) error {
		got, err := tx.Events().Backlog(full().OrderReference)
		expect(t, "backlog at the end", len(got), 0)
		return err
	})
	left := unmatched(t, store, 10)
	expect(t, "unmatched", len(left), 1)
}

func saveUnknown(t *testing.T, open Opener) {
	store := open(t)
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		return tx.Events().Save(record(event(payments.PaymentFailed, full(), "x")))
	})
	if err == nil {
		t.Error("an event that was never stored was saved")
	}
}

func unmatchedNewest(t *testing.T, open Opener) {
	store := open(t)
	var sequences []int64
	for i := range 5 {
		stored, _ := put(t, store, record(event(payments.PaymentFailed, numbered(i), fmt.Sprint(i))))
		sequences = append([]int64{stored.Sequence}, sequences...)
	}
	for _, limit := range []int{0, 1, 4, 5, 100} {
		got := unmatched(t, store, limit)
		expect(t, "how many", len(got), min(limit, 5))
		for i, r := range got {
			expect(t, "sequence", r.Sequence, sequences[i])
			expect(t, "order", r.Order, "")
		}
	}
}

func trimmed(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, full())
	matched, _ := put(t, store, record(event(payments.PaymentFailed, full(), "matched")))
	matched.Order = full().Reference
	update(t, store, func(tx payments.Tx) error { return tx.Events().Save(matched) })
	kinds := []payments.EventKind{
		payments.PaymentSuccess, payments.PaymentFailed, payments.PaymentExpired,
		payments.PaymentSuccess, payments.PaymentCanceled,
	}
	for i, kind := range kinds {
		put(t, store, record(event(kind, numbered(i), fmt.Sprint(i))))
	}
	// By their texts, the successes first; the n-th is what n leave.
	left := [][]string{{}, {"0"}, {"3", "0"}, {"3", "0", "4"}, {"3", "0", "4", "2"}, {"3", "0", "4", "2", "1"}}
	for limit, want := range slices.Backward(left) {
		update(t, store, func(tx payments.Tx) error {
			dropped, err := tx.Events().TrimUnmatched(limit, 1<<20)
			expect(t, fmt.Sprint("successes dropped of ", limit), dropped, map[bool]int{true: 1}[limit < 2])
			return err
		})
		kept := unmatched(t, store, 10)
		texts := []string{}
		for _, r := range kept {
			texts = append(texts, r.Event.Description.Text)
		}
		expect(t, fmt.Sprint("left of ", limit), texts, want)
	}
	_, events := read(t, store, full().Reference)
	expect(t, "matched events", len(events), 1)
}

func unnoticedFirst(t *testing.T, open Opener) {
	store := open(t)
	kinds := []payments.EventKind{payments.PaymentSuccess, payments.PaymentSuccess, payments.PaymentExpired, "payment.other"}
	var records []payments.Record
	for i, kind := range kinds {
		e := event(kind, full(), "")
		e.OrderReference = fmt.Sprint("REF_", i)
		stored, _ := put(t, store, record(e))
		records = append(records, stored)
	}
	listed := func(limit int) string {
		t.Helper()
		events := unmatched(t, store, limit)
		var names []string
		for _, event := range events {
			names = append(names, event.Event.OrderReference+" "+string(event.Outcome))
		}
		return strings.Join(names, ", ")
	}
	expect(t, "the events", listed(10), "REF_1 unmatched, REF_0 unmatched, REF_3 unmatched, REF_2 unmatched")
	expect(t, "one event", listed(1), "REF_1 unmatched")
	records[1].Outcome = payments.Noticed
	update(t, store, func(tx payments.Tx) error { return tx.Events().Save(records[1]) })
	expect(t, "the events", listed(10), "REF_0 unmatched, REF_3 unmatched, REF_2 unmatched, REF_1 noticed")
}

func unnoticedStay(t *testing.T, open Opener) {
	store := open(t)
	for i := range 20 {
		put(t, store, record(event(payments.PaymentSuccess, numbered(i), fmt.Sprint("real ", i))))
	}
	seen, _ := put(t, store, record(event(payments.PaymentSuccess, numbered(20), "seen")))
	seen.Outcome = payments.Noticed
	update(t, store, func(tx payments.Tx) error { return tx.Events().Save(seen) })
	dropped := 0
	for i := range 30 {
		put(t, store, record(event(payments.PaymentSuccess, numbered(100+i), fmt.Sprint("forged ", i))))
		update(t, store, func(tx payments.Tx) error {
			lost, err := tx.Events().TrimUnmatched(25, 1<<20)
			dropped += lost
			return err
		})
	}
	kept := unmatched(t, store, 100)
	expect(t, "successes dropped that nobody looked at", dropped, 25)
	var texts []string
	for _, r := range slices.Backward(kept) {
		texts = append(texts, r.Event.Description.Text)
	}
	want := []string{"forged 0", "forged 1", "forged 2", "forged 3", "forged 4"}
	for i := range 20 {
		want = slices.Insert(want, i, fmt.Sprint("real ", i))
	}
	expect(t, "kept", texts, want)
}

func trimmedByBytes(t *testing.T, open Opener) {
	store := open(t)
	for i := range 10 {
		r := record(event(payments.PaymentFailed, numbered(i), fmt.Sprint(i)))
		r.Body = make([]byte, 1000)
		put(t, store, r)
	}
	update(t, store, func(tx payments.Tx) error {
		_, err := tx.Events().TrimUnmatched(100, 3500)
		return err
	})
	kept := unmatched(t, store, 100)
	expect(t, "kept", len(kept), 3)
	expect(t, "the oldest that was kept", kept[2].Event.Description.Text, "7")
}

func countedByReference(t *testing.T, open Opener) {
	store := open(t)
	first := record(event(payments.PaymentFailed, full(), "0"))
	for i := range 5 {
		put(t, store, record(event(payments.PaymentFailed, full(), fmt.Sprint(i))))
		put(t, store, first)
	}
	put(t, store, record(event(payments.PaymentFailed, numbered(1), "of another")))
	update(t, store, func(tx payments.Tx) error {
		count, err := tx.Events().Count(full().OrderReference)
		expect(t, "count", count, 5)
		check(t, "count", err)
		known, err := tx.Events().Known(full().OrderReference, first.ID)
		expect(t, "known", known, true)
		check(t, "known", err)
		known, err = tx.Events().Known("REF_other", first.ID)
		expect(t, "known of another reference", known, false)
		return err
	})
}
