package sandbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestTheLabSetsTheFaultsOfOneReference(t *testing.T) {
	made := quietSandbox(t)
	made.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{Refuse: "all"}})
	ask[sandbox.Faults](t, made, http.MethodPut, "/lab/faults?reference=A", `{"call": {"break": true, "times": 2}, "event": {"copies": 3}}`)
	for i, want := range []int{500, 500, 200} {
		if got := call(t, made, orderBody("A")); got.Status != want {
			t.Errorf("call %d is answered %d %s, want %d", i, got.Status, got.Message, want)
		}
	}
	if got := call(t, made, orderBody("B")); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("another order is answered %+v", got)
	}
	orders := ask[[]labOrder](t, made, http.MethodGet, "/lab/orders?reference=A", "")
	if len(orders) != 1 || orders[0].Faults == nil || orders[0].Faults.Copies != 3 {
		t.Errorf("the order is %+v", orders)
	}
	ask[sandbox.Scenario](t, made, http.MethodPost, "/lab/scenario", `{"name": "drop", "reference": "A"}`)
	orders = ask[[]labOrder](t, made, http.MethodGet, "/lab/orders", "")
	if !orders[0].Faults.Drop || !ask[sandbox.Faults](t, made, http.MethodGet, "/lab/faults?reference=A", "").Event.Drop {
		t.Errorf("afterwards the order is %+v", orders)
	}
	must(t, made.SetOrderFaults(orders[0].OrderReference, sandbox.EventFaults{Reorder: true}))
	if got := ask[sandbox.Faults](t, made, http.MethodGet, "/lab/faults?reference=A", ""); got.Event != (sandbox.EventFaults{Reorder: true}) {
		t.Errorf("the faults of the order are %+v", got)
	}
	if got := ask[sandbox.Faults](t, made, http.MethodGet, "/lab/faults?reference=B", ""); got != made.Faults() || got.Call.Refuse != "all" {
		t.Errorf("the faults of all orders are %+v", got)
	}
	must(t, made.Reset())
	if got := call(t, made, orderBody("A")); got.Status != http.StatusOK || made.FaultsOf("A") != (sandbox.Faults{}) {
		t.Errorf("after a reset: %+v", got)
	}
}

func TestAScenarioIsForTheNextOrderCalls(t *testing.T) {
	made := quietSandbox(t)
	ask[sandbox.Scenario](t, made, http.MethodPost, "/lab/scenario", `{"name": "refuse", "times": 1}`)
	for i, want := range []int{422, 200} {
		if got := call(t, made, orderBody("A")); got.Status != want {
			t.Errorf("call %d is answered %+v, want %d", i, got, want)
		}
	}
	if made.Faults() != (sandbox.Faults{}) {
		t.Errorf("the faults are %+v", made.Faults())
	}
}

func TestTheLabListsOrderCallsWithTheirBodies(t *testing.T) {
	made := quietSandbox(t)
	calls := func(query string) []sandbox.Activity {
		return ask[[]sandbox.Activity](t, made, http.MethodGet, "/lab/calls"+query, "")
	}
	call(t, made, "{\n  \"access\": \""+token+"\",\n  \"reference\": \"é\",}")
	call(t, made, "access="+token+"&reference=B")
	call(t, made, strings.Replace(orderBody("A"), "9000", "9001", 1))
	call(t, made, orderBody("A"))
	all := calls("")
	if len(all) != 4 {
		t.Fatalf("the calls are %+v", all)
	}
	for i, want := range []struct {
		status              int
		message, body, name string
	}{
		{200, "", `"access": "(not shown)"`, "A"},
		{400, "amount must equal the sum", `"amount": 9001`, "A"},
		{400, "body cannot be read: it is not valid JSON at line 1, column 1", "access=(not shown)&reference=B", ""},
		{400, "not valid JSON at line 3, column 19", `"reference": "é",}`, "é"},
	} {
		got := all[i]
		if got.Status != want.status || !strings.Contains(got.Message, want.message) || !strings.Contains(got.Body, want.body) ||
			got.Reference != want.name || strings.Contains(got.Body, token) {
			t.Errorf("call %d is %+v, want %+v", i, got, want)
		}
	}
	if got := calls("?reference=A"); len(got) != 2 || got[0].OrderReference == "" {
		t.Errorf("of one reference: %+v", got)
	}
}

