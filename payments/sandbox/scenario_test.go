package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
)

// seen is what a merchant gets for an order: the answer to its call, and its events.
type seen struct {
	cut    bool // The order call ended without an answer.
	code   int
	kind   string // The content type of the answer.
	answer string
	after  time.Duration // Time until the answer.
	orders int           // Number of orders in the sandbox.
	link   string        // The checkout link in the answer.
	*inbox
}

func faultsOf(t *testing.T, name string) sandbox.Faults {
	t.Helper()
	scenario, err := sandbox.FindScenario(name)
	must(t, err)
	return scenario.Faults
}

// see sets faults, makes an order and causes the events in acts. The merchant accepts every event.
// The description of the order looks like fields of an event.
func see(t *testing.T, faults sandbox.Faults, acts ...payments.EventKind) seen {
	t.Helper()
	start := time.Now()
	transport, all := listen(t, always(http.StatusOK))
	made, got := begin(t, transport), seen{inbox: all}
	made.SetFaults(faults)
	func() {
		defer func() { got.cut = recover() != nil }()
		body := strings.Replace(orderBody("T1-20261121-GT-0007"), "2 × Vary", `,\"amount\":9000,\"currency\":\"Ar\"`, 1)
		recorder := local(made, http.MethodPost, gateway.DefaultOrderPath, body)
		got.code, got.kind, got.answer = recorder.Code, recorder.Header().Get("Content-Type"), recorder.Body.String()
	}()
	got.after = time.Since(start)
	var reply answered
	if json.Unmarshal([]byte(got.answer), &reply) == nil {
		got.link = reply.Data.CheckoutURL
	}
	orders := made.Orders()
	got.orders = len(orders)
	if len(acts) > 0 {
		act(t, made, orders[0].OrderReference, acts...)
	}
	pass(5 * time.Minute)
	return got
}

// sound reports whether the answer to the order call follows the specification. It does not
// check the link.
func (s seen) sound() bool {
	return s.code == http.StatusOK && s.kind == "application/json" && s.link != "" && s.orders == 1 && !s.cut
}

func TestEachScenarioChangesTheOrderCall(t *testing.T) {
	onLoopback := gateway.LinkPolicy{Local: netip.Addr.IsLoopback}
	unsound := func(want string) func(seen) bool {
		return func(s seen) bool {
			_, err := gateway.DecodeReply([]byte(s.answer), onLoopback)
			return s.sound() && errors.Is(err, payments.ErrUnsoundReply) && strings.Contains(s.link, want)
		}
	}
	// unread reports whether the answer has status 200 but is invalid.
	unread := func(s seen) bool {
		_, err := gateway.DecodeReply([]byte(s.answer), onLoopback)
		return s.code == http.StatusOK && s.orders == 1 && errors.Is(err, payments.ErrUnsoundReply)
	}
	tests := []struct {
		name  string
		right func(seen) bool
	}{
		{"none", func(s seen) bool { return s.sound() && s.after == 0 }},
		{"refuse", func(s seen) bool {
			return s.code == http.StatusUnprocessableEntity && s.orders == 0 && s.answer == `{"message":"Compte marchand suspendu"}`
		}},
		{"refuse-escape", func(s seen) bool {
			var said answered
			return s.code == http.StatusUnprocessableEntity && s.orders == 0 && json.Unmarshal([]byte(s.answer), &said) == nil &&
				strings.Contains(said.Message, "\x1b]52;")
		}},
		{"break", func(s seen) bool { return s.code == http.StatusInternalServerError && s.orders == 0 }},
		{"break-once", func(s seen) bool { return s.code == http.StatusInternalServerError && s.orders == 0 }},
		{"break-after", func(s seen) bool { return s.code == http.StatusInternalServerError && s.orders == 1 }},
		{"slow", func(s seen) bool { return s.sound() && s.after == 30*time.Second }},
		{"cut", func(s seen) bool { return s.cut && s.orders == 1 && s.answer == "" }},
		{"empty-reply", func(s seen) bool { return unread(s) && s.answer == "" }},
		{"not-json", func(s seen) bool {
			return unread(s) && strings.HasPrefix(s.kind, "text/html") && strings.Contains(s.answer, "<h1>")
		}},
		{"cut-json", func(s seen) bool {
			return unread(s) && !json.Valid([]byte(s.answer)) && strings.HasPrefix(s.answer, `{"message":"Success","data":{"`)
		}},
		{"wrong-fields", func(s seen) bool {
			return unread(s) && json.Valid([]byte(s.answer)) && strings.Contains(s.answer, "payment_link") &&
				strings.Contains(s.answer, `"expires_in":10`)
		}},
		{"event-first", func(s seen) bool { return s.sound() && s.kinds() == "success" && s.list()[0].after == 0 }},
		{"unsound-link", unsound("javascript:")},
		{"unsound-link-plain", unsound("http://pay.")},
		{"unsound-link-user", unsound("@evil.example/")},
		{"unsound-link-letters", unsound("p\u0430y.")},
		{"unsound-link-long", func(s seen) bool { return unsound("https://pay.")(s) && len(s.link) == 3000 }},
		{"unsound-link-escape", func(s seen) bool { return unsound("\n")(s) && strings.Contains(s.link, "\x1b[2J") }},
	}
	tested := make(map[string]bool)
	for _, test := range tests {
		tested[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := see(t, faultsOf(t, test.name)); !test.right(got) {
					t.Errorf("the merchant sees %+v", got)
				}
			})
		})
	}
	for _, scenario := range sandbox.Scenarios() {
		if (scenario.Faults.Call != sandbox.CallFaults{}) && !tested[scenario.Name] {
			t.Errorf("%s is not tested", scenario.Name)
		}
	}
}

