package browsertest_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/secret"
)

const token = "TGP_test_not_a_real_token"

// service is a sandbox on an HTTP server. It has no webhook address.
type service struct {
	*sandbox.Sandbox
	t      *testing.T
	server *httptest.Server
}

// serve starts a sandbox. Customers answer on their phones after 300 ms.
func serve(t *testing.T) *service {
	t.Helper()
	made, err := sandbox.New(sandbox.Config{
		Token: secret.New(token), WebhookSecret: secret.New("whsec_demo_0123456789abcdef"),
		Shop: "Épicerie Soa", AnswerTime: 300 * time.Millisecond,
	})
	must(t, err)
	s := &service{Sandbox: made, t: t}
	var running sync.WaitGroup
	running.Go(func() { _ = s.Run(t.Context()) }) // It returns nil.
	t.Cleanup(running.Wait)
	s.server = httptest.NewServer(server.New(s.Sandbox))
	t.Cleanup(s.server.Close)
	return s
}

func (s *service) events() string {
	var kinds []string
	for _, sent := range slices.Backward(s.Deliveries()) {
		kinds = append(kinds, strings.TrimPrefix(string(sent.Event), "payment."))
	}
	return strings.Join(kinds, " ")
}

// order makes an order and returns its link and its order reference.
func (s *service) order(description string) payments.Created {
	s.t.Helper()
	order, err := payments.NewOrder(payments.Terms{
		Reference: fmt.Sprint("T1-20261121-", time.Now().UnixNano()), Description: description,
		Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1}},
	}, time.Now())
	must(s.t, err)
	client, err := gateway.NewClient(s.server.URL, gateway.DefaultOrderPath, secret.New(token))
	must(s.t, err)
	created, err := client.Create(s.t.Context(), order)
	must(s.t, err)
	return created
}
