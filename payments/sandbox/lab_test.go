package sandbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// lab makes a request to the fault lab from its own machine.
func lab(made *sandbox.Sandbox, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://127.0.0.1"+target, strings.NewReader(body))
	request.RemoteAddr = "127.0.0.1:5000"
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	recorder := httptest.NewRecorder()
	made.ServeHTTP(recorder, request)
	return recorder
}

// ask makes a request that is answered with 200, and reads the answer.
func ask[T any](t *testing.T, made *sandbox.Sandbox, method, target, body string) T {
	t.Helper()
	var answer T
	recorder := lab(made, method, target, body)
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || recorder.Code != http.StatusOK ||
		recorder.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%s %s answers %d %s: %v", method, target, recorder.Code, recorder.Body, err)
	}
	return answer
}

// labOrder is an order in an answer of the lab.
type labOrder struct {
	OrderReference string `json:"order_reference"`
	Reference      string
	Description    string
	Amount         int64
	Currency       string
	State          string
	CheckoutURL    string    `json:"checkout_url"`
	ExpiresAt      time.Time `json:"expires_at"`
	FailedTries    int       `json:"failed_tries"`
	Faults         *sandbox.EventFaults
}

// labDelivery is a delivery in an answer of the lab.
type labDelivery struct {
	ID             int64
	OrderReference string `json:"order_reference"`
	Event          string
	Stage          string
	CreatedAt      time.Time  `json:"created_at"`
	NextTryAt      *time.Time `json:"next_try_at"`
	Body           string
	Tries          []struct {
		At                              time.Time
		Took, Signature, Reply, Failure string
		Status                          int
	}
}

func quietSandbox(t *testing.T) *sandbox.Sandbox {
	t.Helper()
	made, err := sandbox.New(settings(""))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestTheLabNamesItsScenarios(t *testing.T) {
	type scenario struct {
		Name, Summary string
		Faults        sandbox.Faults
	}
	got := ask[[]scenario](t, quietSandbox(t), http.MethodGet, "/lab/scenarios", "")
	var want []scenario
	for _, one := range sandbox.Scenarios() {
		want = append(want, scenario(one))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got) == 0 {
		t.Errorf("got %+v", got)
	}
}

func TestTheLabPlaysAScenario(t *testing.T) {
	made := quietSandbox(t)
	for _, scenario := range sandbox.Scenarios() {
		answer := ask[map[string]any](t, made, http.MethodPost, "/lab/scenario", fmt.Sprintf(`{"name": %q}`, scenario.Name))
		if made.Faults() != scenario.Faults || answer["name"] != scenario.Name || answer["summary"] != scenario.Summary {
			t.Errorf("%s sets %+v and answers %v", scenario.Name, made.Faults(), answer)
		}
	}
}

func TestTheLabSetsTheFaultsOfAllOrders(t *testing.T) {
	made := quietSandbox(t)
	if text := lab(made, http.MethodGet, "/lab/faults", "").Body.String(); text != `{"call":{},"event":{}}`+"\n" {
		t.Errorf("without faults: %s", text)
	}
	want := sandbox.Faults{
		Call:  sandbox.CallFaults{Slow: 90 * time.Second, EventFirst: payments.PaymentSuccess},
		Event: sandbox.EventFaults{AmountOff: -500, Copies: 2},
	}
	const body = `{"call": {"slow": "90s", "event_first": "payment.success"}, "event": {"amount_off": -500, "copies": 2}}`
	for _, method := range []string{http.MethodPut, http.MethodGet} {
		if got := ask[sandbox.Faults](t, made, method, "/lab/faults", body); got != want || made.Faults() != want {
			t.Errorf("%s: got %+v", method, got)
		}
	}
	if got := ask[sandbox.Faults](t, made, http.MethodPut, "/lab/faults", `{"event": {"drop": true}}`); got.Call != (sandbox.CallFaults{}) {
		t.Errorf("what is not named stays: %+v", got)
	}
	if got := ask[sandbox.Faults](t, made, http.MethodDelete, "/lab/faults", ""); got != (sandbox.Faults{}) || made.Faults() != got {
		t.Errorf("after the end: %+v", got)
	}
}

func TestTheLabSetsTheFaultsOfOneOrder(t *testing.T) {
	made := quietSandbox(t)
	_, order := localOrder(t, made, "one")
	_, other := localOrder(t, made, "other")
	made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Copies: 1}})
	path, want := "/lab/orders/"+order+"/faults", sandbox.EventFaults{Signature: sandbox.SignatureWrong}
	if got := ask[sandbox.EventFaults](t, made, http.MethodGet, path, ""); got.Copies != 1 {
		t.Errorf("an order without faults of its own has %+v", got)
	}
	if got := ask[sandbox.EventFaults](t, made, http.MethodPut, path, `{"signature": "wrong"}`); got != want {
		t.Errorf("got %+v", got)
	}
	orders := ask[[]labOrder](t, made, http.MethodGet, "/lab/orders", "")
	if orders[0].OrderReference != other || orders[0].Faults != nil || orders[1].Faults == nil || *orders[1].Faults != want {
		t.Errorf("the orders are %+v", orders)
	}
	if got := ask[sandbox.EventFaults](t, made, http.MethodPut, path, `{}`); got != (sandbox.EventFaults{}) {
		t.Errorf("an order can be spared the faults of all: %+v", got)
	}
	if got := ask[sandbox.EventFaults](t, made, http.MethodDelete, path, ""); got.Copies != 1 {
		t.Errorf("afterwards it has %+v", got)
	}
}

