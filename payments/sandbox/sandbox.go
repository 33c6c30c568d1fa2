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
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
)

// maxPause is the longest pause of [Sandbox.Run]: timers stand still while a
// machine sleeps, so the wall clock is read again at least this often.
const maxPause = time.Minute

// Sandbox is the payment service. Expiry and webhooks need [Sandbox.Run]. It is
// safe for concurrent use.
type Sandbox struct {
	config Config
	over   chan struct{} // Closed when Run has ended.

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
	sandbox := &Sandbox{config: config, over: make(chan struct{}), busy: make(map[string]bool), changed: make(chan struct{})}
	if err := sandbox.restore(); err != nil {
		return nil, err
	}
	return sandbox, nil
}

// Config returns the configuration, with its defaults.
func (s *Sandbox) Config() Config { return s.config }

// Run lets links expire and sends events, until ctx ends and what is under way
// has ended with it. Call it once. It returns nil.
func (s *Sandbox) Run(ctx context.Context) error {
	defer close(s.over)
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
			case s.lapse(order, now):
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

// change makes a change, and commits it. An event of the change is sent after that
// alone: nobody hears of what is not saved.
func (s *Sandbox) change(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(do(), s.commit())
}

// commit tells who waits for a change, and saves it. The lock must be held.
func (s *Sandbox) commit() error {
	close(s.changed)
	s.changed = make(chan struct{})
	return s.save()
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
		case <-s.over:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// Act does what the customer's buttons do, and for [payments.PaymentExpired] lets
// the link expire now. Its errors are [ErrNoSuchOrder], [ErrLinkOver],
// [ErrNoSuchAction] and [ErrSnapshot].
func (s *Sandbox) Act(_ context.Context, orderReference string, kind payments.EventKind) error {
	return s.changeOrder(orderReference, func(order *Order) error { return s.act(order, kind, LowBalance) })
}

// AskPhone asks the customer's phone to pay a link. The phone answers later: it
// pays, or fails for the reason given. The number must be masked; a blank one is
// [ErrNumber], and [ErrAsked] says that the phone is being asked already. Its other
// errors are those of [Sandbox.Act].
func (s *Sandbox) AskPhone(orderReference, number string, failure Failure) error {
	return s.changeOrder(orderReference, func(order *Order) error {
		now := s.config.Now()
		switch {
		case s.lapse(order, now), order.State != Open:
			return ErrLinkOver
		case order.Request != nil:
			return ErrAsked
		case number == "":
			return ErrNumber
		}
		pause := s.config.AnswerTime
		if failure == NoAnswer {
			pause *= 8 // A silent phone is waited for longer.
		}
		order.Request, order.Failure = &PaymentRequest{Number: number, Failure: failure, Due: now.Add(pause).UTC()}, ""
		return nil
	})
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

// Reset forgets all orders, deliveries, faults and activities. Its error is
// [ErrSnapshot].
func (s *Sandbox) Reset() error {
	return s.change(func() error {
		s.orders, s.faults, s.activities = nil, Faults{}, nil
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

// act moves an order by what the customer or the clock did, and queues the event. A
// failed or canceled try leaves the link open; a success and its expiry end it. The
// lock must be held.
func (s *Sandbox) act(order *Order, kind payments.EventKind, failure Failure) error {
	now := s.config.Now()
	if kind != payments.PaymentExpired {
		s.lapse(order, now)
	}
	status, known := kind.Status()
	switch {
	case !known:
		return ErrNoSuchAction
	case order.State != Open:
		return ErrLinkOver
	case kind == payments.PaymentFailed:
		order.FailedTries++
		order.Failure = failure
	case kind == payments.PaymentCanceled:
		order.Failure = Canceled
	default:
		order.State, order.Failure = State(status), ""
	}
	order.Request = nil
	s.record(Activity{Kind: "act", OrderReference: order.OrderReference, Reference: order.Reference, Event: kind})
	s.emit(order, kind)
	return nil
}

// lapse lets a link expire whose time is over, and tells whether it is. The lock
// must be held.
func (s *Sandbox) lapse(order *Order, now time.Time) bool {
	if order.State == Open && order.over(now) {
		// Only a link that is not open refuses to expire.
		_ = s.act(order, payments.PaymentExpired, "")
	}
	return order.over(now)
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
