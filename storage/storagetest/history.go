package storagetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// History is a shop that takes random steps with orders, events and sales. All the steps can happen
// in practice. It also acts as the payment service. [RunDrawer] takes the steps with money.
type History struct {
	*payments.Service
	t        testing.TB
	random   *rand.Rand
	till     *drawer.Service // The same shop as Service.
	store    drawer.Store
	listener *payments.Service
	now      time.Time
	orders   []string
	made     int
	takes    bool // Whether the payment service accepts every order.
}

// NewHistory returns a shop on a store, after the given number of random steps.
func NewHistory(t testing.TB, store drawer.Store, seed uint64, steps int) *History {
	t.Helper()
	h := &History{t: t, random: rand.New(rand.NewPCG(seed, 1)), now: opening()}
	h.Resume(store, store)
	h.Steps(steps)
	return h
}

// Resume makes the shop continue in another store with the same content. Events are sent to a
// second service, on the store listener. Both stores may be the same.
func (h *History) Resume(store drawer.Store, listener payments.Store) {
	now := func() time.Time { return h.now }
	h.store = store
	h.Service = payments.New(store, h, now)
	h.till = drawer.New(store, h.Service)
	h.listener = payments.New(listener, nil, now)
}

// Create accepts most orders. It refuses some orders, reports some as not sent, and for some the
// outcome is unknown.
func (h *History) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	h.made++
	fate := h.random.IntN(10)
	if h.takes {
		fate = 9
	}
	switch fate {
	case 0:
		return payments.Created{}, &payments.Refusal{Message: "no"}
	case 1:
		return payments.Created{}, errors.New("no answer")
	case 2:
		return payments.Created{}, payments.ErrNotSent
	case 3: // The event arrives before the answer to this call.
		order.OrderReference = h.name()
		h.Deliver(order, "")
	}
	return created(h.name()), nil
}

func (h *History) name() string { return fmt.Sprintf("REF_%d", 700_000+h.made) }

// Steps takes count random steps. The test fails if the shop returns an unexpected error.
func (h *History) Steps(count int) {
	h.t.Helper()
	for range count {
		h.step()
	}
}

func (h *History) step() {
	h.t.Helper()
	ctx := h.t.Context()
	h.now = h.now.Add(time.Duration(h.random.IntN(400)) * time.Second)
	choice := h.random.IntN(17)
	if len(h.orders) < 5 || choice < 4 {
		h.charge()
		return
	}
	order, _, err := h.store.Order(ctx, h.orders[h.random.IntN(len(h.orders))])
	check(h.t, "read an order", err)
	switch choice {
	case 4, 5:
		_, err = h.till.Resolve(ctx, order.Reference, payments.Finding{
			Kind: []payments.FindingKind{payments.FoundPaid, payments.FoundUnpaid}[h.random.IntN(2)], By: "Soa", Note: "é",
			Seen: order.Verdict(payments.Conditions{}, h.now), Net: order.Net(),
		}, staff.Identity{})
	case 6:
		_, err = h.Acknowledge(ctx, order.Reference, order.Verdict(payments.Conditions{}, h.now), payments.Conditions{})
	case 7:
		sale := h.NewSale("T1")
		sale.Name, sale.Items = "Rado", []payments.Item{{Label: "Kafe", UnitPrice: 800, Quantity: 1}}
		err = h.SaveSale(ctx, sale)
	case 8:
		err = h.AddArticles(ctx, []payments.Article{{Label: fmt.Sprint("Vary ", h.made), UnitPrice: 3500, Code: fmt.Sprint(h.made)}})
		if errors.Is(err, payments.ErrLabelTaken) || errors.Is(err, payments.ErrCodeTaken) {
			err = nil
		}
	case 9:
		h.Deliver(payments.Order{OrderReference: fmt.Sprintf("REF_9%d", h.made), Amount: 100}, "")
	default:
		unknown := order.Status == payments.StatusUnknown && order.OrderReference == ""
		if unknown {
			h.made++
			order.OrderReference = h.name()
		}
		if order.OrderReference != "" {
			h.Deliver(order, "")
		}
		if unknown {
			err = h.Match(ctx, order.Reference, order.OrderReference, staff.Identity{})
		}
	}
	check(h.t, "take a step", err)
}

