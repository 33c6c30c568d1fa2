package sqlite_test

import (
	"os"
	"testing"

	"checkout/till/payments"
)

// Two processes find the same fault, each closes what it has and opens it anew,
// and neither takes the other's mending for a fault.
func TestS5TwoTillsMendWhatBothHaveOpen(t *testing.T) {
	path := whole(t)
	mine, others := openAt(t, path), startServing(t, path)
	notices := mine.Watch(t.Context())
	taken := 0
	for _, harm := range []func(){
		func() { must(t, os.Remove(path+"-wal")) },
		func() { must(t, os.Remove(path+"-shm")) },
		func() { must(t, os.Rename(path, path+".away"), os.Rename(path+".away", path)) },
		func() { script(t, path, "PRAGMA wal_checkpoint(TRUNCATE)") },
	} {
		harm()
		for range 2 { // At first both may still find the fault.
			_ = mine.Update(t.Context(), takeNumber)
			others.ask("number")
		}
		for _, err := mine.Orders(t.Context(), payments.Query{}); err != nil; _, err = mine.Orders(t.Context(), payments.Query{}) {
			<-notices
		}
		if got := others.ask("heal"); got != "healed" {
			t.Fatalf("the other: %s", got)
		}
		faults := 0
		for range 200 {
			if err := mine.Update(t.Context(), takeNumber); err != nil {
				faults++
				t.Log(err)
			}
			if got := others.ask("number"); got != "taken" {
				faults++
				t.Log(got)
			}
			taken += 2
		}
		// One of them may have been the last to notice.
		if faults > 2 {
			t.Errorf("%d of 400 changes failed afterwards", faults)
		}
	}
	others.end()
	must(t, mine.Close())
	expectWhole(t, path)
	if got := count(t, path, "SELECT value FROM counters"); got < taken-8 {
		t.Errorf("%d numbers were taken, of about %d", got, taken)
	}
}

// A process that comes while the first one has yet to see that the log's index
// is gone makes another index. The first does not know what that one stored.
func TestS5WhatAnotherTillStoresWhileTheIndexIsGoneIsKept(t *testing.T) {
	for range 3 {
		path := whole(t)
		store := openAt(t, path)
		must(t, store.Update(t.Context(), takeNumber), os.Remove(path+"-shm"))
		process := startServing(t, path)
		if got := process.ask("order"); got != "stored" {
			t.Fatalf("the other till: %s", got)
		}
		process.end()
		notices := store.Watch(t.Context())
		for store.Update(t.Context(), takeNumber) != nil {
			<-notices
		}
		if _, _, err := store.Order(t.Context(), orderFor(2).Reference); err != nil {
			t.Errorf("the other till's order was acknowledged: %v", err)
		}
		must(t, store.Close())
		expectWhole(t, path)
	}
}
