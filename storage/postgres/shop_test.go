package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

// taker is a payment service that takes every order.
type taker struct{}

func (taker) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	return payments.Created{
		OrderReference: "REF_" + order.Reference, CheckoutURL: "https://pay.example/1", ExpiresMinutes: 10,
	}, nil
}

// orderFor is an order that waits for its payment.
func orderFor(n int) payments.Order {
	opening := time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC)
	return payments.Order{
		Reference: fmt.Sprintf("T1-20261121-%06d", n), Sale: fmt.Sprintf("sale-%d", n), Till: "T1",
		Items: []payments.Item{
			{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1},
		},
		Amount: 9000, Description: "2 × Vary, Coca", CreatedAt: opening.Add(time.Duration(n) * time.Second),
		OrderReference: fmt.Sprintf("REF_%d", 700_000+n),
		Link:           payments.Link{URL: fmt.Sprintf("https://pay.example/checkout/%032d", n), ExpiresAt: opening.Add(10 * time.Minute)},
		Status:         payments.StatusPending, Facts: payments.Facts{Acknowledged: true},
	}
}

func success(order payments.Order) payments.Event {
	return payments.Event{
		Kind: payments.PaymentSuccess, OrderReference: order.OrderReference,
		Reference: payments.TextValue("CMD_1"), Amount: payments.AmountValue(order.Amount),
		Currency: payments.TextValue(payments.Currency), Description: payments.TextValue(order.Description),
	}
}

// fill stores orders, many in a transaction.
func fill(t testing.TB, store storagetest.Store, count int) {
	t.Helper()
	const chunk = 5000
	for start := 0; start < count; start += chunk {
		err := store.Update(t.Context(), func(tx payments.Tx) error {
			for n := start; n < min(start+chunk, count); n++ {
				if err := tx.InsertOrder(orderFor(n)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
