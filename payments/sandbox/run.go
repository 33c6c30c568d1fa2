package sandbox

import (
	"context"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
)

const (
	// maxPause is the longest pause of [Sandbox.Run]: timers stand still while a
	// machine sleeps, so the wall clock is read again at least this often.
	maxPause = time.Minute
	// maxInFlight bounds the concurrent tries.
	maxInFlight = 32
)

// Run lets links expire and sends events, until ctx ends and what is under way
// has ended with it. Call it once. It returns nil.
func (s *Sandbox) Run(ctx context.Context) error {
	defer close(s.ended)
	var tries sync.WaitGroup
	defer tries.Wait()
	for ctx.Err() == nil {
		due, pause, changed := s.tick()
		for _, next := range due {
			tries.Go(func() { s.try(ctx, next) })
		}
		select {
		case <-ctx.Done():
		case <-changed:
		case <-time.After(pause):
		}
	}
	return nil
}

// tick does what is due: the expiry of links, and the answers of phones. It
// returns the deliveries that are due, of each order one, how long it is to what is
// due next, and what the next change closes.
func (s *Sandbox) tick() (due []*Delivery, pause time.Duration, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, moved := s.config.Now(), false
	pause = maxPause
	for _, order := range s.orders {
		if order.State == Open && !now.Before(order.due()) {
			moved = true
			switch {
			case order.over(now):
				_ = s.act(order, payments.PaymentExpired, "") // An open link may expire.
			case order.Request.Failure == "": // The phone answers. The link is open.
				_ = s.act(order, payments.PaymentSuccess, "")
			case order.Request.Failure == NoAnswer:
				order.Request, order.Failure = nil, NoAnswer
			default:
				_ = s.act(order, payments.PaymentFailed, order.Request.Failure)
			}
		}
		if order.State == Open {
			pause = min(pause, order.due().Sub(now))
		}
	}
	if moved {
		_ = s.commit() // The error is in the log.
	}
	s.queue = slices.DeleteFunc(s.queue, func(next *Delivery) bool {
		if wait := next.NextTryAt.Sub(now); wait > 0 {
			pause = min(pause, wait)
			return false
		}
		if s.busy[next.Order] || len(s.busy) == maxInFlight { // The end of a try looks again.
			return false
		}
		s.busy[next.Order] = true
		next.Stage, next.NextTryAt = Sending, nil
		due = append(due, next)
		return true
	})
	return due, pause, s.changed
}
