// Package shoptest sets up a shop counter for the tests of the console: the real payments service
// with a test's store, gateway and clock.
//
// The same steps give the same references, times and links, so screens can be compared with golden
// files.
package shoptest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// ErrDisk is the error that a broken store returns.
var ErrDisk = errors.New("the disk is full")

// Till is the name of the counter's till.
const Till = "T1"

// Opening returns the time of the clock when a counter is opened: noon in the counter's zone.
func Opening() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// Zone returns the time zone of the counter, which is three hours ahead of UTC.
func Zone() *time.Location { return time.FixedZone("EAT", 3*60*60) }

// An Answer replies to an order call in place of the payment service.
type Answer func(order payments.Order) (payments.Created, error)

// Counter is a shop's service with a clock, a gateway and errors of the store that the test
// controls. It is safe for concurrent use.
type Counter struct {
	*drawer.Service
	t     testing.TB
	store *shaky

	mu     sync.Mutex
	now    time.Time
	answer Answer
	calls  []payments.Order
}

// New opens a counter with a store. At first, every order is accepted.
func New(t testing.TB, store drawer.Store, options ...payments.Option) *Counter {
	t.Helper()
	c := &Counter{t: t, store: &shaky{Store: store}, now: Opening()}
	c.answer = c.Accept
	options = append([]payments.Option{payments.WithPINIterations(2), payments.WithTag("GT")}, options...)
	c.Service = drawer.New(c.store, payments.New(c.store, gateway{c}, c.Now, options...))
	return c
}

// Store returns the store that Break and Fill affect.
func (c *Counter) Store() drawer.Store { return c.store }

// Now returns the counter's time, in its zone. Only [Counter.Advance] moves it.
func (c *Counter) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.In(Zone())
}

// Advance moves the clock forward, but sends no message to a screen; see [Rig.After].
func (c *Counter) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// Break makes the store fail until Mend. Only the cashiers can still be read.
func (c *Counter) Break() { c.store.broken.Store(true) }

// Fill makes the store refuse new orders until Mend, like a full disk.
func (c *Counter) Fill() { c.store.full.Store(true) }

// Mend ends the effects of Break and Fill.
func (c *Counter) Mend() {
	c.store.broken.Store(false)
	c.store.full.Store(false)
}

// Reply sets the function that answers order calls from now on.
func (c *Counter) Reply(answer Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = answer
}

// Calls returns the orders that the payment service received, oldest first.
func (c *Counter) Calls() []payments.Order {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]payments.Order(nil), c.calls...)
}

// Accept is an [Answer] that accepts the order, with a link for ten minutes. The order reference of
// the n-th order call is REF_ and 700000+n.
func (c *Counter) Accept(payments.Order) (payments.Created, error) {
	reference := fmt.Sprintf("REF_%d", 700_000+len(c.Calls()))
	return payments.Created{
		OrderReference: reference,
		CheckoutURL:    "https://pay.example.mg/checkout/" + reference,
		ExpiresMinutes: 10,
	}, nil
}

// Health returns a health report with the given Reach at the time now: ReachListens,
// ReachNotListening, ReachStoreDown, ReachRefused or ReachUnconfirmed.
func Health(reach payments.Reach, now time.Time) payments.Health {
	health := payments.Health{Listening: reach != payments.ReachNotListening, StoreDown: reach == payments.ReachStoreDown}
	switch reach {
	case payments.ReachRefused:
		health.Expected = payments.Expected{At: now, Several: true}
	case payments.ReachUnconfirmed:
		health.Looked = now
	}
	return health
}

// Refuse returns an [Answer] that refuses the order with a message.
func Refuse(message string) Answer {
	return func(payments.Order) (payments.Created, error) {
		return payments.Created{}, &payments.Refusal{Message: message}
	}
}

// Lose returns an [Answer] that is an error, after which it is unknown whether the service has the
// order.
func Lose(why string) Answer {
	return func(payments.Order) (payments.Created, error) { return payments.Created{}, errors.New(why) }
}

// Silence returns an [Answer] like a timeout: the outcome of the order is unknown.
func Silence() Answer {
	return func(payments.Order) (payments.Created, error) { return payments.Created{}, payments.ErrNoAnswer }
}

// Unreachable returns an [Answer] like a refused connection: the order was not sent.
func Unreachable() Answer {
	return func(payments.Order) (payments.Created, error) {
		return payments.Created{}, payments.Reason{Fault: payments.ErrNobody, Detail: "connection refused"}
	}
}

type gateway struct{ counter *Counter }

func (g gateway) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	g.counter.mu.Lock()
	g.counter.calls = append(g.counter.calls, order)
	answer := g.counter.answer
	g.counter.mu.Unlock()
	return answer(order)
}
