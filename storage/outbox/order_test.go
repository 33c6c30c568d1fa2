package outbox_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/outbox"
)

type apply func(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error)

func intercept(replace func(inner apply) apply) func(*outbox.Config) {
	return func(c *outbox.Config) { c.Apply = replace(c.Apply) }
}

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
		r := newRig(t, intercept(func(inner apply) apply {
			return func(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
				if event.OrderReference == reference(1) {
					<-hang
				}
				return inner(ctx, event, body, came)
			}
		}))
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
		r := newRig(t, intercept(func(inner apply) apply {
			return func(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
				<-hang
				return inner(context.WithoutCancel(ctx), event, body, came)
			}
		}))
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
		var slow atomic.Bool
		r := newRig(t, intercept(func(inner apply) apply {
			return func(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
				if slow.Load() {
					<-ctx.Done()
					return payments.Receipt{}, ctx.Err()
				}
				return inner(ctx, event, body, came)
			}
		}))
		slow.Store(true)
		r.keep(1)
		for range 10 {
			if err := r.outbox.Drain(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("got error %v, want a timeout", err)
			}
		}
		slow.Store(false)
		r.drain() // It fails unless the queue is then empty.
		r.expectPaid(1, payments.PaymentSuccess)
	})
}

func TestADroppedEventIsLostOnlyIfItsAttemptFails(t *testing.T) {
	t.Parallel()
	drains, began, answer := false, make(chan struct{}), make(chan error)
	r := newRig(t, intercept(func(inner apply) apply {
		return func(_ context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
			if !drains || event.Kind != payments.PaymentFailed {
				return payments.Receipt{}, errAway
			}
			began <- struct{}{}
			if err := <-answer; err != nil {
				return payments.Receipt{}, err
			}
			return inner(t.Context(), event, body, came)
		}
	}))
	r.expectKept(payments.PaymentFailed, 1)
	r.expectKept(payments.PaymentFailed, 2)
	r.fill(payments.MaxUnmatched - 2)
	drains = true
	done := make(chan error, 1)
	go func() { done <- r.outbox.Drain(t.Context()) }()
	for number, err := range []error{nil, errAway} {
		<-began
		r.keep(3 + number)
		if state := r.outbox.State(); state.Lost != 0 {
			t.Errorf("while it is applied: %+v", state)
		}
		answer <- err
	}
	if err := <-done; !errors.Is(err, errAway) {
		t.Error(err)
	}
	state := r.outbox.State()
	if state.Events != payments.MaxUnmatched || state.Queued != 2 || state.Applied != 1 || state.Lost != 1 {
		t.Errorf("got %+v", state)
	}
}