// waited asks for deliveries, and returns them and the time until the answer.
func waited(t *testing.T, made *sandbox.Sandbox, query string) ([]sandbox.Delivery, time.Duration) {
	t.Helper()
	start := time.Now()
	return ask[[]sandbox.Delivery](t, made, http.MethodGet, "/lab/deliveries?"+query, ""), time.Since(start)
}

func TestTheLabWaitsForAnEventOfAnOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, _ := hear(t, first(2, 500))
		_, one := localOrder(t, made, "one")
		other := acted(t, made, "other", payments.PaymentSuccess)
		act(t, made, one, payments.PaymentFailed)
		synctest.Wait()
		time.AfterFunc(10*time.Second, func() { act(t, made, one, payments.PaymentSuccess) })
		if got, took := waited(t, made, "wait=60s&order="+other); len(got) != 1 || len(got[0].Tries) != 2 || took == 0 || took > 2*time.Second {
			t.Errorf("after %v: %+v", took, got)
		}
		if got, took := waited(t, made, "wait=60s&order="+other); len(got) != 1 || took != 0 {
			t.Errorf("after %v: %+v", took, got)
		}
		if got, took := waited(t, made, "wait=60s&event=payment.success&order="+one); len(got) != 1 || got[0].Order != one || took < 8*time.Second {
			t.Errorf("after %v: %+v", took, got)
		}
		if got, took := waited(t, made, "wait=60s&event=payment.expired&order="+one); len(got) != 0 || took != time.Minute {
			t.Errorf("after %v: %+v", took, got)
		}
	})
}

func TestTheLabListsDeliveriesAndSendsThemAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, all := paidDesk(t, first(1, 404))
		synctest.Wait()
		got := ask[[]sandbox.Delivery](t, made, http.MethodGet, "/lab/deliveries", "")
		if len(got) != 1 || got[0].ID != 1 || got[0].Event != "payment.success" || got[0].Stage != "waiting" ||
			got[0].NextTryAt == nil || !got[0].CreatedAt.Equal(time.Now()) || len(got[0].Tries) != 1 ||
			got[0].Tries[0].Status != http.StatusNotFound || got[0].Tries[0].Signature != "static" ||
			!strings.HasPrefix(got[0].Body, `{"event":"payment.success"`) {
			t.Fatalf("got %+v", got)
		}
		sent := ask[sandbox.Delivery](t, made, http.MethodPost, "/lab/deliveries/1/resend", "")
		if sent.ID != 1 || sent.Order != got[0].Order {
			t.Errorf("sent again: %+v", sent)
		}
		synctest.Wait()
		got = ask[[]sandbox.Delivery](t, made, http.MethodGet, "/lab/deliveries", "")
		if len(all.list()) != 2 || got[0].Stage != "delivered" || got[0].NextTryAt != nil || len(got[0].Tries) != 2 {
			t.Errorf("afterwards: %+v", got)
		}
	})
}

func TestTheLabListsTheNewestFirst(t *testing.T) {
	made := quietSandbox(t)
	var references []string
	for i := range 60 {
		_, reference := localOrder(t, made, fmt.Sprintf("T1-%d", i))
		references = append(references, reference)
		act(t, made, reference, payments.PaymentCanceled)
	}
	orders := ask[[]labOrder](t, made, http.MethodGet, "/lab/orders", "")
	if len(orders) != 60 || orders[0].OrderReference != references[59] || orders[59].OrderReference != references[0] {
		t.Errorf("%d orders", len(orders))
	}
	deliveries := ask[[]sandbox.Delivery](t, made, http.MethodGet, "/lab/deliveries", "")
	if len(deliveries) != 60 || deliveries[0].ID != 60 || deliveries[0].Order != references[59] {
		t.Errorf("%d deliveries", len(deliveries))
	}
	if got := ask[labOrder](t, made, http.MethodGet, "/lab/orders/"+references[7], ""); got.Reference != "T1-7" {
		t.Errorf("one order is %+v", got)
	}
	if got := ask[[]labOrder](t, made, http.MethodGet, "/lab/orders?reference=T1-2", ""); len(got) != 1 ||
		got[0].OrderReference != references[2] {
		t.Errorf("a reference that others begin with finds %+v", got)
	}
	for _, path := range []string{"/lab/orders", "/lab/deliveries"} {
		if text := lab(quietSandbox(t), http.MethodGet, path, "").Body.String(); text != "[]\n" {
			t.Errorf("%s of an empty sandbox: %s", path, text)
		}
	}
}

