package outbox_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/staff"
	"checkout/till/storage/outbox"
	"checkout/till/storage/sqlite"
)

func TestEventsOfAnOrderAreAppliedInOrderOfArrivalAfterTheClockWasSetBack(t *testing.T) {
	r := newRig(t)
	r.clock.Add(int64(time.Minute))
	r.database.away.Store(true)
	r.expectKept(payments.PaymentFailed, 1)
	r.clock.Add(-int64(time.Second))
	r.expectKept(payments.PaymentSuccess, 1)
	r.database.away.Store(false)
	r.drain()
	r.expectPaid(1, payments.PaymentFailed, payments.PaymentSuccess)
}

// fill closes the outbox, adds this number of events with a body to its file, and opens it again.
func (r *rig) fill(count int, raw []byte) {
	r.t.Helper()
	must(r.t, r.outbox.Close())
	store, err := sqlite.Open(r.t.Context(), r.path)
	must(r.t, err)
	must(r.t, store.Update(r.t.Context(), func(tx payments.Tx) error {
		for number := range count {
			event, err := gateway.DecodeEvent(body(payments.PaymentSuccess, 1000+number))
			must(r.t, err)
			record := payments.Record{Event: event, ID: event.ID(), Effect: payments.Unmatched, Count: 1, ReceivedAt: r.clock.Now(), Body: raw}
			if err := tx.InsertEvent(record); err != nil {
				return err
			}
		}
		return nil
	}), store.Close())
	r.open()
}

// A slow disk must not stop the console, which reads the state for each of its frames.
func TestTheStateCanBeReadWhileAnEventIsWritten(t *testing.T) {
	r := newRig(t)
	writing, read := false, false
	r.database.choose = func(payments.Event, int) fault {
		writing = true
		return fails
	}
	r.now = func() time.Time { // The transaction that writes the event asks for the time.
		if writing {
			writing = false
			states := make(chan payments.OutboxState, 1)
			go func() { states <- r.outbox.State() }()
			select {
			case <-states:
				read = true
			case <-time.After(10 * time.Second):
				t.Error("the state cannot be read")
			}
		}
		return r.clock.Now()
	}
	r.reopen()
	r.keep(1)
	if !read {
		t.Error("nothing was written")
	}
}

func TestAFullOutboxRefusesNewEvents(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fill(payments.MaxUnmatched, nil)
	r.database.away.Store(true)
	for range 2 {
		if err := r.deliver(payments.PaymentSuccess, 3); !errors.Is(err, outbox.ErrFull) || errors.Is(err, outbox.ErrKept) {
			t.Errorf("the outbox is full: got error %v, want ErrFull", err)
		}
	}
	r.keep(1002) // An event that is queued already stays queued.
	if state := r.outbox.State(); !state.Full || state.Lost != 2 || state.Events != payments.MaxUnmatched {
		t.Errorf("got %+v", state)
	}
	if said := strings.Count(r.log.String(), "neither in the database nor in the outbox"); said != 1 {
		t.Errorf("the log says it %d times, want once", said)
	}
	// The database works again, but the outbox has not probed it yet.
	r.database.away.Store(false)
	must(t, r.deliver(payments.PaymentSuccess, 4))
	must(t, r.deliver(payments.PaymentFailed, 1003)) // It cannot wait for the queued event of its order.
}

func TestAnOutboxThatTakesAnEventIsNotFull(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fill(1, make([]byte, payments.MaxUnmatchedBytes-1000))
	r.database.away.Store(true)
	event, err := gateway.DecodeEvent(body(payments.PaymentSuccess, 3))
	must(t, err)
	if _, err := r.outbox.ReceiveLate(t.Context(), event, make([]byte, 1001), time.Time{}); !errors.Is(err, outbox.ErrFull) {
		t.Errorf("a large event: got error %v, want ErrFull", err)
	}
	if r.keep(4); r.outbox.State().Full {
		t.Error("the outbox took a small event, and is full")
	}
}

