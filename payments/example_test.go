package payments_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

func ExampleService() {
	ctx, now := context.Background(), time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	folder, err := os.MkdirTemp("", "till")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	store, err := sqlite.Open(ctx, filepath.Join(folder, "till.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()
	service := payments.New(store, storagetest.Taker{}, func() time.Time { return now }, payments.WithTag("GT"))

	order, err := service.Checkout(ctx, payments.Terms{
		Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}},
	})
	fmt.Println(order.Reference, order.Link.URL, order.Verdict(payments.Conditions{}, now), err)

	receipt, err := service.Receive(ctx, payments.Event{
		Kind: payments.PaymentSuccess, OrderReference: order.OrderReference,
		Amount: payments.AmountValue(7000), Currency: payments.TextValue(payments.Currency),
	}, []byte("the raw body"))
	fmt.Println(receipt.Effect, receipt.Status, err)

	order, events, err := service.Order(ctx, order.OrderReference)
	fmt.Println(order.Verdict(payments.Conditions{}, now), len(events), err)
	// Output:
	// T1-20261121-GT-0001 https://pay.example/REF_T1-20261121-GT-0001 waiting <nil>
	// applied success <nil>
	// paid 1 <nil>
}
