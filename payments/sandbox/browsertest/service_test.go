package browsertest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
)

const (
	token  = "TGP_test_not_a_real_token"
	secret = "whsec_demo_0123456789abcdef"
)

// service is the sandbox behind a real server, and a merchant that keeps what
// it is sent.
type service struct {
	*sandbox.Sandbox
	t      *testing.T
	server *httptest.Server

	events chan payments.Event
}

// serve starts a sandbox whose customers answer their phones soon.
func serve(t *testing.T) *service {
	t.Helper()
	s := &service{t: t, events: make(chan payments.Event, 100)}
	merchant := httptest.NewServer(http.HandlerFunc(s.receive))
	t.Cleanup(merchant.Close)
	config := sandbox.Config{
		Token: payments.NewSecret(token), WebhookSecret: payments.NewSecret(secret),
		WebhookURL: merchant.URL, Shop: "Épicerie Soa", AnswerTime: 300 * time.Millisecond,
	}
	var err error
	s.Sandbox, err = sandbox.New(config)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.Run(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(running.Wait)
	s.server = httptest.NewServer(server.New(s.Sandbox))
	t.Cleanup(s.server.Close)
	return s
}

// receive is the merchant's webhook.
func (s *service) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	event, err := gateway.DecodeEvent(body)
	if err != nil {
		s.t.Error(err)
	}
	s.events <- event
	fmt.Fprint(w, `{"received": true}`)
}

// kinds waits for so many events, and returns their kinds.
func (s *service) kinds(count int) string {
	s.t.Helper()
	var kinds []string
	for range count {
		select {
		case event := <-s.events:
			kinds = append(kinds, strings.TrimPrefix(string(event.Kind), "payment."))
		case <-time.After(patience):
			s.t.Fatal("an event is missing")
		}
	}
	return strings.Join(kinds, " ")
}

// order makes an order, and returns the link to its page and its reference.
func (s *service) order(description string) payments.Created {
	s.t.Helper()
	order, err := payments.NewOrder(payments.Terms{
		Reference: fmt.Sprint("T1-20261121-", time.Now().UnixNano()), Description: description,
		Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1}},
	}, time.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	client, err := gateway.NewClient(s.server.URL, gateway.DefaultOrderPath, payments.NewSecret(token))
	if err != nil {
		s.t.Fatal(err)
	}
	created, err := client.Create(s.t.Context(), order)
	if err != nil {
		s.t.Fatal(err)
	}
	return created
}
