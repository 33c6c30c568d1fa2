package oracle_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/money"
	"checkout/till/payments/oracle"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/sqlitetest"
)

// shop is a shop that receives the requests of a book.
type shop struct {
	*drawer.Service
	now time.Time
}

// RoundTrip stores the event in a request.
func (s *shop) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	event, err := gateway.DecodeEvent(body)
	if err != nil {
		return nil, err
	}
	receipt, err := s.Receive(r.Context(), event, body)
	reply := fmt.Sprintf(`{"received":true,"status":%q}`, receipt.Status)
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(reply))}, err
}

func send(t *testing.T, book *oracle.Book, kind payments.EventKind, order payments.Order) {
	t.Helper()
	body := gateway.EncodeEvent(gateway.Notification{Event: kind, OrderReference: order.OrderReference, Amount: 9000, Currency: payments.Currency})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://till.example/", bytes.NewReader(body))
	must(t, err)
	response, err := book.RoundTrip(request)
	must(t, err)
	must(t, response.Body.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A book learns of refunds only from the ledger. It must expect the state of the order after them.
func TestABookLearnsRefundsFromTheLedger(t *testing.T) {
	store := sqlitetest.Open(t)
	s := &shop{now: time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return s.now }
	s.Service = drawer.New(store, payments.New(store, storagetest.Taker{}, clock))
	book := oracle.NewBook(s)
	book.Now = clock
	items := []payments.Item{{Label: "Vary", UnitPrice: 9000, Quantity: 1}}
	proven, err := s.Checkout(t.Context(), payments.Terms{Till: "T1", Items: items})
	must(t, err)
	unpaid, err := s.Checkout(t.Context(), payments.Terms{Till: "T1", Items: items})
	must(t, err)
	refund := func(order payments.Order, inCash bool, amount money.Ariary) {
		order, _, err := s.Order(t.Context(), order.Reference)
		must(t, err)
		must(t, s.Refund(t.Context(), "T1", drawer.Given{
			Ref: order.Reference, InCash: inCash, Amount: amount, Net: order.Net(), Note: "broken",
		}, staff.Identity{}))
	}
	back := func(order payments.Order) {
		order, _, err := s.Order(t.Context(), order.Reference)
		must(t, err)
		last, _ := order.LastRefund()
		must(t, s.TakeBack(t.Context(), "T1", order.Reference, last.ID, "a mistake", staff.Identity{}))
	}
	for _, step := range []struct {
		name string
		act  func()
		want payments.Verdict // Verdict of the first order.
	}{
		{"a proof", func() { send(t, book, payments.PaymentSuccess, proven) }, payments.VerdictPaid},
		{"a refund of a part", func() { refund(proven, true, 4000) }, payments.VerdictPaid},
		{"a refund of the rest", func() { refund(proven, false, 5000) }, payments.VerdictRefunded},
		{"a failure", func() { send(t, book, payments.PaymentFailed, proven) }, payments.VerdictRefunded},
		{"a refund that was taken back", func() { back(proven) }, payments.VerdictCheck},
		{"a refund of an order to check", func() { refund(proven, false, 1000) }, payments.VerdictMarkedPaid},
		{"a refund of an order that was not paid", func() { refund(unpaid, false, 9000) }, payments.VerdictMarkedPaid},
		{"a success after it", func() { send(t, book, payments.PaymentSuccess, unpaid) }, payments.VerdictMarkedPaid},
	} {
		s.now = s.now.Add(time.Second)
		step.act()
		for _, fault := range book.Check(t.Context(), s) {
			t.Errorf("after %s: %v", step.name, fault)
		}
		order, _, err := s.Order(t.Context(), proven.Reference)
		must(t, err)
		if got := order.Verdict(payments.Conditions{}, s.now); got != step.want {
			t.Errorf("after %s: %s, want %s", step.name, got, step.want)
		}
	}
}