func TestAnswersOfTheLabAreSafeInATerminal(t *testing.T) {
	made := quietSandbox(t)
	const reason = "\x1b]0;x\x07\u009b2J\u202e\u2028\U000e0041 é 中 <&>"
	made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Reason: reason}})
	text := lab(made, http.MethodGet, "/lab/faults", "").Body.String()
	if strings.ContainsAny(text, "\x1b\x07\u009b\u202e\u2028\U000e0041") || !strings.Contains(text, "é 中") {
		t.Errorf("got %q", text)
	}
	if got := ask[sandbox.Faults](t, made, http.MethodGet, "/lab/faults", ""); got.Event.Reason != reason {
		t.Errorf("the text is %q", got.Event.Reason)
	}
}

func TestTheLabWaitsForTheNextDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, _ := hear(t, always(http.StatusOK))
		_, reference := localOrder(t, made, "T1")
		fail := func() { act(t, made, reference, payments.PaymentFailed) }
		time.AfterFunc(3*time.Second, fail)
		if got, took := waited(t, made, "wait=5s"); len(got) != 1 || got[0].Stage != "delivered" || took != 3*time.Second {
			t.Errorf("after %v: %+v", took, got)
		}
		if got, took := waited(t, made, "wait=5s"); len(got) != 1 || took != 5*time.Second {
			t.Errorf("nothing comes: after %v %+v", took, got)
		}
		if got, took := waited(t, made, "wait=5s&after=0"); len(got) != 1 || took != 0 {
			t.Errorf("it came before the request: after %v %+v", took, got)
		}
		time.AfterFunc(time.Second, fail)
		if got, took := waited(t, made, "wait=1m&after=1"); len(got) != 1 || got[0].ID != 2 || took != time.Second {
			t.Errorf("after %v: %+v", took, got)
		}
		if got, _ := waited(t, made, "after=2"); len(got) != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

func TestAResetForgetsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, all := paidDesk(t, always(http.StatusInternalServerError))
		made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Copies: 1}})
		localOrder(t, made, "T1-open")
		synctest.Wait()
		if text := lab(made, http.MethodPost, "/lab/reset", "").Body.String(); text != "{}\n" {
			t.Errorf("it answers %s", text)
		}
		for _, path := range []string{"/lab/orders", "/lab/deliveries"} {
			if text := lab(made, http.MethodGet, path, "").Body.String(); text != "[]\n" {
				t.Errorf("%s lists %s", path, text)
			}
		}
		if made.Faults() != (sandbox.Faults{}) {
			t.Errorf("the faults are %+v", made.Faults())
		}
		pass(time.Hour)
		if len(all.list()) != 1 {
			t.Errorf("%d events were sent", len(all.list()))
		}
		if _, again := localOrder(t, made, "T1-20261121-GT-0007"); again == "" {
			t.Error("the reference is still used")
		}
	})
}

func TestTheLabSetsAndReadsEveryScenario(t *testing.T) {
	made := quietSandbox(t)
	listed := ask[[]sandbox.Scenario](t, made, http.MethodGet, "/lab/scenarios", "")
	if !slices.Equal(listed, sandbox.Scenarios()) || len(listed) == 0 {
		t.Errorf("listed are %+v", listed)
	}
	if text := lab(made, http.MethodGet, "/lab/faults", "").Body.String(); text != `{"call":{},"event":{}}`+"\n" {
		t.Errorf("without faults: %s", text)
	}
	for _, scenario := range listed {
		answer := ask[map[string]any](t, made, http.MethodPost, "/lab/scenario", fmt.Sprintf(`{"name": %q}`, scenario.Name))
		if made.Faults() != scenario.Faults || answer["name"] != scenario.Name || answer["summary"] != scenario.Summary {
			t.Errorf("%s sets %+v and answers %v", scenario.Name, made.Faults(), answer)
		}
		text := lab(made, http.MethodGet, "/lab/faults", "").Body.String()
		if got := ask[sandbox.Faults](t, made, http.MethodPut, "/lab/faults", "{}"); got != (sandbox.Faults{}) || made.Faults() != got {
			t.Errorf("after the end: %+v", got)
		}
		if ask[sandbox.Faults](t, made, http.MethodPut, "/lab/faults", text); made.Faults() != scenario.Faults {
			t.Errorf("%s comes back from %s as %+v", scenario.Name, text, made.Faults())
		}
	}
	const spans = `{"call": {"slow": "90s"}, "event": {"delay": "1m30s"}}`
	want := sandbox.Faults{Call: sandbox.CallFaults{Slow: 90 * time.Second}, Event: sandbox.EventFaults{Delay: 90 * time.Second}}
	if got := ask[sandbox.Faults](t, made, http.MethodPut, "/lab/faults", spans); got != want || made.Faults() != want {
		t.Errorf("a PUT sets exactly what it names, not %+v", got)
	}
}

