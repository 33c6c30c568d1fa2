package outbox_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage/outbox"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
	"checkout/till/storage/storagetest/sqlitetest"
)

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

var errAway = errors.New("the database is away")

// clock is the present time in a test, in nanoseconds since 1970.
type clock struct{ atomic.Int64 }

func (c *clock) Now() time.Time { return time.Unix(0, c.Load()).UTC() }

// fault is what goes wrong when the outbox applies an event to the database.
type fault int

const (
	works     fault = iota
	fails           // Stores nothing and returns an error.
	lies            // Stores the event and returns an error.
	hangs           // Stores nothing and waits until the context ends.
	hangsLies       // Stores the event and waits until the context ends.
	hangsLate       // Waits until the context ends; stores the event some time later.
	slow            // Takes longer than the context allows, and succeeds.
	faults
)

// database is a shop's database that can fail. It fails the test if it gets two events of an order
// at the same time, or an event before all earlier events of the order are stored.
type database struct {
	*payments.Service
	t       *testing.T
	choose  func(event payments.Event, attempt int) fault // Chooses what goes wrong; it may wait.
	away    atomic.Bool                                   // Every attempt and every probe fails.
	refused atomic.Int64                                  // The events of the order with this number are rejected; -1 rejects no event.
	late    sync.WaitGroup                                // Attempts that store their event later.

	mu       sync.Mutex
	busy     map[string]bool
	attempts map[payments.EventID]int
	answered map[payments.EventID]bool     // Events that were applied at least once without an error.
	arrived  map[string][]payments.EventID // The events of each order reference, in order of arrival.
}

func newDatabase(t *testing.T, service *payments.Service) *database {
	d := &database{
		Service: service, t: t, choose: func(payments.Event, int) fault { return works },
		busy: map[string]bool{}, attempts: map[payments.EventID]int{},
		answered: map[payments.EventID]bool{}, arrived: map[string][]payments.EventID{},
	}
	d.refused.Store(-1)
	return d
}

func (d *database) probe(context.Context) error {
	if d.away.Load() {
		return errAway
	}
	return nil
}

func (d *database) apply(ctx context.Context, event payments.Event, body []byte, came time.Time) (receipt payments.Receipt, err error) {
	attempt := d.begin(event)
	defer func() { d.end(event, err) }()
	fault := fails
	if !d.away.Load() && event.OrderReference != reference(int(d.refused.Load())) {
		fault = d.choose(event, attempt)
	}
	background := context.WithoutCancel(ctx)
	switch fault {
	case fails:
		return payments.Receipt{}, errAway
	case hangs, hangsLate:
		<-ctx.Done()
		if fault == hangsLate {
			d.late.Go(func() {
				time.Sleep(time.Minute)
				_, _ = d.ReceiveLate(background, event, body, came)
			})
		}
		return payments.Receipt{}, ctx.Err()
	case slow:
		<-ctx.Done()
		time.Sleep(time.Second)
	}
	receipt, err = d.ReceiveLate(background, event, body, came)
	if err == nil && (fault == lies || fault == hangsLies) {
		if fault == hangsLies {
			<-ctx.Done()
		}
		return payments.Receipt{}, errAway
	}
	return receipt, err
}

// begin notes an attempt to apply an event, and returns its number.
func (d *database) begin(event payments.Event) (attempt int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id, reference := event.ID(), event.OrderReference
	if d.busy[reference] {
		d.t.Errorf("the database got two events of %s at the same time", reference)
	}
	d.busy[reference] = true
	for _, earlier := range d.arrived[reference] {
		if earlier == id {
			break
		}
		if !d.answered[earlier] && !d.answered[id] {
			d.t.Errorf("%s overtakes an earlier event of %s", event.Description.Text, reference)
		}
	}
	d.attempts[id]++
	return d.attempts[id]
}

func (d *database) end(event payments.Event, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy[event.OrderReference] = false
	d.answered[event.ID()] = d.answered[event.ID()] || err == nil
}

func reference(number int) string { return storagetest.Order(number).OrderReference }

// rig is a shop with the orders 0 to 20 and an outbox for its database.
type rig struct {
	t        *testing.T
	clock    clock
	store    *sqlite.Store
	database *database
	path     string // The outbox's file.
	shop     string // The database's file.
	log      bytes.Buffer
	outbox   *outbox.Outbox
	now      payments.Clock // The outbox's clock.
}

func newRig(t *testing.T) *rig {
	t.Helper()
	folder := disk.Memory(t)
	r := &rig{t: t, path: filepath.Join(folder, "state", "outbox.db"), shop: filepath.Join(folder, "till.db")}
	r.clock.Store(storagetest.Order(0).CreatedAt.UnixNano())
	r.now = r.clock.Now
	r.store = sqlitetest.OpenAt(t, r.shop)
	storagetest.Fill(t, r.store, 21)
	r.database = newDatabase(t, payments.New(r.store, nil, r.clock.Now))
	r.open()
	return r
}

// open opens the outbox, as the listener does at its start.
func (r *rig) open() {
	r.t.Helper()
	opened, err := outbox.Open(r.t.Context(), r.path, outbox.Config{
		Apply: r.database.apply, Probe: r.database.probe, Now: r.now, Logger: slog.New(slog.NewTextHandler(&r.log, nil)),
	})
	must(r.t, err)
	r.outbox = opened
	r.t.Cleanup(func() { _ = opened.Close() })
}

// reopen closes the outbox and opens it again, as a new listener does.
func (r *rig) reopen() {
	r.t.Helper()
	must(r.t, r.outbox.Close())
	r.open()
}

func body(kind payments.EventKind, number int) []byte {
	return gateway.EncodeEvent(gateway.Notification{
		Event: kind, OrderReference: reference(number), Reference: "SHOP_1", Amount: 9000, Currency: "Ar", Description: "Vary",
	})
}

func (r *rig) deliver(kind payments.EventKind, number int) error {
	r.t.Helper()
	event, err := gateway.DecodeEvent(body(kind, number))
	must(r.t, err)
	_, err = r.outbox.ReceiveLate(r.t.Context(), event, body(kind, number), time.Time{})
	return err
}

// keep delivers a success of each of these orders, and fails the test unless it is queued.
func (r *rig) keep(numbers ...int) {
	r.t.Helper()
	for _, number := range numbers {
		r.expectKept(payments.PaymentSuccess, number)
	}
}

func (r *rig) expectKept(kind payments.EventKind, number int) {
	r.t.Helper()
	if err := r.deliver(kind, number); !errors.Is(err, outbox.ErrKept) {
		r.t.Fatalf("the event of %s is not queued: %v", reference(number), err)
	}
}

func (r *rig) drain() {
	r.t.Helper()
	must(r.t, r.outbox.Drain(r.t.Context()))
}

func (r *rig) find(number int) (payments.Order, []payments.Record) {
	r.t.Helper()
	order, records, err := r.database.Order(r.t.Context(), reference(number))
	must(r.t, err)
	return order, records
}

func (r *rig) expectLeft(events int) {
	r.t.Helper()
	if state := r.outbox.State(); state.Events != events || (events == 0) != state.Oldest.IsZero() {
		r.t.Errorf("got %d queued events, want %d: %+v", state.Events, events, state)
	}
}