func (h *History) charge() payments.Order {
	h.t.Helper()
	items := []payments.Item{{Label: "Vary é", UnitPrice: money.Ariary(100 + h.random.IntN(9)), Quantity: 2}}
	for range h.random.IntN(4) {
		items = append(items, payments.Item{Label: "Coca", UnitPrice: 2000, ListPrice: 2500, Quantity: 1})
	}
	order, err := h.Checkout(h.t.Context(), payments.Terms{
		Sale: fmt.Sprint("sale ", h.random.IntN(1+len(h.orders))), Till: "T1", Items: items,
		Despite: []payments.ObjectionKind{payments.SalePaid, payments.SaleDoubtful, payments.SalePayable},
	})
	if order.Reference == "" {
		h.t.Fatal(err)
	}
	h.orders = append(h.orders, order.Reference)
	return order
}

// Sell creates an order that the service accepts.
func (h *History) Sell() payments.Order {
	h.t.Helper()
	h.takes = true
	defer func() { h.takes = false }()
	return h.charge()
}

// Deliver delivers an event of an order. If kind is blank, it chooses a random kind, and sometimes
// changes the amount, the currency or the order reference.
func (h *History) Deliver(order payments.Order, kind payments.EventKind) {
	h.t.Helper()
	e := event(kind, order, "")
	if kind == "" {
		kinds := append(payments.EventKinds(), payments.PaymentSuccess, "payment.refunded")
		e = event(kinds[h.random.IntN(len(kinds))], order, fmt.Sprint("\x00 é event ", h.random.IntN(3)))
		switch h.random.IntN(12) {
		case 0:
			e.Amount = payments.AmountValue(order.Amount + 1)
		case 1:
			e.Currency = payments.Value{Kind: payments.Null}
		case 2:
			e.OrderReference = "REF_9" // Matches no order.
		}
	}
	_, err := h.listener.Receive(h.t.Context(), e, Encode(e))
	check(h.t, "receive", err)
}

// Encode returns an event as the JSON body that a History delivers.
func Encode(e payments.Event) []byte {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return text
}

// Decode parses a body that Encode wrote.
func Decode(text []byte) (e payments.Event, err error) {
	err = json.Unmarshal(text, &e)
	return e, err
}

// Taker is a payment service that accepts every order.
type Taker struct{}

// Create accepts the order. The order reference is "REF_" followed by the shop's reference.
func (Taker) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	return created("REF_" + order.Reference), nil
}

// Order returns a pending order that was created n seconds after the opening time.
func Order(n int) payments.Order {
	order := numbered(n)
	order.Reference = fmt.Sprintf("T1-20261121-GT-%06d", n)
	order.OrderReference = fmt.Sprintf("REF_%d", 700_000+n)
	order.Link = payments.Link{URL: fmt.Sprintf("https://pay.example/checkout/%032d", n), ExpiresAt: opening().Add(10 * time.Minute)}
	order.Status = payments.StatusPending
	return order
}

// Success returns a success event with the amount and the currency of the order.
func Success(order payments.Order) payments.Event {
	return event(payments.PaymentSuccess, order, order.Description)
}

// Fill stores the orders from Order(0) to Order(count-1) in one transaction.
func Fill(t testing.TB, store payments.Store, count int) {
	t.Helper()
	orders := make([]payments.Order, count)
	for n := range orders {
		orders[n] = Order(n)
	}
	insert(t, store, orders...)
}

// TakeNumber is a minimal change: it takes the next number of a series.
func TakeNumber(tx payments.Tx) error {
	_, err := tx.NextNumber("series")
	return err
}
