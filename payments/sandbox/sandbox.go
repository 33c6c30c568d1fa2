// Package sandbox is the payment service's own side, for the demo, for tests and
// for integrators: the order call, the life of links, and webhooks, with faults
// to inject. It moves no money.
//
// It is faithful where the specification speaks, and strict where it is silent:
// the amount is the sum of the items, and a reference is taken once. A link is
// paid at most once, a link that is over takes nothing, and every order ends with
// exactly one of success and expired:
//
//	      failed, canceled (the link stays open: another try)
//	           |  ^
//	           v  |
//	order --> open ---> success    paid, once
//	              \---> expired    by itself, at the end of its lifetime
//
// An event is sent for each arrow but the first. [Faults] change what the
// merchant is told, never what happened. The access token, the webhook secret
// and the signatures stand in no page, log, error or snapshot.
//
// This package is the state of the service, the order call, and the webhooks, which
// go to this machine alone. sandbox/server is the rest of the HTTP: the hosted page,
// the fault lab and the dashboard.
package sandbox

import (
	"context"
	"slices"
	"sync"
	"time"
)

// maxActivities bounds the activities that are kept for the dashboard.
const maxActivities = 200

// Sandbox is the payment service. Expiry and webhooks need [Sandbox.Run]. It is
// safe for concurrent use.
type Sandbox struct {
	config Config
	ended  chan struct{} // Closed when Run has ended.

	mu         sync.Mutex
	orders     []*Order // Oldest first.
	faults     Faults
	activities []*Activity // Newest last.
	deliveries []*Delivery // Oldest first; lastID is the newest one's.
	lastID     int64
	queue      []*Delivery     // Those that wait, as they were planned.
	busy       map[string]bool // The orders of which a delivery is being sent.
	changed    chan struct{}   // Closed by the next change.
}

// New returns a sandbox, with what [Config.Data] holds. Its errors are
// [ErrConfig], [ErrData], [ErrTarget] and [gateway.ErrWeakSecret], and
// hold neither of the secrets.
func New(config Config) (*Sandbox, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, err
	}
	sandbox := &Sandbox{config: config, ended: make(chan struct{}), busy: make(map[string]bool), changed: make(chan struct{})}
	if err := sandbox.restore(); err != nil {
		return nil, err
	}
	return sandbox, nil
}

// Config returns the configuration, with its defaults.
func (s *Sandbox) Config() Config { return s.config }

// change makes a change and commits it. A change that returns an error has changed
// nothing, and is not committed. Events are sent only after they were saved.
func (s *Sandbox) change(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := do(); err != nil {
		return err
	}
	return s.commit()
}

// commit tells who waits for a change, and saves it. The lock must be held.
func (s *Sandbox) commit() error {
	s.wake()
	return s.save()
}

// wake wakes who waits for a change. The lock must be held.
func (s *Sandbox) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Await waits until something holds, and asks again after every change of an
// order or a delivery. It returns false when ctx or the sandbox ends
// before.
func (s *Sandbox) Await(ctx context.Context, holds func() bool) bool {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if holds() {
			return true
		}
		select {
		case <-changed:
		case <-s.ended:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// SetOrderFaults sets the event faults of one order instead of those of all. Its
// errors are [ErrNoSuchOrder] and [ErrSnapshot].
func (s *Sandbox) SetOrderFaults(orderReference string, faults EventFaults) error {
	return s.changeOrder(orderReference, func(order *Order) error {
		order.Faults = &faults
		return nil
	})
}

func (s *Sandbox) changeOrder(orderReference string, do func(*Order) error) error {
	return s.change(func() error {
		order := s.find(named(orderReference))
		if order == nil {
			return ErrNoSuchOrder
		}
		return do(order)
	})
}

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

// Order returns an order by its order reference, or [ErrNoSuchOrder]. One whose
// time is over is shown as expired, even a moment before its event.
func (s *Sandbox) Order(orderReference string) (Order, error) { return s.show(named(orderReference)) }

// AtLink returns the order of a link as [Sandbox.Order] does.
func (s *Sandbox) AtLink(link string) (Order, error) {
	return s.show(func(o *Order) bool { return o.Link == link })
}

func (s *Sandbox) show(which func(*Order) bool) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order := s.find(which)
	if order == nil {
		return Order{}, ErrNoSuchOrder
	}
	shown := *order
	if shown.State == Open && shown.over(s.config.Now()) {
		shown.State = Expired
	}
	return shown, nil
}

// Orders returns all orders, the newest first.
func (s *Sandbox) Orders() []Order { return newestFirst(s, &s.orders) }

// Deliveries returns the deliveries that are kept, the newest first.
func (s *Sandbox) Deliveries() []Delivery { return newestFirst(s, &s.deliveries) }

// Activities returns the newest activities, the newest first.
func (s *Sandbox) Activities() []Activity { return newestFirst(s, &s.activities) }

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

// Reset forgets all orders, deliveries, faults and activities. Its error is
// [ErrSnapshot].
func (s *Sandbox) Reset() error {
	return s.change(func() error {
		s.orders = nil
		s.faults = Faults{}
		s.activities = nil
		s.deliveries, s.queue = nil, nil // The outcome of a try under way is dropped.
		return nil
	})
}

// Faults returns the faults of all orders that have none of their own.
func (s *Sandbox) Faults() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

// SetFaults sets the faults of all orders that have none of their own.
func (s *Sandbox) SetFaults(faults Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
}

// eventFaults returns the faults of an order's events; nil is an order that was
// forgotten. The lock must be held.
func (s *Sandbox) eventFaults(order *Order) EventFaults {
	if order != nil && order.Faults != nil {
		return *order.Faults
	}
	return s.faults.Event
}

// find returns the oldest order for which something holds, or nil. The lock must
// be held.
func (s *Sandbox) find(which func(*Order) bool) *Order {
	if at := slices.IndexFunc(s.orders, which); at >= 0 {
		return s.orders[at]
	}
	return nil
}

// plan has a delivery wait for its next try, behind those of its order that are
// due before it. The lock must be held.
func (s *Sandbox) plan(planned *Delivery, delay time.Duration) {
	at := s.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt = Waiting, &at
	s.queue = append(slices.DeleteFunc(s.queue, func(d *Delivery) bool { return d == planned }), planned)
}

// record notes an activity. The lock must be held.
func (s *Sandbox) record(activity Activity) {
	activity.At = s.config.Now().UTC()
	s.activities = append(s.activities[max(0, len(s.activities)-maxActivities+1):], &activity)
	if s.config.Observe != nil {
		s.config.Observe(activity)
	}
}
