package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage/outbox"
	"checkout/till/storage/storagetest"
)

// delivery is an event with the time of its first delivery.
type delivery struct {
	id     payments.EventID
	number int
	body   []byte
	came   time.Time
}

// newDelivery returns an event that is different from every other event of the test.
func newDelivery(t *testing.T, number int, kind payments.EventKind, text string) delivery {
	t.Helper()
	raw := gateway.EncodeEvent(gateway.Notification{Event: kind, OrderReference: reference(number), Amount: 9000, Currency: "Ar", Description: text})
	event, err := gateway.DecodeEvent(raw)
	must(t, err)
	return delivery{id: event.ID(), number: number, body: raw}
}

// give delivers an event and reports whether it is stored. It fails the test if
// the event is neither stored nor queued.
func (r *rig) give(d delivery) bool {
	event, err := gateway.DecodeEvent(d.body)
	if err == nil {
		_, err = r.outbox.ReceiveLate(r.t.Context(), event, d.body, time.Time{})
	}
	if err != nil && !errors.Is(err, outbox.ErrKept) {
		r.t.Errorf("the outbox lost an event: %v", err)
	}
	return err == nil
}

// settle makes the database work, waits for late attempts and applies all queued events.
func (r *rig) settle() {
	r.t.Helper()
	r.database.away.Store(false)
	r.database.choose = func(payments.Event, int) fault { return works }
	r.database.late.Wait()
	r.drain()
	r.expectLeft(0)
	if state := r.outbox.State(); state.Lost != 0 || state.Full || state.Away {
		r.t.Errorf("in the end: %+v", state)
	}
	r.reopen()
	r.expectLeft(0) // The file is empty, too.
}

// model delivers random events to an outbox with an unreliable database, and remembers the events.
type model struct {
	*rand.Rand
	*rig
	events []delivery // Sorted by arrival.
}

const modelOrders = 3

// pick returns a new event, or sometimes one that was delivered before.
func (m *model) pick() delivery {
	if len(m.events) > 0 && m.IntN(5) == 0 {
		return m.events[m.IntN(len(m.events))]
	}
	kinds := []payments.EventKind{payments.PaymentSuccess, payments.PaymentFailed, payments.PaymentExpired}
	d := newDelivery(m.t, m.IntN(modelOrders), kinds[m.IntN(len(kinds))], fmt.Sprint("event ", len(m.events)))
	m.clock.Add(int64(time.Second))
	d.came = m.clock.Now()
	m.events = append(m.events, d)
	m.database.mu.Lock()
	defer m.database.mu.Unlock()
	of := m.database.arrived
	of[reference(d.number)] = append(of[reference(d.number)], d.id)
	return d
}

// step takes a random action: a restart, a change of the database, or deliveries. Several
// deliveries in a step run at the same time, but begin one after the other.
func (m *model) step() {
	m.t.Helper()
	switch m.IntN(8) {
	case 0:
		m.reopen()
		clear(m.database.attempts)
	case 1:
		m.database.away.Store(m.IntN(2) == 0)
	case 2:
		_ = m.outbox.Drain(m.t.Context()) // The database may fail.
	case 3:
		time.Sleep(time.Minute)
	default:
		var group sync.WaitGroup
		if m.IntN(2) == 0 {
			group.Go(func() { _ = m.outbox.Drain(m.t.Context()) })
			synctest.Wait()
		}
		for range 1 + m.IntN(3) {
			d := m.pick()
			group.Go(func() {
				if m.give(d) {
					m.database.mu.Lock()
					defer m.database.mu.Unlock()
					if !m.database.answered[d.id] {
						m.t.Error("the outbox acknowledged an event that the database did not store")
					}
				}
			})
			synctest.Wait()
		}
		group.Wait()
	}
	m.check()
}

// check fails the test unless all events that the database has not confirmed are queued.
func (m *model) check() {
	m.t.Helper()
	m.database.mu.Lock()
	defer m.database.mu.Unlock()
	waiting := 0
	for _, d := range m.events {
		if !m.database.answered[d.id] {
			waiting++
		}
	}
	// A repeated event may be queued although it is stored, so state.Events may be greater than
	// waiting.
	if state := m.outbox.State(); state.Events < waiting || state.Lost != 0 || state.SetAside != 0 {
		m.t.Fatalf("%d events are not stored, but the outbox has %+v", waiting, state)
	}
}

func (m *model) compare() {
	m.t.Helper()
	for number := range modelOrders {
		of := slices.DeleteFunc(slices.Clone(m.events), func(d delivery) bool { return d.number != number })
		_, records := m.find(number)
		same := slices.EqualFunc(of, records, func(d delivery, stored payments.Record) bool {
			return d.id == stored.ID && d.came.Equal(stored.ReceivedAt)
		})
		if !same {
			m.t.Errorf("%s has %d events, want these %d in order of arrival", reference(number), len(records), len(of))
		}
	}
}

// rejections is the maximum number of failures of an event between two starts of the outbox. With
// one more, the outbox could set the event aside.
const rejections = 4

func TestEachEventIsStoredOnceInOrderOfArrivalWhateverFails(t *testing.T) {
	for seed := range uint64(storagetest.Size(6, 400)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &model{Rand: rand.New(rand.NewPCG(seed, 7)), rig: newRig(t)}
				m.database.choose = func(event payments.Event, attempt int) fault {
					id := event.ID()
					if attempt > rejections {
						return works
					}
					random := rand.New(rand.NewPCG(seed, uint64(id[0])<<16|uint64(id[1])<<8|uint64(attempt)))
					return fault(random.IntN(2) * random.IntN(int(faults)))
				}
				for range 30 {
					m.step()
				}
				m.settle()
				m.compare()
			})
		})
	}
}

func TestManySendersLoseNoEventOfAFewOrdersWhateverFails(t *testing.T) {
	const senders, each = 12, 10
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		random := rand.New(rand.NewPCG(1, 2))
		r := newRig(t)
		r.database.choose = func(_ payments.Event, attempt int) fault {
			mu.Lock()
			defer mu.Unlock()
			if attempt > rejections {
				return works
			}
			return fault(random.IntN(2) * random.IntN(int(faults)))
		}
		ctx, stop := context.WithCancel(t.Context())
		var running, sending sync.WaitGroup
		running.Go(func() { _ = r.outbox.Run(ctx) })
		sent := make([][]delivery, senders)
		for sender := range senders {
			for n := range each {
				kind := []payments.EventKind{payments.PaymentSuccess, payments.PaymentFailed}[n%2]
				sent[sender] = append(sent[sender], newDelivery(t, sender%3, kind, fmt.Sprint(sender, n)))
			}
			sending.Go(func() {
				for _, d := range sent[sender] {
					r.give(d)
					r.give(d) // The service sends the event again.
				}
			})
		}
		sending.Wait()
		stop()
		running.Wait()
		r.settle()
		of := map[payments.EventID]int{} // Position of each event among those of its order.
		for number := range 3 {
			_, records := r.find(number)
			for place, record := range records {
				of[record.ID] = place
			}
			if len(records) != senders/3*each {
				t.Errorf("%s has %d events", reference(number), len(records))
			}
		}
		for sender, events := range sent {
			if !slices.IsSortedFunc(events, func(a, b delivery) int { return of[a.id] - of[b.id] }) {
				t.Errorf("the events of sender %d are out of order", sender)
			}
		}
	})
}
