package sandbox

import (
	"slices"
	"time"

	"checkout/till/payments"
)

const (
	// maxInFlight bounds the concurrent tries.
	maxInFlight = 32
	// maxHistory bounds the deliveries that are kept once they are done.
	maxHistory = 500
)

// emit queues the event of a kind with the faults of the moment. Deliveries of one
// order never overlap, and go out in the order in which they were queued. The lock
// must be held.
func (s *Sandbox) emit(order *Order, kind payments.EventKind) {
	faults, kinds, stage := s.eventFaults(order), []payments.EventKind{kind}, Waiting
	if faults.Then != "" && order.State != Open {
		kinds = append(kinds, faults.Then)
	}
	if faults.Reorder {
		slices.Reverse(kinds)
	}
	if faults.Drop {
		stage = Dropped
	} else if faults.Reorder && order.State == Open {
		stage = Held
	}
	for _, kind := range kinds {
		if faults.Shape == ShapeUnknownKind {
			kind = "payment.pending" // The specification knows no such kind.
		}
		for range 1 + faults.Copies {
			s.lastID++
			added := &Delivery{
				ID: s.lastID, Order: order.OrderReference, Event: kind, Stage: stage,
				CreatedAt: s.config.Now().UTC(), Body: order.body(faults, kind), Tries: []Try{},
			}
			s.deliveries = append(s.deliveries, added)
			if stage == Waiting {
				s.plan(added, faults.Delay)
			}
		}
	}
	surplus := len(s.deliveries) - maxHistory
	s.deliveries = slices.DeleteFunc(s.deliveries, func(d *Delivery) bool {
		forget := surplus > 0 && d.Done()
		if forget {
			surplus--
		}
		return forget
	})
	for _, held := range slices.Backward(s.deliveries) {
		if stage == Waiting && held.Order == order.OrderReference && held.Stage == Held {
			s.plan(held, faults.Delay)
		}
	}
}

// plan has a delivery wait for its next try, behind those of its order that are
// due before it. The lock must be held.
func (s *Sandbox) plan(planned *Delivery, delay time.Duration) {
	at := s.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt = Waiting, &at
	s.queue = append(slices.DeleteFunc(s.queue, func(d *Delivery) bool { return d == planned }), planned)
}

// Deliveries returns the deliveries that are kept, the newest first.
func (s *Sandbox) Deliveries() []Delivery { return newestFirst(s, &s.deliveries) }

// Resend sends a delivery now, whatever came of it, unless it is held or being
// sent. It returns it. Its errors are [ErrNoSuchDelivery] and [ErrSnapshot].
func (s *Sandbox) Resend(id int64) (sent Delivery, err error) {
	err = s.change(func() error {
		at := slices.IndexFunc(s.deliveries, func(d *Delivery) bool { return d.ID == id })
		if at < 0 {
			return ErrNoSuchDelivery
		}
		if stage := s.deliveries[at].Stage; stage != Sending && stage != Held {
			s.plan(s.deliveries[at], 0)
		}
		sent = *s.deliveries[at]
		return nil
	})
	return sent, err
}

// newestFirst returns copies of values of a sandbox that stand with the oldest first.
func newestFirst[T any](s *Sandbox, values *[]*T) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]T, 0, len(*values))
	for _, value := range slices.Backward(*values) {
		list = append(list, *value)
	}
	return list
}
