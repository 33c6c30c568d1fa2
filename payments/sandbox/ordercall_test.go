package sandbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/payments/sandbox"
)

// The tests of package gateway cover more bodies that are not valid.
func TestAnInvalidOrderCallNamesTheWrongField(t *testing.T) {
	sound := orderBody("T1-20261121-GT-0007")
	with := func(old, replacement string) string {
		if !strings.Contains(sound, old) {
			t.Fatalf("%q is not in the body", old)
		}
		return strings.Replace(sound, old, replacement, 1)
	}
	tests := []struct {
		name, body string
		status     int
		field      string
	}{
		{"no body", "", 400, "body"},
		{"not JSON", "description=Vary", 400, "body"},
		{"a body of more than 64 KiB", with("Coca", strings.Repeat("c", 64<<10)), 413, "body"},
		{"an unknown token", with(token, token+"x"), 401, "access"},
		{"an unknown field of an item", with(`"quantity": 1`, `"quantity": 1, "sku": "C1"`), 400, "metadata[1].sku"},
	}
	made := newSandbox(t, settings(""), func(config *sandbox.Config) { config.Strict = true })
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := call(t, made, test.body)
			if reply.Status != test.status || !strings.HasPrefix(reply.Message, test.field) {
				t.Errorf("got %d %q, want %d that names %s", reply.Status, reply.Message, test.status, test.field)
			}
			if strings.Contains(reply.Message, token) {
				t.Error("the message repeats the token")
			}
		})
	}
	t.Run("a refused call does not use up the reference", func(t *testing.T) {
		if reply := call(t, made, sound); reply.Status != http.StatusOK {
			t.Errorf("got %d %q", reply.Status, reply.Message)
		}
	})
	t.Run("a reference that is used again", func(t *testing.T) {
		if reply := call(t, made, sound); reply.Status != http.StatusConflict || !strings.HasPrefix(reply.Message, "reference") {
			t.Errorf("got %d %q", reply.Status, reply.Message)
		}
	})
}

func TestTheSandboxKeepsABoundedNumberOfOrders(t *testing.T) {
	if testing.Short() {
		t.Skip("makes ten thousand orders")
	}
	made := quietSandbox(t)
	_, first := localOrder(t, made, "T1-first")
	for i := range 10_000 {
		localOrder(t, made, fmt.Sprintf("T1-%d", i))
	}
	mustFail(t, made.Act(t.Context(), first, payments.PaymentCanceled), sandbox.ErrNoSuchOrder)
}

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
