// Package sandbox simulates the payment service for the demo, for tests and for
// integrators: the order call, the lifetime of links, and webhooks, with faults to inject.
// It moves no money.
//
// It follows the specification, and is strict where the specification says nothing: the amount must
// be the sum of the items, and a reference is unique. A link is paid at most once and cannot be
// used after its end. Every order ends with exactly one success or expiry:
//
//	      failed, canceled (the link stays open: another try)
//	           |  ^
//	           v  |
//	order --> open ---> success    paid, once
//	              \---> expired    by itself, at the end of its lifetime
//
// Every arrow except the first sends an event. [Faults] change what the merchant receives; only
// [CallFaults].EventFirst also changes the state of an order. The access token, the webhook secret
// and the signatures do not appear in any page, log, error or snapshot.
//
// By default, events are sent only to this machine. Package sandbox/server contains the HTTP
// handlers other than the order call: the hosted page, the fault lab and the dashboard.
package sandbox

import (
	"context"
	"slices"
	"sync"
	"time"
)

const maxActivities = 1000

// Sandbox is a simulated payment service. Links expire and webhooks are sent only while
// [Sandbox.Run] runs. A Sandbox is safe for concurrent use.
type Sandbox struct {
	config  Config
	senders map[string]Config
	ended   chan struct{} // Closed when Run has ended.

	mu         sync.Mutex
	orders     []*Order // Oldest first.
	faults     Faults
	ownFaults  map[string]*Faults // Faults of single orders, by the merchant's reference.
	activities []*Activity        // Newest last.
	deliveries []*Delivery        // Oldest first.
	lastID     int64
	queue      []*Delivery     // Waiting deliveries, in the order in which they were planned.
	busy       map[string]bool // Orders with a delivery that is being sent now.
	changed    chan struct{}   // Closed and replaced at the next change.
}

// New returns a sandbox with the orders and deliveries of the file [Config.Data]; it creates a
// missing file. The errors are [ErrConfig], [ErrTarget], [gateway.ErrWeakSecret] and
// [gateway.ErrUnknownScheme] for the configuration, and [ErrData], [ErrSnapshot] or an error of the
// system for the file. They do not contain the secrets.
func New(config Config) (*Sandbox, error) {
	senders := config.senders()
	config = senders[""]
	if err := config.check(); err != nil {
		return nil, err
	}
	sandbox := &Sandbox{
		config: config, senders: senders, ended: make(chan struct{}), changed: make(chan struct{}),
		busy: make(map[string]bool), ownFaults: make(map[string]*Faults),
	}
	if err := sandbox.restore(); err != nil {
		return nil, err
	}
	return sandbox, nil
}

// Config returns the configuration that [New] got, with the defaults for unset fields.
func (s *Sandbox) Config() Config { return s.config }

// change calls the function do with s.mu locked, and then saves the state, so that each delivery is
// saved before it is sent. If the save fails, the change stays in memory. If do returns an error,
// it must not have changed anything.
func (s *Sandbox) change(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := do(); err != nil {
		return err
	}
	return s.commit()
}

// commit saves the state, and wakes [Sandbox.Run] and [Sandbox.Await]. The caller holds s.mu.
func (s *Sandbox) commit() error {
	s.wake()
	return s.save()
}

// wake wakes [Sandbox.Run] and [Sandbox.Await] after a change. The caller holds s.mu.
func (s *Sandbox) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Await waits until the function holds returns true. It calls holds again after every change of an
// order or a delivery. It returns false if ctx or the sandbox ends first.
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

// SetOrderFaults sets the event faults of one order, instead of the default faults. The
// errors are [ErrNoSuchOrder] and [ErrSnapshot].
func (s *Sandbox) SetOrderFaults(orderReference string, faults EventFaults) error {
	return s.changeOrder(orderReference, func(order *Order) error {
		order.Faults = &faults
		return nil
	})
}

func (s *Sandbox) changeOrder(orderReference string, do func(*Order) error) error {
	return s.change(func() error {
		order := s.find(hasOrderReference(orderReference))
		if order == nil {
			return ErrNoSuchOrder
		}
		return do(order)
	})
}

// Resend sends a delivery again now, unless it is held or being sent. It returns the
// delivery. The errors are [ErrNoSuchDelivery] and [ErrSnapshot].
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