func TestTheLabActsAsTheCustomer(t *testing.T) {
	desk := newDesk(t, nil)
	for _, kind := range payments.EventKinds() {
		outcome := strings.TrimPrefix(string(kind), "payment.")
		t.Run("X1 "+outcome, func(t *testing.T) {
			made := desk.order(t)
			path := "/lab/orders/" + made.Data.OrderReference + "/act"
			got := ask[labOrder](t, desk.Sandbox, http.MethodPost, path, fmt.Sprintf(`{"outcome": %q}`, outcome))
			state, tries := outcome, 0
			if kind == payments.PaymentFailed {
				state, tries = "open", 1
			}
			link := strings.Replace(made.Data.CheckoutURL, desk.server.URL, "http://127.0.0.1", 1)
			if got.State != state || got.FailedTries != tries || got.OrderReference != made.Data.OrderReference ||
				got.Amount != 9000 || got.Currency != "Ar" || got.Description != "2 × Vary, Coca" || got.CheckoutURL != link ||
				!strings.HasPrefix(got.Reference, "T1-") || time.Until(got.ExpiresAt).Round(time.Minute) != 10*time.Minute {
				t.Errorf("got %+v", got)
			}
			event := desk.merchant.next(t)
			if event.event.Kind != kind || (event.event.Error.Text != "") != (kind != payments.PaymentSuccess) || !event.sound {
				t.Errorf("the merchant is sent %s", event.body)
			}
			desk.merchant.quiet(t)
			again := lab(desk.Sandbox, http.MethodPost, path, `{"outcome": "success"}`).Code
			if want := map[bool]int{true: http.StatusOK, false: http.StatusGone}[state == "open"]; again != want {
				t.Errorf("X2 paying afterwards gets %d", again)
			}
			if again == http.StatusOK {
				desk.merchant.next(t)
			}
		})
	}
}

