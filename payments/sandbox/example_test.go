package sandbox_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/secret"
)

// A merchant's program makes an order, the customer pays, and an event arrives.
func Example() {
	events := make(chan *http.Request, 1)
	merchant := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { events <- r }))
	defer merchant.Close()

	token := secret.New("TGP_test_not_a_real_token")
	service, err := sandbox.New(sandbox.Config{
		Token:         token,
		WebhookSecret: secret.New("whsec_demo_0123456789abcdef"),
		WebhookURL:    merchant.URL + "/webhook",
	})
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { _ = service.Run(ctx) }()
	site := httptest.NewServer(server.New(service))
	defer site.Close()

	client, err := gateway.NewClient(site.URL, gateway.DefaultOrderPath, token)
	if err != nil {
		panic(err)
	}
	created, err := client.Create(ctx, payments.Order{
		Reference: "A1", Description: "Vary", Amount: 7000,
		Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}},
	})
	if err != nil {
		panic(err)
	}
	err = service.Act(ctx, created.OrderReference, payments.PaymentSuccess)
	event := <-events
	fmt.Println(err, event.Method, event.URL, len(event.Header.Get("x-svc-signature")))
	// Output: <nil> POST /webhook 64
}
