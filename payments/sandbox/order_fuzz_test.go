package sandbox_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

// FuzzOrderCall checks that every body is answered with JSON and 200 or a 4xx, and that an
// accepted order is valid.
func FuzzOrderCall(f *testing.F) {
	f.Add(orderBody("T1"))
	f.Add(strings.Replace(orderBody("T1"), `"amount": 9000`, `"amount": 9000.0`, 1))
	f.Add(strings.Replace(orderBody("\x1b[2J"), "Coca", "\xe9", 1))
	f.Add(`{"access": "` + token + `", "metadata": []}`)
	f.Add(`[`)
	made := quietSandbox(f)
	f.Fuzz(func(t *testing.T, body string) {
		must(t, made.Reset())
		recorder := local(made, http.MethodPost, "/api/payement/service", body)
		var reply answered
		if err := json.Unmarshal(recorder.Body.Bytes(), &reply); err != nil || reply.Message == "" {
			t.Fatalf("%d %s: %v", recorder.Code, recorder.Body, err)
		}
		orders := made.Orders()
		if taken := recorder.Code == http.StatusOK; taken != (len(orders) == 1) || !taken && (recorder.Code < 400 || recorder.Code > 499) {
			t.Fatalf("%d with %d orders", recorder.Code, len(orders))
		}
		for _, order := range orders {
			var sum money.Ariary
			for _, item := range order.Items {
				sum += item.Total()
			}
			if sum != order.Amount || order.Currency != payments.Currency || order.Reference == "" {
				t.Fatalf("%s makes %+v", body, order)
			}
			if page := local(made, http.MethodGet, "/c/"+order.Link, ""); page.Code != http.StatusOK || contains(page, "\x1b") {
				t.Fatalf("its page is %d %s", page.Code, page.Body)
			}
		}
	})
}