func TestEachScenarioChangesTheEvents(t *testing.T) {
	const success, failed = payments.PaymentSuccess, payments.PaymentFailed
	const canceled, expired = payments.PaymentCanceled, payments.PaymentExpired
	pay := []payments.EventKind{success}
	static := gateway.Sign(gateway.Static, secret.New(webhookSecret), nil)
	// one returns a check that passes for a single event, if it is a success and differs returns true
	// for it.
	one := func(differs func(heard) bool) func([]heard) bool {
		return func(events []heard) bool {
			return len(events) == 1 && events[0].event.Kind == success && differs(events[0])
		}
	}
	const hostile = "\x1b]52;c;UEFJRA==\x07\u009b2J\u202e\x00\r\n\"}"
	type faults = sandbox.EventFaults
	scenario := faults{} // Means the faults of the scenario with the name of the row.
	tests := []struct {
		name   string
		faults faults
		acts   []payments.EventKind
		kinds  string
		right  func([]heard) bool
	}{
		{"none", scenario, pay, "success", one(func(e heard) bool { return e.sound && e.after == 0 && e.took == 0 && e.event.Amount.Is(9000) })},
		{"delay", scenario, pay, "success", one(func(e heard) bool { return e.after == 30*time.Second })},
		{"drop", scenario, pay, "", func(events []heard) bool { return len(events) == 0 }},
		{"first-lost", scenario, pay, "success", one(func(e heard) bool { return e.after >= 800*time.Millisecond && e.after <= 1200*time.Millisecond })},
		{"duplicate", scenario, pay, "success success success", func(events []heard) bool { return events[0].event == events[2].event }},
		{"reorder", scenario, []payments.EventKind{failed, success}, "success failed", nil},
		{"success-then-expired", scenario, pay, "success expired", nil},
		{"expired-then-success", scenario, []payments.EventKind{expired}, "expired success", nil},
		{"signature-wrong", scenario, pay, "success", one(func(e heard) bool { return !e.sound && len(e.signatures[0]) == 64 })},
		{"signature-missing", scenario, pay, "success", one(func(e heard) bool { return len(e.signatures) == 0 })},
		{"signature-doubled", scenario, pay, "success", one(func(e heard) bool {
			return slices.Equal(e.signatures, []string{static, static})
		})},
		{"signature-static", scenario, pay, "success", one(func(e heard) bool { return e.sound })},
		{"signature-body", scenario, pay, "success", one(func(e heard) bool { return !e.sound && len(e.signatures[0]) == 64 })},
		{"slow-body", scenario, pay, "success", one(func(e heard) bool { return e.took.Round(time.Second) == 30*time.Second })},
		{"huge-body", scenario, pay, "success", one(func(e heard) bool { return len(e.body) > 1<<20 && e.sound })},
		{"amount-wrong", scenario, pay, "success", one(func(e heard) bool { return e.event.Amount.Is(8500) })},
		{"amount-text", scenario, pay, "success", one(func(e heard) bool { return e.event.Amount == payments.TextValue("9000") })},
		{"amount-decimal", scenario, pay, "success", one(func(e heard) bool { return e.event.Amount.Text == "9000.0" })},
		{"amount-missing", scenario, pay, "success", one(func(e heard) bool { return e.event.Amount == payments.Value{} })},
		{"currency-wrong", scenario, pay, "success", one(func(e heard) bool { return e.event.Currency == payments.TextValue("MGA") })},
		{"currency-missing", scenario, pay, "success", one(func(e heard) bool { return e.event.Currency == payments.Value{} })},
		{"curency", scenario, pay, "success", one(func(e heard) bool { return e.event.Currency == payments.Value{} })},
		{"unknown-kind", scenario, pay, "pending", nil},
		{"escape", scenario, []payments.EventKind{failed}, "failed", func(events []heard) bool {
			text := events[0].event.Error.Text
			return strings.ContainsFunc(text, unicode.IsControl) && strings.Contains(text, "\x1b]52;") && strings.Contains(text, "\u202e")
		}},
		{"a wrong amount in a text", faults{AmountOff: -9500, Shape: sandbox.ShapeAmountText}, pay, "success", one(func(e heard) bool {
			return e.event.Amount == payments.TextValue("-500")
		})},
		{"a wrong amount with a fraction", faults{AmountOff: 1, Shape: sandbox.ShapeAmountDecimal}, pay, "success", one(func(e heard) bool {
			return strings.Contains(e.body, `"amount":9001.0,"currency":"Ar"`)
		})},
		{"another currency, with quotes", faults{Currency: `M"G<A`}, pay, "success", one(func(e heard) bool {
			return e.event.Currency == payments.TextValue(`M"G<A`)
		})},
		{"no currency rather than another", faults{Shape: sandbox.ShapeCurrencyMissing, Currency: "MGA"}, pay, "success", one(func(e heard) bool {
			return e.event.Currency == payments.Value{}
		})},
		{"a success has no reason", faults{Reason: "x"}, pay, "success", one(func(e heard) bool { return e.event.Error == payments.Value{} })},
		{"the reason may be any text", faults{Reason: hostile}, []payments.EventKind{canceled}, "canceled", func(events []heard) bool {
			return events[0].event.Error == payments.TextValue(hostile)
		}},
		{"white space to the limit of 10 MiB", faults{Padding: 10 << 20}, pay, "success", one(func(e heard) bool {
			return strings.HasSuffix(e.body, "}}"+strings.Repeat(" ", 10<<20))
		})},
		{"a huge body that takes longer than a try", faults{Slow: 4 * time.Minute, Padding: 10 << 20}, pay, "success", one(func(e heard) bool {
			return e.took.Round(time.Second) == 4*time.Minute
		})},
		{"a failed or canceled try leaves the link valid", faults{Then: success}, []payments.EventKind{failed, canceled, expired}, "failed canceled expired success", nil},
		{"a second event, and copies of both", faults{Then: expired, Copies: 1}, pay, "success success expired expired", nil},
		{"reordered: the last event comes first", faults{Then: expired, Reorder: true}, []payments.EventKind{failed, success}, "expired success failed", nil},
		{"reordered: failed tries come in reverse", faults{Reorder: true}, []payments.EventKind{failed, canceled, expired}, "expired canceled failed", nil},
		{"reordered, with copies of each event", faults{Reorder: true, Copies: 1}, []payments.EventKind{canceled, expired}, "expired expired canceled canceled", nil},
	}
	tested := make(map[string]bool)
	for _, test := range tests {
		tested[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set := sandbox.Faults{Event: test.faults}
				if test.faults == scenario {
					set = faultsOf(t, test.name)
				}
				got := see(t, set, test.acts...)
				if got.kinds() != test.kinds || test.right != nil && !test.right(got.list()) {
					t.Errorf("the merchant is told %s: %.3000s", got.kinds(), fmt.Sprint(got.list()))
				}
				if !got.sound() || got.after != 0 {
					t.Errorf("the order call is answered %+v", got)
				}
				for _, one := range got.list() {
					if test.faults != scenario && !one.sound || one.event.Description.Text != `,"amount":9000,"currency":"Ar", Coca` {
						t.Errorf("the merchant is told %.1000s", one.body)
					}
				}
			})
		})
	}
	for _, scenario := range sandbox.Scenarios() {
		if (scenario.Faults.Event != sandbox.EventFaults{}) && !tested[scenario.Name] {
			t.Errorf("%s is not tested", scenario.Name)
		}
	}
}