func TestTheLabListsDeliveriesAndSendsThemAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, all := listen(t, func(try int) int { return map[bool]int{true: 404, false: 200}[try == 1] })
		made := paidDesk(t, transport)
		synctest.Wait()
		got := ask[[]labDelivery](t, made, http.MethodGet, "/lab/deliveries", "")
		if len(got) != 1 || got[0].ID != 1 || got[0].Event != "payment.success" || got[0].Stage != "waiting" ||
			got[0].NextTryAt == nil || !got[0].CreatedAt.Equal(time.Now()) || len(got[0].Tries) != 1 ||
			got[0].Tries[0].Status != http.StatusNotFound || got[0].Tries[0].Signature != "static" ||
			!strings.HasPrefix(got[0].Body, `{"event":"payment.success"`) {
			t.Fatalf("got %+v", got)
		}
		sent := ask[labDelivery](t, made, http.MethodPost, "/lab/deliveries/1/resend", "")
		if sent.ID != 1 || sent.OrderReference != got[0].OrderReference {
			t.Errorf("sent again: %+v", sent)
		}
		synctest.Wait()
		got = ask[[]labDelivery](t, made, http.MethodGet, "/lab/deliveries", "")
		if len(*all) != 2 || got[0].Stage != "delivered" || got[0].NextTryAt != nil || len(got[0].Tries) != 2 {
			t.Errorf("afterwards: %+v", got)
		}
	})
}

func TestListsOfTheLabAreOfTheNewestFirst(t *testing.T) {
	made := quietSandbox(t)
	var references []string
	for i := range 60 {
		_, reference := localOrder(t, made, fmt.Sprintf("T1-%d", i))
		references = append(references, reference)
		if err := made.Act(t.Context(), reference, payments.PaymentCanceled); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]int{"": 50, "?limit=1": 1, "?limit=60": 60, "?limit=1000": 60} {
		orders := ask[[]labOrder](t, made, http.MethodGet, "/lab/orders"+query, "")
		deliveries := ask[[]labDelivery](t, made, http.MethodGet, "/lab/deliveries"+query, "")
		if len(orders) != want || orders[0].OrderReference != references[59] ||
			orders[want-1].OrderReference != references[60-want] {
			t.Errorf("%q: %d orders", query, len(orders))
		}
		if len(deliveries) != want || deliveries[0].ID != 60 || deliveries[0].OrderReference != references[59] {
			t.Errorf("%q: %d deliveries", query, len(deliveries))
		}
	}
	for _, path := range []string{"/lab/orders", "/lab/deliveries"} {
		if text := lab(quietSandbox(t), http.MethodGet, path, "").Body.String(); text != "[]\n" {
			t.Errorf("%s of an empty sandbox: %s", path, text)
		}
	}
}

