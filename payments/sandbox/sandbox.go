// Package sandbox is the payment service's own side, for the demo, for tests and
// for integrators: the order call, the life of links, and webhooks, with faults
// to inject. It moves no money.
//
// It is faithful where the specification speaks, and strict where it is silent:
// the amount is the sum of the items, and a reference is taken once. A link is
// paid at most once, a link that is over takes nothing, and every order ends with
// exactly one of success, canceled and expired:
//
//	          failed (the link stays open: another try)
//	           |  ^
//	           v  |
//	order --> open ---> success    paid, once
//	              \---> canceled   the customer gave it up
//	               \--> expired    by itself, at the end of its lifetime
//
// An event is sent for each arrow but the first. [Faults] change what the
// merchant is told, never what happened. The access token, the webhook secret
// and the signatures stand in no page, log, error or snapshot.
//
// This package is the state of the service and the order call. Below it,
// sandbox/delivery sends the events; above it, sandbox/page is the hosted page,
// sandbox/lab the JSON API and the dashboard, and sandbox/server the HTTP handler
// of all of them.
package sandbox

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox/delivery"
)

const (
	// silence is how many times as long as an answer a silent phone is waited for.
	silence = 8
	// maxTimer is the longest timer: timers stand still while a machine sleeps, so
	// the wall clock is read again at least this often.
	maxTimer = time.Minute
)

// Sandbox is the payment service. Expiry and webhooks need [Sandbox.Run]. It is
// safe for concurrent use.
type Sandbox struct {
	config Config
	queue  *delivery.Queue
	data   *dataFile     // Nil when nothing is kept across a restart.
	over   chan struct{} // Closed when Run has ended.
	ticks  sync.WaitGroup

	mu         sync.Mutex
	running    bool
	timer      *time.Timer // Until an order is due; nil before the first.
	orders     []*Order    // Oldest first.
	faults     Faults
	activities []Activity    // Newest last.
	version    uint64        // Counts changes of what a snapshot holds.
	changed    chan struct{} // Closed by the next change.
}

// New returns a sandbox, with what [Config.Data] holds. Its errors are
// [ErrConfig], [ErrData], [delivery.ErrTarget], [delivery.ErrUnknownRetry] and
// [gateway.ErrWeakSecret], and hold neither of the secrets.
func New(config Config) (*Sandbox, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, err
	}
	sandbox := &Sandbox{config: config, over: make(chan struct{}), changed: make(chan struct{})}
	sandbox.queue = delivery.NewQueue(delivery.Config{
		URL: config.WebhookURL, Retry: config.Retry, Transport: config.Transport, Now: config.Now,
		Sign: sandbox.sign, Save: func() { _ = sandbox.save() }, Tried: sandbox.tried,
	})
	if config.Data != "" {
		if err := sandbox.restore(config.Data); err != nil {
			return nil, err
		}
	}
	return sandbox, nil
}

// Config returns the configuration, with its defaults.
func (s *Sandbox) Config() Config { return s.config }

// Run lets links expire and sends events, until ctx ends and what is under way
// has ended with it. Call it once. Its error is that of the last snapshot.
func (s *Sandbox) Run(ctx context.Context) error {
	s.setRunning(true)
	s.queue.Run(ctx)
	s.setRunning(false)
	s.ticks.Wait()
	close(s.over)
	return s.save()
}

func (s *Sandbox) setRunning(running bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = running
	s.schedule()
}

// Act does what the customer's buttons do, and for [payments.PaymentExpired] lets
// the link expire now. Its errors are [ErrNoSuchOrder], [ErrLinkOver],
// [ErrNoSuchAction], [ErrBusy] and [ErrSnapshot].
func (s *Sandbox) Act(ctx context.Context, orderReference string, kind payments.EventKind) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.change(func() error {
		order := s.find(orderReference)
		if order == nil {
			return ErrNoSuchOrder
		}
		_, err := s.act(order, kind, LowBalance)
		return err
	})
}

