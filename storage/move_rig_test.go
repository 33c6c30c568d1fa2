package storage_test

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
	"checkout/till/storage"
)

// history is a shop to which things happen at random, all of which may happen.
type history struct {
	t       *testing.T
	random  *rand.Rand
	path    string
	store   storage.Store
	service *payments.Service
	now     time.Time
	orders  []payments.Order
	made    int
}

// newHistory returns a shop with so many things that happened, open in a file.
func newHistory(t *testing.T, seed uint64, events int) *history {
	t.Helper()
	h := &history{
		t: t, random: rand.New(rand.NewPCG(seed, 1)), path: filepath.Join(t.TempDir(), "till.db"),
		now: time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC),
	}
	h.open(h.path)
	for range events {
		h.step()
	}
	return h
}

// open opens the shop at an address.
func (h *history) open(address string) {
	h.t.Helper()
	store, err := storage.Open(h.t.Context(), address)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = store.Close() })
	h.store = store
	h.service = payments.New(store, h, func() time.Time { return h.now }, payments.WithZone(time.UTC))
}

// close closes the shop and returns its path.
func (h *history) close() string {
	h.t.Helper()
	if err := h.store.Close(); err != nil {
		h.t.Fatal(err)
	}
	return h.path
}

// Create is the payment service: it takes most orders, and of some nobody
// knows.
func (h *history) Create(context.Context, payments.Order) (payments.Created, error) {
	h.made++
	switch h.random.IntN(10) {
	case 0:
		return payments.Created{}, &payments.Refusal{Message: "no"}
	case 1:
		return payments.Created{}, errors.New("no answer")
	case 2:
		return payments.Created{}, payments.ErrNotSent
	}
	return payments.Created{
		OrderReference: fmt.Sprintf("REF_%d", 700_000+h.made), CheckoutURL: "https://pay.example/1", ExpiresMinutes: 10,
	}, nil
}

// step lets one thing happen.
func (h *history) step() {
	h.t.Helper()
	ctx := h.t.Context()
	h.now = h.now.Add(time.Duration(h.random.IntN(400)) * time.Second)
	var err error
	switch choice := h.random.IntN(16); {
	case len(h.orders) == 0 || choice < 7:
		h.charge()
		return
	case choice == 7:
		order := h.any()
		_, err = h.service.Resolve(ctx, order.Reference, payments.Finding{
			Paid: h.random.IntN(2) == 0, By: "Soa", Note: "é", Seen: order.Verdict(payments.Conditions{}, h.now),
		}, payments.Identity{})
	case choice == 8:
		order := h.any()
		_, err = h.service.Acknowledge(ctx, order.Reference, order.Verdict(payments.Conditions{}, h.now), payments.Conditions{})
	case choice == 9:
		sale := h.service.NewSale("T1")
		sale.Name, sale.Items = "Rado", []payments.Item{{Label: "Kafe", UnitPrice: 800, Quantity: 1}}
		err = h.service.SaveSale(ctx, sale)
	case choice == 10:
		_, err = h.service.SaveArticle(ctx, payments.Article{Label: fmt.Sprint("Vary ", h.made), UnitPrice: 3500, Code: fmt.Sprint(h.made)})
		if errors.Is(err, payments.ErrLabelTaken) || errors.Is(err, payments.ErrCodeTaken) {
			err = nil
		}
	case choice == 11:
		h.deliver(payments.Order{OrderReference: fmt.Sprintf("REF_9%d", h.made), Amount: 100}, "")
	default:
		h.deliver(h.any(), "")
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// any returns one of the orders as it is.
func (h *history) any() payments.Order {
	h.t.Helper()
	order, _, err := h.store.Order(h.t.Context(), h.orders[h.random.IntN(len(h.orders))].Reference)
	if err != nil {
		h.t.Fatal(err)
	}
	return order
}

// charge makes an order, of which anything may become.
func (h *history) charge() payments.Order {
	h.t.Helper()
	items := []payments.Item{{Label: "Vary é", UnitPrice: payments.Ariary(100 + h.random.IntN(9)), Quantity: 2}}
	for range h.random.IntN(4) {
		items = append(items, payments.Item{Label: "Coca", UnitPrice: 2000, ListPrice: 2500, Quantity: 1})
	}
	order, err := h.service.Checkout(h.t.Context(), payments.Terms{
		Sale: fmt.Sprint("sale ", h.random.IntN(1+len(h.orders))), Till: "T1", Items: items,
		DespitePaid: true, DespitePayable: true,
	})
	if order.Reference == "" {
		h.t.Fatal(err)
	}
	h.orders = append(h.orders, order)
	return order
}

// sell makes an order that waits for its payment.
func (h *history) sell() payments.Order {
	h.t.Helper()
	order := h.charge()
	for order.Status != payments.StatusPending {
		order = h.charge()
	}
	return order
}

// deliver delivers an event of an order; any kind when none is given, and
// sometimes one that is not quite its own.
func (h *history) deliver(order payments.Order, kind payments.EventKind) {
	h.t.Helper()
	if order.OrderReference == "" {
		return
	}
	event := payments.Event{
		Kind: kind, OrderReference: order.OrderReference, Reference: payments.TextValue(order.Reference),
		Amount: payments.AmountValue(order.Amount), Currency: payments.TextValue(payments.Currency),
	}
	if kind == "" {
		kinds := append(payments.EventKinds(), payments.PaymentSuccess, "payment.refunded")
		event.Kind = kinds[h.random.IntN(len(kinds))]
		event.Description = payments.TextValue(fmt.Sprint("\x00 \xff event ", h.random.IntN(3)))
		if h.random.IntN(8) == 0 {
			event.Amount = payments.AmountValue(order.Amount + 1)
		}
	}
	body, err := json.Marshal(event)
	if err == nil {
		_, err = h.service.Receive(h.t.Context(), event, body)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}
