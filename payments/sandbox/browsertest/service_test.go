package browsertest_test

import (
	"encoding/json"
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

	mu     sync.Mutex
	events []payments.Event
	came   chan struct{}
}

// serve starts a sandbox whose customers answer their phones soon.
func serve(t *testing.T) *service {
	t.Helper()
	s := &service{t: t, came: make(chan struct{}, 100)}
	merchant := httptest.NewServer(http.HandlerFunc(s.receive))
	t.Cleanup(merchant.Close)
	config := sandbox.Config{
		Token: payments.NewSecret(token), WebhookSecret: payments.NewSecret(secret),
		WebhookURL: merchant.URL, Shop: "Épicerie Soa",
	}
	var err error
	s.Sandbox, err = sandbox.New(config, sandbox.WithAnswerTime(300*time.Millisecond))
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
	s.mu.Lock()
	s.events = append(s.events, event)
	s.mu.Unlock()
	s.came <- struct{}{}
	fmt.Fprint(w, `{"received": true}`)
}

// kinds waits until so many events came, and returns the kinds of all.
func (s *service) kinds(count int) string {
	s.t.Helper()
	for range count {
		select {
		case <-s.came:
		case <-time.After(patience):
			s.t.Fatal("an event is missing")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var kinds []string
	for _, event := range s.events {
		kinds = append(kinds, strings.TrimPrefix(string(event.Kind), "payment."))
	}
	return strings.Join(kinds, " ")
}

// order is an order at the service.
type order struct{ link, reference string }

// item is a line of an order.
type item struct {
	Label     string `json:"label"`
	UnitPrice int    `json:"unit_price"`
	Quantity  int    `json:"quantity"`
}

func groceries() []item { return []item{{"Vary", 3500, 2}, {"Coca", 2000, 1}} }

// order makes an order.
func (s *service) order(description string, items ...item) order {
	s.t.Helper()
	var amount int
	for _, item := range items {
		amount += item.UnitPrice * item.Quantity
	}
	body, err := json.Marshal(map[string]any{
		"description": description, "access": token, "amount": amount, "currency": "Ar", "metadata": items,
		"reference": fmt.Sprintf("T1-20261121-%d", time.Now().UnixNano()%10_000),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := http.Post(s.server.URL+gateway.DefaultOrderPath, "application/json", strings.NewReader(string(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	var reply struct {
		Message string
		Data    struct {
			CheckoutURL    string `json:"checkout_url"`
			OrderReference string `json:"order_reference"`
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("%d %s %v", response.StatusCode, reply.Message, err)
	}
	return order{reply.Data.CheckoutURL, reply.Data.OrderReference}
}
