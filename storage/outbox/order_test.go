package outbox_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/outbox"
)

// expectPaid fails the test unless an order is paid and has events of exactly
// these kinds, in this order.
func (r *rig) expectPaid(number int, kinds ...payments.EventKind) {
	r.t.Helper()
	order, records := r.find(number)
	var got []payments.EventKind
	for _, record := range records {
		got = append(got, record.Event.Kind)
	}
	verdict := order.Verdict(payments.Conditions{}, r.clock.Now())
	if verdict != payments.VerdictPaid || !slices.Equal(got, kinds) {
		r.t.Errorf("order %d is %s after %v, want paid after %v", number, verdict, got, kinds)
	}
}

func TestAnEventIsQueuedWhileAnEarlierOneIsApplied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		close(hang)
		r := newRig(t)
		r.database.choose = func(event payments.Event, _ int) fault {
			if event.OrderReference == reference(1) {
				<-hang
			}
			return works
		}
		r.database.away.Store(true)
		r.expectKept(payments.PaymentFailed, 1)
		r.database.away.Store(false)
		hang = make(chan struct{})
		r.reopen() // The new outbox does not know yet that the database was unavailable.
		done := make(chan error, 1)
		go func() { done <- r.outbox.Drain(t.Context()) }()
		synctest.Wait()
		began := time.Now()
		r.keep(1)
		must(t, r.deliver(payments.PaymentSuccess, 2))
		if time.Since(began) != 0 {
			t.Error("an event waited for the running attempt")
		}
		close(hang)
		must(t, <-done)
		r.expectPaid(1, payments.PaymentFailed, payments.PaymentSuccess)
	})
}

func TestAnEventGivesUpWaitingForAHangingAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		r := newRig(t)
		r.database.choose = func(payments.Event, int) fault {
			<-hang
			return works
		}
		first := make(chan error, 1)
		go func() { first <- r.deliver(payments.PaymentFailed, 1) }()
		synctest.Wait()
		began := time.Now()
		if err := r.deliver(payments.PaymentSuccess, 1); err == nil || errors.Is(err, outbox.ErrKept) {
			t.Errorf("the second event: got error %v, want one that is not ErrKept", err)
		}
		if waited := time.Since(began); waited > time.Minute || r.outbox.State().Lost != 1 {
			t.Errorf("after %s: %+v", waited, r.outbox.State())
		}
		close(hang)
		must(t, <-first, r.deliver(payments.PaymentSuccess, 1))
		r.expectPaid(1, payments.PaymentFailed, payments.PaymentSuccess)
	})
}

func TestAnEventIsNotSetAsideBecauseOfTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.database.choose = func(payments.Event, int) fault { return hangs }
		r.keep(1)
		for range 10 {
			if err := r.outbox.Drain(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got error %v, want a timeout", err)
			}
		}
		r.database.choose = func(payments.Event, int) fault { return works }
		r.drain() // It fails unless the queue is then empty.
		r.expectPaid(1, payments.PaymentSuccess)
	})
}

func TestADroppedEventIsLostOnlyIfItsAttemptFails(t *testing.T) {
	t.Parallel()
	drains, began, answer := false, make(chan struct{}), make(chan fault)
	r := newRig(t)
	r.database.choose = func(event payments.Event, _ int) fault {
		if !drains || event.Kind != payments.PaymentFailed {
			return fails
		}
		began <- struct{}{}
		return <-answer
	}
	r.expectKept(payments.PaymentFailed, 1)
	r.expectKept(payments.PaymentFailed, 2)
	r.fill(payments.MaxUnmatched-2, nil)
	drains = true
	done := make(chan error, 1)
	go func() { done <- r.outbox.Drain(t.Context()) }()
	for number, fault := range []fault{works, fails} {
		<-began
		r.keep(3 + number)
		if state := r.outbox.State(); state.Lost != 0 {
			t.Errorf("while it is applied: %+v", state)
		}
		answer <- fault
	}
	if err := <-done; !errors.Is(err, errAway) {
		t.Error(err)
	}
	state := r.outbox.State()
	if state.Events != payments.MaxUnmatched || state.Queued != 2 || state.Applied != 1 || state.Lost != 1 {
		t.Errorf("got %+v", state)
	}
}
