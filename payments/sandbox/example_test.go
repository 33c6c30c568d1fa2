package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
)

// A merchant's program makes an order, the customer pays, and an event arrives.
func Example() {
	events := make(chan *http.Request, 1)
	merchant := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { events <- r }))
	defer merchant.Close()

	service, err := sandbox.New(sandbox.Config{
		Token:         payments.NewSecret("TGP_test_not_a_real_token"),
		WebhookSecret: payments.NewSecret("whsec_demo_0123456789abcdef"),
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

	order := strings.NewReader(`{"description": "Vary", "access": "TGP_test_not_a_real_token", "reference": "A1",
		"amount": 7000, "currency": "Ar", "metadata": [{"label": "Vary", "unit_price": 3500, "quantity": 2}]}`)
	response, err := http.Post(site.URL+gateway.DefaultOrderPath, "application/json", order)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	onLoopback := gateway.LinkPolicy{Local: netip.Addr.IsLoopback}
	created, err := gateway.DecodeReply(body, onLoopback)
	if err != nil {
		panic(err)
	}
	if err := service.Act(ctx, created.OrderReference, payments.PaymentSuccess); err != nil {
		fmt.Println(err)
	}
	event := <-events
	fmt.Println(response.Status, event.Method, event.URL, len(event.Header.Get("x-svc-signature")))
	// Output: 200 OK POST /webhook 64
}
