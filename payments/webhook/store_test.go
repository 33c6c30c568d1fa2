package webhook_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage/sqlite"
)

const token = "TGP_test_not_a_real_token"

// shop is the whole way of an order: the client, the rules, a database on disk
// and the listener, against a service that the test plays.
type shop struct {
	*rig
	service *payments.Service
	store   *sqlite.Store
	folder  string
	calls   atomic.Int32
	// accept answers an order call; the default gives REF_700001 and counts on.
	accept func(w http.ResponseWriter, number int)
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{folder: t.TempDir()}
	s.accept = func(w http.ResponseWriter, number int) { acceptAs(w, fmt.Sprintf("REF_70000%d", number)) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := gateway.DecodeOrder(readAll(t, r.Body)); err != nil {
			t.Errorf("O1 the service cannot read the order: %v", err)
		}
		s.accept(w, int(s.calls.Add(1)))
	}))
	t.Cleanup(server.Close)
	client, err := gateway.NewClient(server.URL, gateway.DefaultOrderPath, payments.NewSecret(token))
	if err != nil {
		t.Fatal(err)
	}
	if s.store, err = sqlite.Open(t.Context(), filepath.Join(s.folder, "till.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.store.Close() })
	s.service = payments.New(s.store, client, noon)
	s.rig = newRig(t, newReceiver())
	handler := webhook.NewHandler(s.service, config(t))
	listener := httptest.NewServer(handler)
	t.Cleanup(listener.Close)
	s.handler, s.url = handler, listener.URL
	return s
}

func readAll(t *testing.T, r io.Reader) []byte {
	t.Helper()
	body, err := io.ReadAll(r)
	if err != nil {
		t.Error(err)
	}
	return body
}

func acceptAs(w http.ResponseWriter, orderReference string) {
	_, _ = w.Write(gateway.EncodeReply(gateway.OrderReply{
		Message: "Success", CheckoutURL: "https://pay.example/c/1", ExpiresInMinutes: 10, OrderReference: orderReference,
	}))
}

// sell creates an order of 9 000 Ar.
func (s *shop) sell() (payments.Order, error) {
	return s.service.Checkout(s.t.Context(), payments.Terms{
		Sale: "sale", Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 9000, Quantity: 1}},
		DespitePayable: true,
	})
}

// find returns an order and its events as they are on disk.
func (s *shop) find(reference string) (payments.Order, []payments.Record) {
	s.t.Helper()
	order, records, err := s.service.Order(s.t.Context(), reference)
	if err != nil {
		s.t.Fatal(err)
	}
	return order, records
}

func TestFromTheOrderToTheVerdict(t *testing.T) {
	with := func(field string) []string {
		return []string{`{"event":"payment.success","data":{"order_reference":"REF_700001",` + field + `}}`}
	}
	failed := func(reason string) string { return event(payments.PaymentFailed, reason) }
	expired := event(payments.PaymentExpired, "x")
	other := " " + strings.Replace(successBody, "{", `{"id":7, `, 1)
	const (
		success, paid, check = payments.StatusSuccess, payments.VerdictPaid, payments.VerdictCheck
		unit                 = `,"currency":"Ar"`
	)
	for _, test := range []struct {
		name    string
		bodies  []string
		status  payments.Status
		verdict payments.Verdict
		events  int
	}{
		{"W1 a success", []string{successBody}, success, paid, 1},
		{"W3 an unknown kind", []string{event("payment.seen", "")}, payments.StatusPending, payments.VerdictWaiting, 1},
		{"W15 the same in other words", []string{successBody, other}, success, paid, 1},
		{"W16 a failure, a success, the failure again", []string{failed("a"), successBody, failed("a")}, success, paid, 2},
		{"W17 a failure, a success, another failure", []string{failed("a"), successBody, failed("b")}, payments.StatusFailed, check, 3},
		{"W18 expired, then a success", []string{expired, successBody}, success, check, 2},
		{"W19 a success, then expired", []string{successBody, expired}, payments.StatusExpired, check, 2},
		{"W20 one more", with(`"amount":9001` + unit), success, check, 1},
		{"W20 one less", with(`"amount":8999` + unit), success, check, 1},
		{"W20 zero", with(`"amount":0` + unit), success, check, 1},
		{"W20 negative", with(`"amount":-9000` + unit), success, check, 1},
		{"W20 no amount", with(`"currency":"Ar"`), success, check, 1},
		{"W20 a text", with(`"amount":"9000"` + unit), success, check, 1},
		{"W20 a fraction", with(`"amount":9000.0` + unit), success, check, 1},
		{"W20 an exponent", with(`"amount":9e3` + unit), success, check, 1},
		{"W20 10^20", with(`"amount":100000000000000000000` + unit), success, check, 1},
		{"W20 twice", with(`"amount":9000,"amount":1` + unit), success, check, 1},
		{"W20 the exact amount", with(`"amount":9000` + unit), success, paid, 1},
		{"W21 another currency", with(`"amount":9000,"currency":"MGA"`), success, check, 1},
		{"W21 no currency", with(`"amount":9000`), success, check, 1},
		{"W21 only curency", with(`"amount":9000,"curency":"Ar"`), success, check, 1},
		{
			"W23 bytes of Latin-1 and a NUL in a text",
			with(`"amount":9000` + unit + ",\"description\":\"Caf\xe9\\u0000\""), success, paid, 1,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			shop := newShop(t)
			made, err := shop.sell()
			if err != nil {
				t.Fatal(err)
			}
			for _, body := range test.bodies {
				if got := shop.deliver(body); got.status != http.StatusOK {
					t.Errorf("answered %d %s", got.status, got.text)
				}
			}
			order, records := shop.find(made.Reference)
			verdict := order.Verdict(payments.Conditions{}, noon())
			if order.Status != test.status || verdict != test.verdict || len(records) != test.events {
				t.Errorf("got %s, %s, %d events", order.Status, verdict, len(records))
			}
			if records[0].BodySHA256 != sha256.Sum256([]byte(test.bodies[0])) {
				t.Errorf("the body on disk is not %q", test.bodies[0])
			}
		})
	}
}

