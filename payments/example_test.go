package payments_test

import (
	"context"
	"fmt"
	"time"

	"checkout/till/payments"
)

func ExampleParseAriary() {
	for _, text := range []string{"9000", "9 000", "1.500", "1e3"} {
		amount, err := payments.ParseAriary(text)
		fmt.Println(amount, err)
	}
	// Output:
	// 9000 <nil>
	// 9000 <nil>
	// 0 not a whole amount of ariary
	// 0 not a whole amount of ariary
}

func ExampleNewItem() {
	item, err := payments.NewItem("  Vary\tmena ", 3500, 2)
	fmt.Printf("%q %d × %s = %s Ar, %v\n", item.Label, item.Quantity, item.UnitPrice, item.Total(), err)
	// Output: "Vary mena" 2 × 3500 = 7000 Ar, <nil>
}

func ExampleClean() {
	fmt.Printf("%q\n", payments.Clean("NOT PAID\r\x1b[2KPAID \u202e0051", 40))
	fmt.Printf("%q\n", payments.Clean("Mofo gasy sy kafe", 10))
	// Output:
	// "NOT PAID [2KPAID 0051"
	// "Mofo gasy…"
}

func ExampleReference() {
	day := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	fmt.Println(payments.Reference("T1", day, 7))
	// Output: T1-20261121-0007
}

func ExampleOrder_Apply() {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	order := payments.Order{
		Reference: "T1-20261121-0007", Amount: 9000, Status: payments.StatusPending,
		Link: payments.Link{URL: "https://pay.example/1", ExpiresAt: now.Add(10 * time.Minute)},
	}
	success := payments.Event{
		Kind: payments.PaymentSuccess, Amount: payments.AmountValue(9000), Currency: payments.TextValue("Ar"),
	}
	for _, event := range []payments.Event{success, {Kind: payments.PaymentExpired}} {
		order, _ = order.Apply(event, nil, now)
		fmt.Println(order.Status, order.Paid(), order.Verdict(payments.Conditions{}, now), order.Attention(now))
	}
	// Output:
	// success true paid []
	// expired true check [contradicted]
}

func ExampleService() {
	ctx, now := context.Background(), time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	service := payments.New(newMemory(), newShop(), func() time.Time { return now }, payments.WithZone(time.UTC))

	order, err := service.Checkout(ctx, payments.Terms{
		Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}},
	})
	fmt.Println(order.Reference, order.Link.URL, order.Verdict(payments.Conditions{}, now), err)

	receipt, err := service.Receive(ctx, payments.Event{
		Kind: payments.PaymentSuccess, OrderReference: order.OrderReference,
		Amount: payments.AmountValue(7000), Currency: payments.TextValue(payments.Currency),
	}, []byte("the raw body"))
	fmt.Println(receipt.Outcome, receipt.Status, err)

	order, events, err := service.Order(ctx, order.OrderReference)
	fmt.Println(order.Verdict(payments.Conditions{}, now), len(events), err)
	// Output:
	// T1-20261121-0001 https://pay.example/REF_700001 waiting <nil>
	// applied success <nil>
	// paid 1 <nil>
}

func ExampleCountdown() {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	countdown := payments.NewCountdown(now.Add(10*time.Minute), now)
	// The machine slept for eight minutes: its monotonic clock stood still.
	left, moved := countdown.Left(now.Add(8*time.Minute), time.Second)
	fmt.Println(left, moved)
	// Output: 2m0s true
}

func ExampleSecret() {
	token := payments.NewSecret("TGP_test_not_a_real_token")
	fmt.Println(token, len(token.Reveal()))
	// Output: [redacted] 25
}