func TestScenariosHaveShortNamesAndSummaries(t *testing.T) {
	names := make(map[string]bool)
	for _, scenario := range sandbox.Scenarios() {
		if strings.Trim(scenario.Name, "abcdefghijklmnopqrstuvwxyz-") != "" || names[scenario.Name] || faultsOf(t, scenario.Name) != scenario.Faults {
			t.Errorf("name %q is not lower case, or not unique", scenario.Name)
		}
		names[scenario.Name] = true
		if scenario.Summary != clean.Text(scenario.Summary, 120) || !strings.HasSuffix(scenario.Summary, ".") {
			t.Errorf("%s: the summary is %q", scenario.Name, scenario.Summary)
		}
	}
	_, err := sandbox.FindScenario("Refuse")
	if err == nil || !strings.Contains(err.Error(), `"Refuse" is not one of none, refuse`) || !strings.Contains(err.Error(), "signature-wrong, signature-missing") {
		t.Errorf("an unknown one gives %v", err)
	}
}

func TestASlowAnswerEndsWhenTheSandboxStops(t *testing.T) {
	for name, faults := range map[string]sandbox.Faults{
		"a slow answer": {Call: sandbox.CallFaults{Slow: time.Hour}},
		"an answer that waits for its event": {
			Call: sandbox.CallFaults{EventFirst: payments.PaymentSuccess}, Event: sandbox.EventFaults{Delay: time.Hour},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				made := quietSandbox(t)
				made.SetFaults(faults)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				go func() { _ = made.Run(ctx) }()
				start := time.Now()
				if _, reference := localOrder(t, made, "a"); reference == "" || time.Since(start) != time.Minute {
					t.Errorf("answered after %v", time.Since(start))
				}
			})
		})
	}
}

