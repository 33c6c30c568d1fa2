package webhook_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
)

// Bind opens the port at once. Serve runs until its context ends.
func Example() {
	key := secret.New("whsec_demo_0123456789abcdef")
	verifier, err := gateway.NewVerifier(gateway.Static, key)
	if err != nil {
		panic(err)
	}
	handler := webhook.NewHandler(&receiver{receipt: payments.Receipt{Effect: payments.Applied, Status: payments.StatusSuccess}}, webhook.Config{
		Path: "/webhook", SignatureHeader: "x-svc-signature", Verifier: verifier, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	bound, err := webhook.Bind(ctx, "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := webhook.NewServer(bound, handler, webhook.DefaultLimits(), slog.New(slog.DiscardHandler))
	done := make(chan error)
	go func() { done <- server.Serve(ctx) }()

	body := `{"event":"payment.success","data":{"order_reference":"REF_700001","amount":9000,"currency":"Ar"}}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+server.Addr()+"/webhook", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("x-svc-signature", gateway.Sign(gateway.Static, key, nil))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	_ = response.Body.Close()
	stop()
	fmt.Println(response.Status, <-done)
	// Output: 200 OK <nil>
}
