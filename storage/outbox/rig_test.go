package outbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage/outbox"
	"checkout/till/storage/sqlite"
)

var errAway = errors.New("the database is away")

// clock is the time of a test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(time time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time)
}

// database is a shop's database that can be broken and mended.
type database struct {
	*payments.Service
	mu      sync.Mutex
	away    bool
	refused string // The order reference of which it takes no event although it works.
}

func (d *database) fault(event payments.Event) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.away || event.OrderReference == d.refused {
		return errAway
	}
	return nil
}

func (d *database) Receive(ctx context.Context, event payments.Event, body []byte) (payments.Receipt, error) {
	if err := d.fault(event); err != nil {
		return payments.Receipt{}, err
	}
	return d.Service.Receive(ctx, event, body)
}

func (d *database) ReceiveLate(
	ctx context.Context, event payments.Event, body []byte, came time.Time,
) (payments.Receipt, error) {
	if err := d.fault(event); err != nil {
		return payments.Receipt{}, err
	}
	return d.Service.ReceiveLate(ctx, event, body, came)
}

func (d *database) probe(context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.away {
		return errAway
	}
	return nil
}

func (d *database) set(away bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.away = away
}

func (d *database) refuse(orderReference string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refused = orderReference
}

// gatewayOf accepts every order, as REF_700001, REF_700002 and so on.
type gatewayOf struct{ made int }

func (g *gatewayOf) Create(context.Context, payments.Order) (payments.Created, error) {
	g.made++
	return payments.Created{CheckoutURL: "https://pay.example/c/1", OrderReference: reference(g.made), ExpiresMinutes: 10}, nil
}

func reference(number int) string { return fmt.Sprintf("REF_%d", 700000+number) }

// rig is a shop with a spool before its database.
type rig struct {
	t        *testing.T
	clock    *clock
	store    *sqlite.Store
	database *database
	path     string // Of the spool.
	shop     string // Of the database.
	log      *bytes.Buffer
	outbox   *outbox.Outbox
	change   []func(*outbox.Config)
}

// newRig opens a shop of so many orders of 9 000 Ar.
func newRig(t *testing.T, orders int, change ...func(*outbox.Config)) *rig {
	t.Helper()
	folder := t.TempDir()
	r := &rig{
		t: t, clock: newClock(), log: &bytes.Buffer{}, change: change,
		path: filepath.Join(folder, "state", "spool.db"), shop: filepath.Join(folder, "till.db"),
	}
	var err error
	if r.store, err = sqlite.Open(t.Context(), r.shop); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.store.Close() })
	r.database = &database{Service: payments.New(r.store, &gatewayOf{}, r.clock.Now)}
	for range orders {
		if _, err := r.database.Checkout(t.Context(), payments.Terms{
			Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 9000, Quantity: 1}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	r.open()
	return r
}

// open opens the spool, as a listener does at its start.
func (r *rig) open() {
	r.t.Helper()
	config := outbox.Config{
		Target: r.database, Decode: gateway.DecodeEvent, Probe: r.database.probe, Now: r.clock.Now,
		Logger: slog.New(slog.NewTextHandler(r.log, nil)),
	}
	for _, change := range r.change {
		change(&config)
	}
	opened, err := outbox.Open(r.t.Context(), r.path, config)
	if err != nil {
		r.t.Fatal(err)
	}
	r.outbox = opened
	r.t.Cleanup(func() { _ = opened.Close() })
}

// reopen ends the listener and starts the next one.
func (r *rig) reopen() {
	r.t.Helper()
	if err := r.outbox.Close(); err != nil {
		r.t.Fatal(err)
	}
	r.open()
}

// body is an event of the order of this number.
func body(kind payments.EventKind, number int, reason string) []byte {
	return gateway.EncodeEvent(gateway.Notification{
		Event: kind, OrderReference: reference(number), Reference: "SHOP_1", Amount: 9000, Currency: "Ar",
		Description: "Vary", Error: reason,
	})
}

// deliver gives the spool an event, as the listener does.
func (r *rig) deliver(kind payments.EventKind, number int, reason string) error {
	r.t.Helper()
	text := body(kind, number, reason)
	event, err := gateway.DecodeEvent(text)
	if err != nil {
		r.t.Fatal(err)
	}
	_, err = r.outbox.Receive(r.t.Context(), event, text)
	return err
}

// keep delivers an event that must be kept.
func (r *rig) keep(kind payments.EventKind, number int, reason string) {
	r.t.Helper()
	if err := r.deliver(kind, number, reason); !errors.Is(err, outbox.ErrKept) {
		r.t.Fatalf("the event of %s is not kept: %v", reference(number), err)
	}
}

// drain applies what is kept.
func (r *rig) drain() {
	r.t.Helper()
	if err := r.outbox.Drain(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
}

// find returns an order and its events.
func (r *rig) find(number int) (payments.Order, []payments.Record) {
	r.t.Helper()
	order, records, err := r.database.Order(r.t.Context(), reference(number))
	if err != nil {
		r.t.Fatal(err)
	}
	return order, records
}

// expectLeft fails the test unless so many events are kept.
func (r *rig) expectLeft(events int) {
	r.t.Helper()
	if state := r.outbox.State(); state.Events != events || (events == 0) != state.Oldest.IsZero() || (events == 0) != (state.Bytes == 0) {
		r.t.Errorf("%d events are left, want %d: %+v", state.Events, events, state)
	}
}
