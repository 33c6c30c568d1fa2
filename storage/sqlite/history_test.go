package sqlite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
)

// history is a shop to which things happen at random, all of which may happen.
type history struct {
	t       testing.TB
	random  *rand.Rand
	path    string
	store   *sqlite.Store
	service *payments.Service
	now     time.Time
	orders  []payments.Order
	made    int
}

// Create is the payment service: it takes most orders, and of some nobody
// knows.
func (h *history) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	h.made++
	switch h.random.IntN(10) {
	case 0:
		return payments.Created{}, &payments.Refusal{Message: "no"}
	case 1:
		return payments.Created{}, errors.New("no answer")
	case 2:
		return payments.Created{}, payments.ErrNotSent
	case 3: // The event comes before the answer.
		early := order
		early.OrderReference = h.name()
		h.deliver(early)
	}
	return payments.Created{OrderReference: h.name(), CheckoutURL: "https://pay.example/1", ExpiresMinutes: 10}, nil
}

func (h *history) name() string { return fmt.Sprintf("REF_%d", 700_000+h.made) }

// newHistory returns a shop with so many things that happened.
func newHistory(t testing.TB, seed uint64, events int) *history {
	t.Helper()
	path := filepath.Join(t.TempDir(), "till.db")
	h := &history{
		t: t, random: rand.New(rand.NewPCG(seed, 1)), path: path, store: openAt(t, path),
		now: time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC),
	}
	h.service = payments.New(h.store, h, func() time.Time { return h.now }, payments.WithZone(time.UTC))
	for range events {
		h.now = h.now.Add(time.Duration(h.random.IntN(400)) * time.Second)
		h.step()
	}
	return h
}

// step lets one thing happen.
func (h *history) step() {
	ctx := h.t.Context()
	if len(h.orders) == 0 || h.random.IntN(4) == 0 {
		order, err := h.service.Checkout(ctx, payments.Terms{
			Sale: fmt.Sprint("sale ", h.random.IntN(1+len(h.orders))), Till: "T1", DespitePaid: true, DespitePayable: true,
			Items: []payments.Item{{Label: "Vary", UnitPrice: payments.Ariary(100 + h.random.IntN(9)), Quantity: 2}},
		})
		if order.Reference == "" {
			h.t.Fatal(err)
		}
		h.orders = append(h.orders, order)
		return
	}
	order := h.orders[h.random.IntN(len(h.orders))]
	order, _, err := h.store.Order(ctx, order.Reference)
	if err != nil {
		h.t.Fatal(err)
	}
	switch h.random.IntN(8) {
	case 0:
		_, err = h.service.Resolve(ctx, order.Reference, payments.Finding{
			Paid: h.random.IntN(2) == 0, By: "Soa", Note: "looked", Seen: order.Verdict(payments.Conditions{}, h.now),
		}, payments.Identity{})
	case 1:
		_, err = h.service.Acknowledge(ctx, order.Reference, order.Verdict(payments.Conditions{}, h.now), payments.Conditions{})
	case 2:
		if order.Status == payments.StatusUnknown {
			h.made++
			order.OrderReference = h.name()
			h.deliver(order)
			_, err = h.service.Match(ctx, order.Reference, order.OrderReference, payments.Identity{})
		}
	default:
		h.deliver(order)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// deliver delivers an event of an order, sometimes one that is not quite its
// own.
func (h *history) deliver(order payments.Order) {
	kinds := append(payments.EventKinds(), payments.PaymentSuccess, "payment.refunded")
	event := success(order)
	event.Kind = kinds[h.random.IntN(len(kinds))]
	event.Description = payments.TextValue(fmt.Sprint("event ", h.random.IntN(3)))
	switch h.random.IntN(12) {
	case 0:
		event.Amount = payments.AmountValue(order.Amount + 1)
	case 1:
		event.Currency = payments.Value{Kind: payments.Null}
	case 2:
		event.OrderReference = "REF_9" // Nobody's.
	}
	if event.Kind != payments.PaymentSuccess {
		event.Error = payments.TextValue("Solde insuffisant")
	}
	if event.OrderReference != "" {
		h.receive(event)
	}
}

func (h *history) receive(event payments.Event) {
	h.t.Helper()
	if _, err := h.service.Receive(h.t.Context(), event, encode(event)); err != nil {
		h.t.Fatal(err)
	}
}

// encode writes the body of an event of a history.
func encode(event payments.Event) []byte {
	body, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	return body
}

// decode reads the body of an event of a history.
func decode(body []byte) (event payments.Event, err error) {
	err = json.Unmarshal(body, &event)
	return event, err
}

// sell makes an order that is paid, and nothing else.
func (h *history) sell() payments.Order {
	h.t.Helper()
	terms := payments.Terms{Till: "T2", Items: []payments.Item{{Label: "Kafe", UnitPrice: 800, Quantity: 1}}}
	order, err := h.service.Checkout(h.t.Context(), terms)
	for order.Status != payments.StatusPending {
		order, err = h.service.Checkout(h.t.Context(), terms)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.receive(success(order))
	return order
}