func TestTheLabRefuses(t *testing.T) {
	made := quietSandbox(t)
	_, order := localOrder(t, made, "T1")
	_, over := localOrder(t, made, "T2")
	_, tired := localOrder(t, made, "T3")
	if err := made.Act(t.Context(), over, payments.PaymentCanceled); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := made.Act(t.Context(), tired, payments.PaymentFailed); err != nil {
			t.Fatal(err)
		}
	}
	act, faults := "/lab/orders/"+order+"/act", "/lab/orders/"+order+"/faults"
	tests := []struct {
		name, method, path, body string
		want                     int
		says                     string
	}{
		{"an unknown path", "GET", "/lab/", "", 404, "no such path"},
		{"an unknown list", "GET", "/lab/secrets", "", 404, "no such path"},
		{"a path that ends with a slash", "GET", "/lab/orders/", "", 404, "no such path"},
		{"one order", "GET", "/lab/orders/" + order, "", 404, "no such path"},
		{"a path that is too long", "GET", faults + "/x", "", 404, "no such path"},
		{"a POST to the scenarios", "POST", "/lab/scenarios", "", 405, "GET, HEAD"},
		{"a GET that would play", "GET", "/lab/scenario", "", 405, "POST"},
		{"a POST to the faults", "POST", "/lab/faults", "{}", 405, "GET, HEAD, PUT, DELETE"},
		{"a PATCH of an order's faults", "PATCH", faults, "{}", 405, "GET, HEAD, PUT, DELETE"},
		{"a DELETE of the orders", "DELETE", "/lab/orders", "", 405, "GET, HEAD"},
		{"a PUT of the deliveries", "PUT", "/lab/deliveries", "[]", 405, "GET, HEAD"},
		{"X3 a GET that would act", "GET", act + "?outcome=success", "", 405, "POST"},
		{"X3 a GET that would send again", "GET", "/lab/deliveries/1/resend", "", 405, "POST"},
		{"no scenario", "POST", "/lab/scenario", `{}`, 400, "refuse, break"},
		{"an unknown scenario", "POST", "/lab/scenario", `{"name": "fire"}`, 400, `"fire" is none of none, refuse`},
		{"a scenario of another type", "POST", "/lab/scenario", `{"name": 1}`, 400, "name must be a string"},
		{"another field", "POST", "/lab/scenario", `{"scenario": "drop"}`, 400, "scenario is not known: there are name"},
		{"no JSON", "POST", "/lab/scenario", `name=drop`, 400, "body must be a JSON object"},
		{"no outcome", "POST", act, `{}`, 400, "outcome is missing"},
		{"an unknown outcome", "POST", act, `{"outcome": "paid"}`, 400, `outcome must be one of "success", "failed", "canceled", "expired"`},
		{"an order that does not exist", "POST", "/lab/orders/REF_1/act", `{"outcome": "success"}`, 404, "no such order"},
		{"a link that is over", "POST", "/lab/orders/" + over + "/act", `{"outcome": "success"}`, 410, "over"},
		{"too many tries", "POST", "/lab/orders/" + tired + "/act", `{"outcome": "failed"}`, 429, "too much"},
		{"faults of no order", "GET", "/lab/orders/REF_1/faults", "", 404, "no such order"},
		{"faults for no order", "PUT", "/lab/orders/REF_1/faults", "{}", 404, "no such order"},
		{"an end of faults of no order", "DELETE", "/lab/orders/REF_1/faults", "", 404, "no such order"},
		{"an unknown fault", "PUT", "/lab/faults", `{"event": {"dorp": true}}`, 400, "event.dorp is not known: there are drop, delay"},
		{"a call fault of one order", "PUT", faults, `{"break": true}`, 400, "break is not known"},
		{"a wrong value", "PUT", faults, `{"copies": 11}`, 400, "copies must be a whole number from 0 to 10"},
		{"a body of more than 64 KiB", "PUT", faults, `{"reason": "` + strings.Repeat("x", 64<<10) + `"}`, 400, "64 KiB"},
		{"a delivery that does not exist", "POST", "/lab/deliveries/1000/resend", "", 404, "no such delivery"},
		{"a delivery that is no number", "POST", "/lab/deliveries/x/resend", "", 404, "no such delivery"},
		{"a limit of nothing", "GET", "/lab/orders?limit=0", "", 400, "limit must be a whole number from 1 to 1000"},
		{"a limit beyond all", "GET", "/lab/deliveries?limit=1001", "", 400, "limit must be"},
		{"a limit that is no number", "GET", "/lab/orders?limit=", "", 400, "limit must be"},
	}
	before := made.Faults()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorder := lab(made, test.method, test.path, test.body)
			var answer struct{ Message string }
			if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil || recorder.Code != test.want ||
				!strings.Contains(answer.Message, test.says) {
				t.Errorf("got %d %s", recorder.Code, recorder.Body)
			}
			if test.want == http.StatusMethodNotAllowed && recorder.Header().Get("Allow") != test.says {
				t.Errorf("it allows %q", recorder.Header().Get("Allow"))
			}
		})
	}
	for _, shown := range ask[[]labOrder](t, made, http.MethodGet, "/lab/orders", "") {
		if made.Faults() != before || shown.Faults != nil || (shown.OrderReference == order && shown.State != "open") {
			t.Errorf("a refusal changed %+v", shown)
		}
	}
}