func TestTheLabRefusesInvalidRequests(t *testing.T) {
	made := quietSandbox(t)
	_, order := localOrder(t, made, "T1")
	over := acted(t, made, "T2", payments.PaymentExpired)
	act, faults := "/lab/orders/"+order+"/act", "/lab/orders/"+order+"/faults"
	tests := []struct {
		name, method, path, body string
		want                     int
		says                     string
	}{
		{"an unknown path", "GET", "/lab/", "", 404, ""},
		{"an order that is not there", "GET", "/lab/orders/REF_1", "", 404, "no such order"},
		{"a path that is too long", "GET", faults + "/x", "", 404, ""},
		{"a GET that would act", "GET", act + "?outcome=success", "", 405, "POST"},
		{"no scenario", "POST", "/lab/scenario", `{}`, 400, "refuse, refuse-escape, break"},
		{"an unknown scenario", "POST", "/lab/scenario", `{"name": "fire"}`, 400, `"fire" is not one of none, refuse`},
		{"invalid JSON", "POST", "/lab/scenario", `name=drop`, 400, "unsound request: jsontext"},
		{"no outcome", "POST", act, `{}`, 400, "outcome may be: success, failed, canceled, expired"},
		{"an unknown outcome", "POST", act, `{"outcome": "paid"}`, 400, "outcome may be: success"},
		{"an expired link", "POST", "/lab/orders/" + over + "/act", `{"outcome": "success"}`, 410, "over"},
		{"a call fault of one order", "PUT", faults, `{"break": true}`, 400, "break is not known"},
		{"a wrong value", "PUT", faults, `{"copies": 11}`, 400, "copies may be: 0 to 10"},
		{"a body of more than 64 KiB", "PUT", faults, `{"reason": "` + strings.Repeat("x", 64<<10) + `"}`, 400, "64 KiB"},
		{"a delivery that does not exist", "POST", "/lab/deliveries/1000/resend", "", 404, "no such delivery"},
		{"a repeated field", "PUT", faults, `{"drop": true, "drop": false}`, 400, "duplicate"},
		{"a span that is a number", "PUT", faults, `{"delay": 30}`, 400, "delay is not known, or of another type"},
		{"a span beyond an hour", "PUT", "/lab/faults", `{"call": {"slow": "2h"}}`, 400, "call.slow may be: 0s to 1h"},
		{"an unknown kind", "PUT", faults, `{"then": "success"}`, 400, "then may be: payment.success, payment.failed"},
		{"an unknown signature", "PUT", faults, `{"signature": "none"}`, 400, "signature may be: wrong"},
		{"an unknown shape", "PUT", "/lab/faults", `{"event": {"shape": "currency"}}`, 400, "shape may be: amount-text"},
		{"too much padding", "PUT", faults, `{"padding": 10485761}`, 400, "padding may be"},
		{"an unknown reply", "PUT", "/lab/faults", `{"call": {"reply": "HTML"}}`, 400, "call.reply may be: empty"},
		{"an amount above the limit", "PUT", faults, `{"amount_off": 1000000000001}`, 400, "amount_off may be"},
		{"a wait without a unit", "GET", "/lab/deliveries?wait=5", "", 400, "wait must be"},
		{"a wait for too long", "GET", "/lab/deliveries?wait=61s", "", 400, "wait must be"},
		{"an unknown query parameter", "GET", "/lab/deliveries?ordre=REF_1", "", 400, "parameter ordre is not known"},
		{"a query parameter of another path", "GET", "/lab/scenarios?reference=A", "", 400, "reference is not known"},
		{"a query parameter of a POST", "POST", "/lab/reset?all=1", "", 400, "all is not known"},
		{"a repeated query parameter", "GET", "/lab/orders?reference=A&reference=B", "", 400, "reference is not known, or is repeated"},
		{"an invalid query", "GET", "/lab/orders?reference=%zz", "", 400, "the query is not valid"},
		{"a body that is null", "PUT", "/lab/faults", "null", 400, "the body must not be null"},
		{"a field that is null", "PUT", "/lab/faults", `{"event": {"copies": null}}`, 400, "event.copies must not be null"},
		{"a list", "PUT", "/lab/faults", "[]", 400, "the body is not known, or of another type"},
		{"times for an event", "POST", "/lab/scenario", `{"name": "drop", "times": 1}`, 400, "times is for scenarios of the order call"},
		{"negative times", "POST", "/lab/scenario", `{"name": "break", "times": -1}`, 400, "call.times may be: 0 to 1000"},
		{"too many faulty tries", "PUT", faults, `{"tries": 1001}`, 400, "tries may be: 0 to 1000"},
		{"an event without its prefix", "GET", "/lab/deliveries?event=success", "", 400, "as in payment.success"},
		{"a GET that would reset", "GET", "/lab/reset", "", 405, "POST"},
	}
	before := made.Faults()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorder := lab(made, test.method, test.path, test.body)
			var answer struct{ Message string }
			if test.want == http.StatusMethodNotAllowed {
				answer.Message = recorder.Header().Get("Allow")
			} else if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil && test.says != "" {
				t.Error(err)
			}
			if recorder.Code != test.want || !strings.Contains(answer.Message, test.says) {
				t.Errorf("got %d %s", recorder.Code, recorder.Body)
			}
		})
	}
	for _, shown := range ask[[]labOrder](t, made, http.MethodGet, "/lab/orders", "") {
		if made.Faults() != before || shown.Faults != nil || (shown.OrderReference == order && shown.State != "open") {
			t.Errorf("a refusal changed %+v", shown)
		}
	}
}