func TestARejectedEventDoesNotBlockTheOthers(t *testing.T) {
	r := newRig(t)
	r.database.away.Store(true)
	r.keep(1, 2)
	r.database.away.Store(false)
	r.database.refused.Store(1)
	for try := range 5 {
		if err := r.outbox.Drain(t.Context()); err == nil {
			t.Fatalf("attempt %d sets the event aside already", try)
		}
		must(t, r.deliver(payments.PaymentSuccess, 3)) // An event of another order does not wait.
	}
	r.drain()
	if order, _ := r.find(2); !order.Paid() {
		t.Error("the next event is not applied")
	}
	if state := r.outbox.State(); state.Events != 1 || state.SetAside != 1 || state.Away {
		t.Errorf("got %+v", state)
	}
	if !strings.Contains(r.log.String(), "set aside") {
		t.Errorf("the log does not report it:\n%s", r.log.String())
	}
	// Once the event is set aside, later events of its order no longer wait.
	r.database.refused.Store(-1)
	must(t, r.deliver(payments.PaymentFailed, 1))
	r.reopen()
	if !strings.Contains(r.log.String(), "an earlier run") {
		t.Errorf("the log does not report the events of the earlier run:\n%s", r.log.String())
	}
	r.drain()
	r.expectLeft(0)
	if order, records := r.find(1); !order.Paid() || len(records) != 2 {
		t.Errorf("after the next start: got events %+v", records)
	}
}

func TestRunAppliesQueuedEventsOnceTheDatabaseWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.database.away.Store(true)
		done := make(chan error, 1)
		ctx, stop := context.WithCancel(t.Context())
		go func() { done <- r.outbox.Run(ctx) }()
		r.keep(1)
		time.Sleep(time.Minute)
		if state := r.outbox.State(); state.Events != 1 || !state.Away {
			t.Errorf("while it is away: %+v", state)
		}
		r.database.away.Store(false)
		time.Sleep(2 * time.Second)
		if order, _ := r.find(1); !order.Paid() || r.outbox.State().Away {
			t.Errorf("two seconds after it came back: %+v, %+v", r.outbox.State(), order)
		}
		stop()
		must(t, <-done)
		for _, line := range []string{"the database cannot be used: events wait in the outbox", "the database can be used again", "events of the outbox were applied"} {
			if strings.Count(r.log.String(), line) != 1 {
				t.Errorf("the log must have this line once: %s:\n%s", line, r.log.String())
			}
		}
	})
}

func TestOpenNamesAPathThatCannotBeUsed(t *testing.T) {
	r := newRig(t)
	foreign := filepath.Join(t.TempDir(), "outbox.db")
	must(t, r.store.Close(), os.WriteFile(foreign, []byte(strings.Repeat("no database ", 500)), 0o600))
	cash := filepath.Join(t.TempDir(), "cash.db") // A shop that has taken cash only.
	store, err := sqlite.Open(t.Context(), cash)
	must(t, err)
	shop := drawer.New(store, payments.New(store, nil, time.Now))
	_, err = shop.Move(t.Context(), "T1", drawer.Float, 50_000, "", staff.Identity{})
	must(t, err, store.Close())
	for path, want := range map[string]error{r.shop: outbox.ErrForeign, cash: outbox.ErrForeign, r.path: outbox.ErrInUse, foreign: nil} {
		if _, err := outbox.Open(t.Context(), path, outbox.Config{}); err == nil || want != nil && !errors.Is(err, want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s gives %v, want %v", path, err, want)
		}
	}
}

func TestAFullOutboxDropsAFailureForASuccess(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.fill(payments.MaxUnmatched-1, nil)
	r.database.away.Store(true)
	r.expectKept(payments.PaymentFailed, 1)
	r.keep(2)
	if state := r.outbox.State(); state.Events != payments.MaxUnmatched || state.Lost != 1 || !strings.Contains(r.log.String(), "dropped") {
		t.Errorf("got %+v", state)
	}
	if err := r.deliver(payments.PaymentFailed, 1); errors.Is(err, outbox.ErrKept) {
		t.Errorf("the dropped event is still queued: %v", err)
	}
}
