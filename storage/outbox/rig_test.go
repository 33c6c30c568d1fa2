package outbox_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
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

// database is a shop's database that can be unavailable, or reject the events of one order.
type database struct {
	*payments.Service
	away    atomic.Bool  // Every call fails.
	refused atomic.Int64 // Number of the order whose events are rejected; -1 for none.
}

func (d *database) probe(context.Context) error {
	if d.away.Load() {
		return errAway
	}
	return nil
}

func (d *database) fault(ctx context.Context, event payments.Event) error {
	if event.OrderReference == reference(int(d.refused.Load())) {
		return errAway
	}
	return d.probe(ctx)
}

func (d *database) ReceiveLate(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
	if err := d.fault(ctx, event); err != nil {
		return payments.Receipt{}, err
	}
	return d.Service.ReceiveLate(ctx, event, body, came)
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
	change   []func(*outbox.Config)
}

func newRig(t *testing.T, change ...func(*outbox.Config)) *rig {
	t.Helper()
	folder := disk.Memory(t)
	r := &rig{t: t, change: change, path: filepath.Join(folder, "state", "outbox.db"), shop: filepath.Join(folder, "till.db")}
	r.clock.Store(storagetest.Order(0).CreatedAt.UnixNano())
	r.store = sqlitetest.OpenAt(t, r.shop)
	storagetest.Fill(t, r.store, 21)
	r.database = &database{Service: payments.New(r.store, nil, r.clock.Now)}
	r.database.refused.Store(-1)
	r.open()
	return r
}

// open opens the outbox, as the listener does at its start.
func (r *rig) open() {
	r.t.Helper()
	config := outbox.Config{
		Apply: r.database.ReceiveLate, Probe: r.database.probe, Now: r.clock.Now,
		Logger: slog.New(slog.NewTextHandler(&r.log, nil)),
	}
	for _, change := range r.change {
		change(&config)
	}
	opened, err := outbox.Open(r.t.Context(), r.path, config)
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
