package storagetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
)

// Taker is a payment service that takes every order.
type Taker struct{}

// Create names the order after its reference.
func (Taker) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	return created("REF_" + order.Reference), nil
}

// Order is an order that waits for its payment, n seconds after opening.
func Order(n int) payments.Order {
	order := numbered(n)
	order.Reference = fmt.Sprintf("T1-20261121-%06d", n)
	order.OrderReference = fmt.Sprintf("REF_%d", 700_000+n)
	order.Link = payments.Link{URL: fmt.Sprintf("https://pay.example/checkout/%032d", n), ExpiresAt: opening().Add(10 * time.Minute)}
	order.Status = payments.StatusPending
	return order
}

// Success is the event that an order was paid.
func Success(order payments.Order) payments.Event {
	return event(payments.PaymentSuccess, order, order.Description)
}

// Fill stores the first orders, all in one transaction.
func Fill(t testing.TB, store payments.Store, count int) {
	t.Helper()
	orders := make([]payments.Order, count)
	for n := range orders {
		orders[n] = Order(n)
	}
	insert(t, store, orders...)
}

// TakeNumber is the smallest change.
func TakeNumber(tx payments.Tx) error {
	_, err := tx.Sales().NextNumber("series")
	return err
}