// Choose does what a customer chose on the page of a link. While the phone is
// asked the customer can cancel and nothing else ([ErrAsked]). Its other errors
// are those of [Sandbox.Act]. It returns the order as it is then.
func (s *Sandbox) Choose(link string, kind payments.EventKind) (Order, error) {
	return s.atLink(link, func(order *Order) error {
		if order.Request != nil && kind != payments.PaymentCanceled && !order.over(s.config.Now()) {
			return ErrAsked
		}
		_, err := s.act(order, kind, LowBalance)
		return err
	})
}

// AskPhone asks the customer's phone to pay a link. The phone answers later: it
// pays, or fails for the reason given. The number must be masked. Its errors are
// those of [Sandbox.Choose].
func (s *Sandbox) AskPhone(link, number string, failure Failure) (Order, error) {
	return s.atLink(link, func(order *Order) error {
		now := s.config.Now()
		switch {
		case s.lapse(order, now), order.State != Open:
			return ErrLinkOver
		case order.Request != nil:
			return ErrAsked
		}
		pause := s.config.AnswerTime
		if failure == NoAnswer {
			pause *= silence
		}
		order.Request, order.Failure = &PaymentRequest{Number: number, Failure: failure, Due: now.Add(pause).UTC()}, ""
		return nil
	})
}

// AtLink returns the order of a link, and false when there is none. A link whose
// time is over is shown as expired, even a moment before its event.
func (s *Sandbox) AtLink(link string) (Order, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order := s.byLink(link)
	if order == nil {
		return Order{}, false
	}
	shown := *order
	if shown.State == Open && shown.over(s.config.Now()) {
		shown.State = Expired
	}
	return shown, true
}

// Orders returns all orders, the newest first.
func (s *Sandbox) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list()
}

// Order returns one order, or [ErrNoSuchOrder].
func (s *Sandbox) Order(orderReference string) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if order := s.find(orderReference); order != nil {
		return *order, nil
	}
	return Order{}, ErrNoSuchOrder
}

// list returns all orders, the newest first. The lock must be held.
func (s *Sandbox) list() []Order {
	orders := make([]Order, 0, len(s.orders))
	for _, order := range slices.Backward(s.orders) {
		orders = append(orders, *order)
	}
	return orders
}

// Deliveries returns the deliveries that are kept, the newest first.
func (s *Sandbox) Deliveries() []delivery.Delivery { return s.queue.List() }

// Resend sends a delivery again and returns it; false when it is not known.
func (s *Sandbox) Resend(id int64) (delivery.Delivery, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.touch()
	return s.queue.Resend(id)
}