func TestTheLabServesOnlyItsMachineAndItsOwnPages(t *testing.T) {
	made := quietSandbox(t)
	for _, at := range []struct{ method, path, body string }{
		{http.MethodGet, "/", ""},
		{http.MethodGet, "/lab/faults", ""},
		{http.MethodPut, "/lab/faults", `{"event": {"drop": true}}`},
		{http.MethodPost, "/lab/scenario", `{"name": "drop"}`},
	} {
		t.Run(at.method+" "+at.path, func(t *testing.T) {
			acts := at.method != http.MethodGet
			for _, attack := range []struct {
				name, header, value string
				want                int
			}{
				{"from another site", "Sec-Fetch-Site", "cross-site", map[bool]int{true: http.StatusForbidden, false: http.StatusOK}[acts]},
				{"from another origin", "Origin", "http://evil.example", map[bool]int{true: http.StatusForbidden, false: http.StatusOK}[acts]},
				{"by another host name", "Host", "evil.example", http.StatusMisdirectedRequest},
			} {
				recorder := lab(made, at.method, at.path, at.body, attack.header, attack.value)
				if recorder.Code != attack.want || recorder.Header().Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s: got %d %s, %v", attack.name, recorder.Code, recorder.Body, recorder.Header())
				}
			}
			if recorder := local(made, at.method, at.path, at.body); recorder.Code != http.StatusForbidden {
				t.Errorf("another machine gets %d", recorder.Code)
			}
			if made.Faults() != (sandbox.Faults{}) {
				t.Errorf("the faults are %+v", made.Faults())
			}
			if recorder := lab(made, at.method, at.path, at.body, "Sec-Fetch-Site", "same-origin"); recorder.Code != http.StatusOK {
				t.Errorf("its own page gets %d %s", recorder.Code, recorder.Body)
			}
			made.SetFaults(sandbox.Faults{})
		})
	}
}