func TestAnEventBeforeTheAnswer(t *testing.T) {
	t.Run("W12 an unmatched event is applied when its order becomes known", func(t *testing.T) {
		shop := newShop(t)
		if got := shop.deliver(successBody); got.status != http.StatusNotFound || got.text != "Not found" {
			t.Errorf("W11 got %d %s", got.status, got.text)
		}
		unmatched, err := shop.service.Unmatched(t.Context(), 10)
		if err != nil || len(unmatched) != 1 {
			t.Fatalf("W11 got %d events, %v", len(unmatched), err)
		}
		order, err := shop.sell()
		if err != nil || order.Status != payments.StatusSuccess || !order.Paid() {
			t.Errorf("got %+v, %v", order, err)
		}
	})
	t.Run("W13 the service notifies before it answers the order call", func(t *testing.T) {
		shop := newShop(t)
		shop.accept = func(w http.ResponseWriter, _ int) {
			if got := shop.deliver(successBody); got.status != http.StatusNotFound {
				t.Errorf("got %d", got.status)
			}
			acceptAs(w, "REF_700001")
		}
		order, err := shop.sell()
		if err != nil || order.Status != payments.StatusSuccess || order.Facts.PaidAt.IsZero() {
			t.Errorf("got %+v, %v", order, err)
		}
		if got := shop.deliver(successBody); got.status != http.StatusOK {
			t.Errorf("the second delivery gives %d", got.status)
		}
		if _, records := shop.find(order.Reference); len(records) != 1 || records[0].Count != 2 {
			t.Errorf("got %+v", records)
		}
	})
}

func TestManyDeliveriesAtOnce(t *testing.T) {
	shop := newShop(t)
	order, err := shop.sell()
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			if got := shop.deliver(successBody); got.status != http.StatusOK {
				t.Errorf("W14 got %d %s", got.status, got.text)
			}
		})
	}
	wait.Wait()
	if _, records := shop.find(order.Reference); len(records) != 1 || records[0].Count != 50 {
		t.Errorf("W14 got %+v", records)
	}
}

func TestNoSecretReachesTheDisk(t *testing.T) {
	shop := newShop(t)
	if _, err := shop.sell(); err != nil {
		t.Fatal(err)
	}
	shop.deliver(successBody)
	shop.deliver("{}")
	shop.do(call{signatures: []string{strings.ToUpper(secretValue)}, body: successBody})
	shop.do(call{headers: http.Header{"X-Brand": {secretValue}}, body: successBody})
	health, err := json.Marshal([]any{shop.handler.Health(), shop.handler.Refusals()})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]byte{"health": health}
	if err := shop.store.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(shop.folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if texts[entry.Name()], err = os.ReadFile(filepath.Join(shop.folder, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Contains(texts["till.db"], []byte("REF_700001")) {
		t.Error("the database does not hold the order: the test looks in the wrong place")
	}
	for name, text := range texts {
		for _, planted := range []string{secretText, secretValue, strings.ToUpper(secretValue), token} {
			if bytes.Contains(text, []byte(planted)) {
				t.Errorf("W30 %s holds %.8s…", name, planted)
			}
		}
	}
}
