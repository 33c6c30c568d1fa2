// Package shoptest sets up a shop counter for the tests of the console: the real
// rules on the store that the test opens, a payment service that answers as the
// test says, and a clock that the test moves. Only tests import it.
//
// It guarantees that nothing in it waits and that nothing is left to chance: the
// same steps give the same references, times and links, so that screens can be
// compared with what they were.
package shoptest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
)

// ErrDisk is what the store says while it is broken.
var ErrDisk = errors.New("the disk is full")

// Till is the name of the till.
const Till = "T1"

// Opening is the moment at which every counter opens: noon at the counter.
func Opening() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// Zone is the time zone of the counter.
func Zone() *time.Location { return time.FixedZone("EAT", 3*60*60) }

// Answer is how the payment service answers an order call.
type Answer func(order payments.Order) (payments.Created, error)

// Counter is a shop's service with all that a test decides about. It is safe
// for concurrent use.
type Counter struct {
	*payments.Service
	t     testing.TB
	store *shaky

	mu     sync.Mutex
	now    time.Time
	answer Answer
	calls  []payments.Order
}

// New opens a counter on a store. The payment service takes every order.
func New(t testing.TB, store payments.Store, options ...payments.Option) *Counter {
	t.Helper()
	c := &Counter{t: t, store: &shaky{Store: store}, now: Opening()}
	c.answer = c.Accept
	options = append([]payments.Option{payments.WithPINIterations(2), payments.WithoutTags()}, options...)
	c.Service = payments.New(c.store, gateway{c}, c.Now, options...)
	return c
}

// Store is the store that Break breaks.
func (c *Counter) Store() payments.Store { return c.store }

// Now is the time at the counter, in its zone.
func (c *Counter) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.In(Zone())
}

// Advance lets time go by.
func (c *Counter) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// Break makes the store fail until Mend.
func (c *Counter) Break() { c.store.broken.Store(true) }

// Fill leaves the store room for the outcomes of orders alone until Mend.
func (c *Counter) Fill() { c.store.full.Store(true) }

// Mend makes the store work again.
func (c *Counter) Mend() {
	c.store.broken.Store(false)
	c.store.full.Store(false)
}

// Reply says how the payment service answers from now on.
func (c *Counter) Reply(answer Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = answer
}

// Calls returns the orders with which the payment service was called.
func (c *Counter) Calls() []payments.Order {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]payments.Order(nil), c.calls...)
}

// Accept takes an order, with a link of ten minutes: the n-th order is called
// REF_700000+n.
func (c *Counter) Accept(payments.Order) (payments.Created, error) {
	reference := fmt.Sprintf("REF_%d", 700_000+len(c.Calls()))
	return payments.Created{
		OrderReference: reference,
		CheckoutURL:    "https://pay.example.mg/checkout/" + reference,
		ExpiresMinutes: 10,
	}, nil
}

// Health returns the health of a shop with this reach at now. Without a reach it listens.
func Health(reach payments.Reach, now time.Time) payments.Health {
	health := payments.Health{Listening: reach != payments.ReachNotListening, StoreDown: reach == payments.ReachStoreDown}
	switch reach {
	case payments.ReachRefused:
		health.RefusedUntil = now.Add(time.Hour)
	case payments.ReachUnconfirmed:
		health.Looked = now
	}
	return health
}

// Refuse answers that the service does not take the order.
func Refuse(message string) Answer {
	return func(payments.Order) (payments.Created, error) {
		return payments.Created{}, &payments.Refusal{Message: message}
	}
}

// Lose answers nothing: nobody knows whether the service has the order.
func Lose(why string) Answer {
	return func(payments.Order) (payments.Created, error) { return payments.Created{}, errors.New(why) }
}

// Silence is a service that does not answer in time.
func Silence() Answer {
	return func(payments.Order) (payments.Created, error) { return payments.Created{}, payments.ErrNoAnswer }
}

// Unreachable is a service to which no call gets through.
func Unreachable() Answer {
	return func(payments.Order) (payments.Created, error) {
		return payments.Created{}, payments.Reason{Fault: payments.ErrNobody, Detail: "connection refused"}
	}
}

// gateway is the payment service's order call.
type gateway struct{ counter *Counter }

// Create notes the call and answers as the test says.
func (g gateway) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	g.counter.mu.Lock()
	g.counter.calls = append(g.counter.calls, order)
	answer := g.counter.answer
	g.counter.mu.Unlock()
	return answer(order)
}