// Reset forgets all orders, deliveries, faults and activities. Its error is
// [ErrSnapshot].
func (s *Sandbox) Reset() error {
	return s.change(func() error {
		s.orders, s.faults, s.activities = nil, Faults{}, nil
		s.queue.Reset()
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
	s.touch()
}

// Play sets the faults of a scenario for all orders. It returns
// [ErrNoSuchScenario].
func (s *Sandbox) Play(name string) (Scenario, error) {
	scenario, err := FindScenario(name)
	if err == nil {
		s.SetFaults(scenario.Faults)
	}
	return scenario, err
}

// SetOrderFaults sets the event faults of one order instead of those of all; nil
// ends its own. Its errors are [ErrNoSuchOrder] and [ErrSnapshot].
func (s *Sandbox) SetOrderFaults(orderReference string, faults *EventFaults) error {
	return s.change(func() error {
		order := s.find(orderReference)
		if order == nil {
			return ErrNoSuchOrder
		}
		order.Faults = faults
		return nil
	})
}

// eventFaults returns the faults of an order's events. The lock must be held.
func (s *Sandbox) eventFaults(orderReference string) EventFaults {
	if order := s.find(orderReference); order != nil && order.Faults != nil {
		return *order.Faults
	}
	return s.faults.Event
}

// change runs a change under the lock, and saves it.
func (s *Sandbox) change(do func() error) error {
	s.mu.Lock()
	err := do()
	s.touch()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.save()
}

// atLink changes the order of a link and returns it.
func (s *Sandbox) atLink(link string, do func(*Order) error) (changed Order, err error) {
	err = s.change(func() error {
		order := s.byLink(link)
		if order == nil {
			return ErrNoSuchOrder
		}
		err := do(order)
		changed = *order
		return err
	})
	return changed, err
}

// act moves an order and queues the event, whose delivery's ID it returns; 0 when
// a fault holds it back. The lock must be held.
func (s *Sandbox) act(order *Order, kind payments.EventKind, failure Failure) (int64, error) {
	now := s.config.Now()
	if kind != payments.PaymentExpired {
		if !s.lapse(order, now) && s.queue.Full() {
			return 0, ErrBusy
		}
	}
	if err := order.apply(kind, failure, now); err != nil {
		return 0, err
	}
	s.record(Activity{Kind: ActivityAct, OrderReference: order.OrderReference, Reference: order.Reference, Event: kind})
	return s.emit(order, kind), nil
}

// lapse lets a link expire whose time is over, and tells whether it is. The lock
// must be held.
func (s *Sandbox) lapse(order *Order, now time.Time) bool {
	if !order.over(now) {
		return false
	}
	if order.State == Open {
		// Only a link that is not open refuses to expire.
		_, _ = s.act(order, payments.PaymentExpired, "")
	}
	return true
}

// schedule sets the timer for the order that is due first. The lock must be held.
func (s *Sandbox) schedule() {
	if s.timer != nil {
		s.timer.Stop()
	}
	var next time.Time
	for _, order := range s.orders {
		if due := order.due(); order.State == Open && (next.IsZero() || due.Before(next)) {
			next = due
		}
	}
	if s.running && !next.IsZero() {
		s.timer = time.AfterFunc(min(next.Sub(s.config.Now()), maxTimer), s.tick)
	}
}

// tick does what is due: the expiry of links, and the answers of phones.
func (s *Sandbox) tick() {
	s.mu.Lock()
	if !s.running {
		s.mu.Unlock()
		return
	}
	s.ticks.Add(1)
	defer s.ticks.Done()
	now := s.config.Now()
	for _, order := range s.orders {
		if request := order.Request; !s.lapse(order, now) && request != nil && !now.Before(request.Due) {
			s.answer(order, request)
		}
	}
	s.touch()
	s.mu.Unlock()
	_ = s.save() // The error is in the log.
}

// answer takes the answer of the customer's phone. The lock must be held.
func (s *Sandbox) answer(order *Order, request *PaymentRequest) {
	err := ErrBusy
	switch request.Failure {
	case "":
		_, err = s.act(order, payments.PaymentSuccess, "")
	case NoAnswer:
	default:
		_, err = s.act(order, payments.PaymentFailed, request.Failure)
	}
	if err != nil { // The phone was silent, or there is no room for an event.
		order.Request, order.Failure = nil, NoAnswer
	}
}

// emit queues the event of a kind with the faults of the moment, and returns its
// first delivery's ID, 0 when a fault holds it back. The lock must be held.
func (s *Sandbox) emit(order *Order, kind payments.EventKind) int64 {
	faults := s.eventFaults(order.OrderReference)
	stage := delivery.Waiting
	if faults.Drop {
		stage = delivery.Dropped
	} else if faults.Reorder && order.State == Open {
		stage = delivery.Held
	}
	batch := faults.deliveries(order, kind, stage)
	if faults.Then != "" && order.State != Open {
		then := faults.deliveries(order, faults.Then, stage)
		if faults.Reorder {
			batch, then = then, batch
		}
		batch = append(batch, then...)
	}
	first := s.queue.Add(faults.Delay, batch...)
	if stage != delivery.Waiting {
		return 0
	}
	s.queue.Release(order.OrderReference, faults.Delay)
	return first
}

// sign signs an event as the faults of its order have it now.
func (s *Sandbox) sign(orderReference string, body []byte, header http.Header) string {
	s.mu.Lock()
	fault := s.eventFaults(orderReference).Signature
	s.mu.Unlock()
	name, scheme, secret := s.config.SignatureHeader, s.config.Scheme, s.config.WebhookSecret
	switch fault {
	case SignatureMissing:
		return string(fault)
	case SignatureDoubled:
		header.Add(name, gateway.Sign(scheme, secret, body))
	case SignatureStatic:
		scheme = gateway.Static
	case SignatureBody:
		scheme = gateway.Body
	case SignatureWrong:
		secret = payments.NewSecret("not the merchant's webhook secret")
	}
	header.Add(name, gateway.Sign(scheme, secret, body))
	return cmp.Or(string(fault), string(scheme))
}