// Order returns the order with this order reference, or [ErrNoSuchOrder]. If the link has ended
// unpaid, the order's State is Expired, even if Run has not processed the end yet.
func (s *Sandbox) Order(orderReference string) (Order, error) {
	return s.show(hasOrderReference(orderReference))
}

// AtLink returns the order with this link, as [Sandbox.Order] does, or [ErrNoSuchOrder].
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

// Orders returns the last 10,000 orders at most, newest first.
func (s *Sandbox) Orders() []Order { return newestFirst(s, &s.orders) }

// Deliveries returns the deliveries, newest first. Of more than 500, the oldest finished ones are
// deleted.
func (s *Sandbox) Deliveries() []Delivery { return newestFirst(s, &s.deliveries) }

// Activities returns the last 1,000 activities at most, newest first.
func (s *Sandbox) Activities() []Activity { return newestFirst(s, &s.activities) }

func newestFirst[T any](s *Sandbox, values *[]*T) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]T, 0, len(*values))
	for _, value := range slices.Backward(*values) {
		list = append(list, *value)
	}
	return list
}

// Reset deletes all orders, deliveries, faults and activities. Its error is [ErrSnapshot].
func (s *Sandbox) Reset() error {
	return s.change(func() error {
		s.orders = nil
		s.faults = Faults{}
		clear(s.ownFaults)
		s.activities = nil
		s.deliveries, s.queue = nil, nil // Tries that are running now store no result.
		return nil
	})
}

// Faults returns the default faults; see [Sandbox.SetFaults].
func (s *Sandbox) Faults() Faults { return s.FaultsOf("") }

// FaultsOf returns the faults of the order with this merchant's reference: those of
// [Sandbox.SetFaultsOf] and [Sandbox.SetOrderFaults], or else the default faults.
func (s *Sandbox) FaultsOf(reference string) Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	faults := *s.faultsOf(reference)
	if order := s.find(func(o *Order) bool { return o.Reference == reference }); order != nil && order.Faults != nil {
		faults.Event = *order.Faults
	}
	return faults
}

// SetFaults sets the default faults, which apply to all orders without faults of their own. The data
// file does not contain the default faults.
func (s *Sandbox) SetFaults(faults Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
}

// SetFaultsOf sets the faults of the order with this merchant's reference. The order need not exist
// yet. A blank reference sets the default faults. The error is [ErrSnapshot].
func (s *Sandbox) SetFaultsOf(reference string, faults Faults) error {
	if reference == "" {
		s.SetFaults(faults)
		return nil
	}
	return s.change(func() error {
		s.ownFaults[reference] = &faults
		if order := s.find(func(o *Order) bool { return o.Reference == reference }); order != nil {
			order.Faults = &faults.Event
		}
		return nil
	})
}

// faultsOf returns the faults that SetFaultsOf set for this reference, or the default faults. The
// caller holds s.mu.
func (s *Sandbox) faultsOf(reference string) *Faults {
	if own := s.ownFaults[reference]; own != nil {
		return own
	}
	return &s.faults
}

// eventFaults returns the faults of an order's events. order is nil if it was deleted. The
// caller holds s.mu.
func (s *Sandbox) eventFaults(order *Order) EventFaults {
	if order != nil && order.Faults != nil {
		return *order.Faults
	}
	return s.faults.Event
}

// find returns the oldest order that matches, or nil. The caller holds s.mu.
func (s *Sandbox) find(which func(*Order) bool) *Order {
	if at := slices.IndexFunc(s.orders, which); at >= 0 {
		return s.orders[at]
	}
	return nil
}

// plan sets the time of a delivery's next try, and moves the delivery to the end of the
// queue. The caller holds s.mu.
func (s *Sandbox) plan(planned *Delivery, delay time.Duration) {
	at := s.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt = Waiting, &at
	s.queue = append(slices.DeleteFunc(s.queue, func(d *Delivery) bool { return d == planned }), planned)
}

// record stores an activity with the current time, and passes it to [Config].Observe. The caller
// holds s.mu.
func (s *Sandbox) record(activity Activity) {
	activity.At = s.config.Now().UTC()
	s.activities = append(s.activities[max(0, len(s.activities)-maxActivities+1):], &activity)
	if s.config.Observe != nil {
		s.config.Observe(activity)
	}
}