// labEndpoints returns a request to each endpoint that would be taken.
func labEndpoints(order string) [][3]string {
	return [][3]string{
		{http.MethodGet, "/lab/scenarios", ""},
		{http.MethodPost, "/lab/scenario", `{"name": "drop"}`},
		{http.MethodGet, "/lab/faults", ""},
		{http.MethodPut, "/lab/faults", `{"event": {"drop": true}}`},
		{http.MethodDelete, "/lab/faults", ""},
		{http.MethodGet, "/lab/orders", ""},
		{http.MethodGet, "/lab/orders/" + order + "/faults", ""},
		{http.MethodPut, "/lab/orders/" + order + "/faults", `{"drop": true}`},
		{http.MethodDelete, "/lab/orders/" + order + "/faults", ""},
		{http.MethodPost, "/lab/orders/" + order + "/act", `{"outcome": "failed"}`},
		{http.MethodGet, "/lab/deliveries", ""},
		{http.MethodPost, "/lab/deliveries/1/resend", ""},
	}
}

func TestTheLabServesItsOwnMachineAndNoOtherSite(t *testing.T) {
	made := quietSandbox(t)
	_, order := localOrder(t, made, "T1")
	if err := made.Act(t.Context(), order, payments.PaymentFailed); err != nil {
		t.Fatal(err)
	}
	for _, endpoint := range labEndpoints(order) {
		method, path, body := endpoint[0], endpoint[1], endpoint[2]
		t.Run(method+" "+path, func(t *testing.T) {
			unsafe := method != http.MethodGet
			for _, attack := range []struct {
				name, header, value string
				want                int
				refused             bool
			}{
				{"X3 from another site", "Sec-Fetch-Site", "cross-site", http.StatusForbidden, unsafe},
				{"X3 of another origin", "Origin", "http://evil.example", http.StatusForbidden, unsafe},
				{"X3 by another host name", "Host", "evil.example", http.StatusMisdirectedRequest, true},
			} {
				recorder := lab(made, method, path, body, attack.header, attack.value)
				if attack.refused && (recorder.Code != attack.want || !strings.HasPrefix(recorder.Body.String(), `{"message":`)) {
					t.Errorf("%s it answers %d %s", attack.name, recorder.Code, recorder.Body)
				}
				if recorder.Header().Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s it lets the answer be read", attack.name)
				}
			}
			foreign := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
			foreign.RemoteAddr = "192.168.1.20:5000"
			recorder := httptest.NewRecorder()
			if made.ServeHTTP(recorder, foreign); recorder.Code != http.StatusForbidden {
				t.Errorf("another machine gets %d", recorder.Code)
			}
			if made.Faults() != (sandbox.Faults{}) {
				t.Errorf("the faults are %+v", made.Faults())
			}
		})
	}
	for _, endpoint := range labEndpoints(order) {
		if recorder := lab(made, endpoint[0], endpoint[1], endpoint[2], "Sec-Fetch-Site", "same-origin"); recorder.Code != http.StatusOK {
			t.Errorf("its own page gets %d %s for %s", recorder.Code, recorder.Body, endpoint[1])
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

func TestTheLabHasItsPathsForItself(t *testing.T) {
	config := settings("")
	config.OrderPath = "/lab/faults"
	if _, err := sandbox.New(config); err == nil {
		t.Error("the order call may stand in the lab's place")
	}
}

func TestAChangeByTheLabIsSeen(t *testing.T) {
	made := quietSandbox(t)
	_, order := localOrder(t, made, "T1")
	woken := made.Watch(t.Context())
	for _, endpoint := range labEndpoints(order) {
		select {
		case <-woken:
		default:
		}
		lab(made, endpoint[0], endpoint[1], endpoint[2])
		select {
		case <-woken:
			if endpoint[0] == http.MethodGet {
				t.Errorf("%v changes something", endpoint)
			}
		default:
			if endpoint[0] != http.MethodGet {
				t.Errorf("%v is not seen", endpoint)
			}
		}
	}
}
