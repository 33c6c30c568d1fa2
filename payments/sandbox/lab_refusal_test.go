package sandbox_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestTheLabRefuses(t *testing.T) {
	made := quietSandbox(t)
	_, order := localOrder(t, made, "T1")
	_, over := localOrder(t, made, "T2")
	_, tired := localOrder(t, made, "T3")
	act(t, made, over, payments.PaymentCanceled)
	act(t, made, tired, slices.Repeat([]payments.EventKind{payments.PaymentFailed}, 50)...)
	act, faults := "/lab/orders/"+order+"/act", "/lab/orders/"+order+"/faults"
	tests := []struct {
		name, method, path, body string
		want                     int
		says                     string
	}{
		{"an unknown path", "GET", "/lab/", "", 404, ""},
		{"an order that is not there", "GET", "/lab/orders/REF_1", "", 404, "no such order"},
		{"a path that is too long", "GET", faults + "/x", "", 404, ""},
		{"a POST to the scenarios", "POST", "/lab/scenarios", "", 405, "GET, HEAD"},
		{"a GET that would play", "GET", "/lab/scenario", "", 405, "POST"},
		{"a DELETE of the orders", "DELETE", "/lab/orders", "", 405, "GET, HEAD"},
		{"X3 a GET that would act", "GET", act + "?outcome=success", "", 405, "POST"},
		{"X3 a GET that would send again", "GET", "/lab/deliveries/1/resend", "", 405, "POST"},
		{"no scenario", "POST", "/lab/scenario", `{}`, 400, "refuse, refuse-escape, break"},
		{"an unknown scenario", "POST", "/lab/scenario", `{"name": "fire"}`, 400, `"fire" is not one of none, refuse`},
		{"another field", "POST", "/lab/scenario", `{"scenario": "drop"}`, 400, "scenario is not known"},
		{"no JSON", "POST", "/lab/scenario", `name=drop`, 400, "unsound request: jsontext"},
		{"no outcome", "POST", act, `{}`, 400, "outcome may be: success, failed, canceled, expired"},
		{"an unknown outcome", "POST", act, `{"outcome": "paid"}`, 400, "outcome may be: success"},
		{"an order that does not exist", "POST", "/lab/orders/REF_1/act", `{"outcome": "success"}`, 404, "no such order"},
		{"a link that is over", "POST", "/lab/orders/" + over + "/act", `{"outcome": "success"}`, 410, "over"},
		{"too many tries", "POST", "/lab/orders/" + tired + "/act", `{"outcome": "failed"}`, 429, "too much"},
		{"faults for no order", "PUT", "/lab/orders/REF_1/faults", "{}", 404, "no such order"},
		{"a call fault of one order", "PUT", faults, `{"break": true}`, 400, "break is not known"},
		{"a wrong value", "PUT", faults, `{"copies": 11}`, 400, "copies may be: 0 to 10"},
		{"a body of more than 64 KiB", "PUT", faults, `{"reason": "` + strings.Repeat("x", 64<<10) + `"}`, 400, "64 KiB"},
		{"a delivery that does not exist", "POST", "/lab/deliveries/1000/resend", "", 404, "no such delivery"},
		{"a repeated field", "PUT", faults, `{"drop": true, "drop": false}`, 400, "duplicate"},
		{"a span that is a number", "PUT", faults, `{"delay": 30}`, 400, "delay is not known, or of another type"},
		{"a span beyond an hour", "PUT", "/lab/faults", `{"call": {"slow": "2h"}}`, 400, "call.slow may be: 0s to 1h"},
		{"an unknown kind", "PUT", faults, `{"then": "success"}`, 400, "then may be: payment.success, payment.failed"},
		{"an unknown signature", "PUT", faults, `{"signature": "none"}`, 400, "signature may be: wrong"},
		{"an unknown shape", "PUT", "/lab/faults", `{"event": {"shape": "currency"}}`, 400, "event.shape may be: amount-text"},
		{"too much padding", "PUT", faults, `{"padding": 10485761}`, 400, "padding may be"},
		{"an unknown reply", "PUT", "/lab/faults", `{"call": {"reply": "HTML"}}`, 400, "call.reply may be: empty"},
		{"an amount beyond all", "PUT", faults, `{"amount_off": 1000000000001}`, 400, "amount_off may be"},
		{"a wait that is no span", "GET", "/lab/deliveries?wait=5", "", 400, "wait must be"},
		{"a wait for too long", "GET", "/lab/deliveries?wait=61s", "", 400, "wait must be"},
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

func TestTheLabAndTheDashboardServeTheirOwnMachineAndNoOtherSite(t *testing.T) {
	made := quietSandbox(t)
	_, order := localOrder(t, made, "T1")
	act(t, made, order, payments.PaymentFailed)
	endpoints := []struct{ method, path, body string }{
		{http.MethodGet, "/lab/scenarios", ""},
		{http.MethodPost, "/lab/scenario", `{"name": "drop"}`},
		{http.MethodGet, "/lab/faults", ""},
		{http.MethodPut, "/lab/faults", `{"event": {"drop": true}}`},
		{http.MethodGet, "/lab/orders", ""},
		{http.MethodPut, "/lab/orders/" + order + "/faults", `{"drop": true}`},
		{http.MethodPost, "/lab/orders/" + order + "/act", `{"outcome": "failed"}`},
		{http.MethodGet, "/lab/deliveries", ""},
		{http.MethodPost, "/lab/deliveries/1/resend", ""},
		{http.MethodGet, "/", ""},
		{http.MethodPost, "/lab/reset", ""},
	}
	for _, at := range endpoints {
		t.Run(at.method+" "+at.path, func(t *testing.T) {
			for _, attack := range []struct {
				name, header, value string
				want                int
				refused             bool
			}{
				{"X3 from another site", "Sec-Fetch-Site", "cross-site", http.StatusForbidden, at.method != http.MethodGet},
				{"X3 of another origin", "Origin", "http://evil.example", http.StatusForbidden, at.method != http.MethodGet},
				{"X3 by another host name", "Host", "evil.example", http.StatusMisdirectedRequest, true},
			} {
				recorder := lab(made, at.method, at.path, at.body, attack.header, attack.value)
				if attack.refused && recorder.Code != attack.want {
					t.Errorf("%s it answers %d %s", attack.name, recorder.Code, recorder.Body)
				}
				if recorder.Header().Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s it lets the answer be read", attack.name)
				}
			}
			if recorder := local(made, at.method, at.path, at.body); recorder.Code != http.StatusForbidden {
				t.Errorf("another machine gets %d", recorder.Code)
			}
			if made.Faults() != (sandbox.Faults{}) {
				t.Errorf("the faults are %+v", made.Faults())
			}
		})
	}
	for _, at := range endpoints {
		recorder := lab(made, at.method, at.path, at.body, "Sec-Fetch-Site", "same-origin")
		if recorder.Code != http.StatusOK && recorder.Code != http.StatusSeeOther {
			t.Errorf("its own page gets %d %s for %s", recorder.Code, recorder.Body, at.path)
		}
	}
}
