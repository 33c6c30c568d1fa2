package sandbox

import (
	"context"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
)

const (
	maxPause    = time.Minute // Longest pause of Run. It is short, because timers stop while the machine sleeps.
	maxInFlight = 32
)

// Run lets links expire and sends events until ctx ends. It then waits for the running
// tries. It always returns nil. Call it only once.
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

// tick processes the expired links, and the answers of phones that are due. due are the deliveries
// to send now, at most one for each order. [Sandbox.Run] may then wait for pause, or until changed
// is closed.
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
				_ = s.act(order, payments.PaymentExpired, "") // Cannot fail, because the link is open.
			case order.Request.Failure == "": // The customer pays. Ignore the error: the link may have just ended.
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
		_ = s.commit() // commit logs its error.
	}
	s.queue = slices.DeleteFunc(s.queue, func(next *Delivery) bool {
		if wait := next.NextTryAt.Sub(now); wait > 0 {
			pause = min(pause, wait)
			return false
		}
		if s.busy[next.Order] || len(s.busy) == maxInFlight { // Wait until a running try ends.
			return false
		}
		s.busy[next.Order] = true
		next.Stage, next.NextTryAt = Sending, nil
		due = append(due, next)
		return true
	})
	return due, pause, s.changed
}
