package sandbox_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
)

// FuzzOrderCall checks that every body is answered with 200 or a 4xx and JSON,
// and that an order that is taken is sound.
func FuzzOrderCall(f *testing.F) {
	f.Add(orderBody("T1"))
	f.Add(strings.Replace(orderBody("T1"), `"amount": 9000`, `"amount": 9000.0`, 1))
	f.Add(strings.Replace(orderBody("\x1b[2J"), "Coca", "\xe9", 1))
	f.Add(`{"access": "` + token + `", "metadata": []}`)
	f.Add(`[`)
	made, err := sandbox.New(settings(""))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if err := made.Reset(); err != nil {
			t.Fatal(err)
		}
		recorder := local(made, http.MethodPost, "/api/payement/service", body)
		var reply answered
		if err := json.Unmarshal(recorder.Body.Bytes(), &reply, json.MatchCaseInsensitiveNames(true)); err != nil || reply.Message == "" {
			t.Fatalf("%d %s: %v", recorder.Code, recorder.Body, err)
		}
		orders := made.Orders()
		if taken := recorder.Code == http.StatusOK; taken != (len(orders) == 1) || !taken && (recorder.Code < 400 || recorder.Code > 499) {
			t.Fatalf("%d with %d orders", recorder.Code, len(orders))
		}
		for _, order := range orders {
			var sum payments.Ariary
			for _, item := range order.Items {
				sum += item.Item().Total()
			}
			if sum != order.Amount || order.Currency != payments.Currency || order.Reference == "" {
				t.Fatalf("%s makes %+v", body, order)
			}
			if page := local(made, http.MethodGet, "/c/"+order.Link, ""); page.Code != http.StatusOK || strings.Contains(page.Body.String(), "\x1b") {
				t.Fatalf("its page is %d %s", page.Code, page.Body)
			}
		}
	})
}

func TestEveryScenarioComesBackFromItsJSON(t *testing.T) {
	made := quietSandbox(t)
	for _, scenario := range sandbox.Scenarios() {
		text, err := json.Marshal(scenario.Faults, delivery.JSON())
		if err != nil || scenario.Faults.Check() != nil {
			t.Fatalf("%s: %v, %v", scenario.Name, err, scenario.Faults.Check())
		}
		if recorder := lab(made, http.MethodPut, "/lab/faults", string(text)); recorder.Code != http.StatusOK || made.Faults() != scenario.Faults {
			t.Errorf("%s comes back as %d %+v", text, recorder.Code, made.Faults())
		}
	}
}