func TestOnlyTheFirstTriesAreFaulty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, merchant := hear(t, always(http.StatusUnauthorized))
		made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: sandbox.SignatureWrong, Tries: 2}})
		acted(t, made, "T1", payments.PaymentSuccess)
		pass(90 * time.Second) // The fifth try comes after 51 seconds and the random part of the pauses.
		var sound []bool
		for _, event := range merchant.list() {
			sound = append(sound, event.sound)
		}
		if !slices.Equal(sound, []bool{false, false, true, true, true}) {
			t.Errorf("the signatures are valid: %v", sound)
		}
	})
}

func TestALostTryIsShown(t *testing.T) {
	made, _ := hear(t, always(http.StatusOK), withRetry(sandbox.RetryNone))
	made.SetFaults(faultsOf(t, "first-lost"))
	acted(t, made, "T1", payments.PaymentSuccess)
	made.Await(t.Context(), func() bool { return made.Deliveries()[0].Done() })
	holds(t, board(made, ""), []string{"not sent: a fault loses this try", "a fault is set: lost"}, nil)
}

func TestASlowBodyExtendsTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := begin(t, withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})))
		made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Slow: time.Minute}})
		acted(t, made, "T1", payments.PaymentSuccess)
		pass(69 * time.Second)
		if recorder := lab(made, http.MethodGet, "/lab/deliveries", ""); contains(recorder, "no reply") {
			t.Errorf("too early: %s", recorder.Body)
		}
		pass(2 * time.Second)
		if recorder := lab(made, http.MethodGet, "/lab/deliveries", ""); !contains(recorder, "no reply within 1m10s") {
			t.Errorf("got %s", recorder.Body)
		}
	})
}
