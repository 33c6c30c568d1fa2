package sandbox_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

// send sends a form of the dashboard from this machine.
func send(made *sandbox.Sandbox, target string, form url.Values) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+target, strings.NewReader(form.Encode()))
	request.RemoteAddr = "127.0.0.1:5000"
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	recorder := httptest.NewRecorder()
	made.ServeHTTP(recorder, request)
	return recorder
}

// board returns what stands on the dashboard, as a browser reads it.
func board(t *testing.T, made *sandbox.Sandbox, filter string) string {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/?"+url.Values{"order": {filter}}.Encode(), nil)
	request.RemoteAddr = "127.0.0.1:5000"
	recorder := httptest.NewRecorder()
	made.ServeHTTP(recorder, request)
	if recorder.Code != http.StatusOK {
		t.Fatalf("%d %s", recorder.Code, recorder.Body)
	}
	return html.UnescapeString(recorder.Body.String())
}

// holds checks that a page has some texts and lacks others.
func holds(t *testing.T, page string, wanted, unwanted []string) {
	t.Helper()
	for _, text := range wanted {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q:\n%s", text, page)
		}
	}
	for _, text := range unwanted {
		if strings.Contains(page, text) {
			t.Errorf("the page holds %q", text)
		}
	}
}

func TestTheDashboardShowsOrdersAndDeliveries(t *testing.T) {
	desk := newDesk(t, nil)
	order := desk.order(t)
	var tries int
	desk.merchant.setAnswer(func(w http.ResponseWriter, _ *http.Request) {
		tries++
		http.Error(w, fmt.Sprintf("Not <found> %d", tries), http.StatusNotFound)
	})
	if err := desk.Act(t.Context(), order.Data.OrderReference, payments.PaymentFailed); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		desk.merchant.next(t) // When the third comes, two are noted.
	}
	response, page := desk.get(t, desk.server.URL+"/")
	if response.StatusCode != http.StatusOK {
		t.Fatal(response.StatusCode)
	}
	holds(t, page, []string{
		order.Data.OrderReference, order.Data.CheckoutURL, "Épicerie Soa", "9\u00a0000\u00a0Ar", "payment.failed",
		"404 Not Found", "Not &lt;found&gt; 1", "Not &lt;found&gt; 2", "Solde insuffisant", "x-svc-signature: (not shown)",
		"signature: static", "failed tries: 1", `value="expired"`,
	}, nil)
}

func TestTheDashboardShowsEveryOrderCall(t *testing.T) {
	made := quietSandbox(t)
	_, reference := localOrder(t, made, "a")
	local(made, http.MethodPost, "/api/payement/service", `{"description": "Vary"}`)
	local(made, http.MethodGet, "/api/payement/service", "")
	made.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{Reply: sandbox.ReplyEmpty}})
	local(made, http.MethodPost, "/api/payement/service", orderBody("b"))
	made.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{Cut: true}})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the connection is not cut")
			}
		}()
		local(made, http.MethodPost, "/api/payement/service", orderBody("c"))
	}()
	_, calls, _ := strings.Cut(board(t, made, ""), `id="calls"`)
	calls, _, _ = strings.Cut(calls, "</section>")
	var at int
	for _, want := range []string{ // The newest first.
		"no answer: the connection was cut", "200 OK", "405 Method Not Allowed",
		`400 Bad Request`, `{"message":"access is missing"}`, `href="/?order=` + reference + `">` + reference,
	} {
		found := strings.Index(calls[at:], want)
		if found < 0 {
			t.Fatalf("%q is missing in %s", want, calls[at:])
		}
		at += found
	}
	for i := range 30 {
		local(made, http.MethodPost, "/api/payement/service", fmt.Sprintf(`{"x": %d}`, i))
	}
	if got := strings.Count(board(t, made, ""), "400 Bad Request"); got != 20 {
		t.Errorf("%d order calls are shown", got)
	}
}

func TestTheDashboardIsForItsOwnMachineOnly(t *testing.T) {
	made := quietSandbox(t)
	for _, target := range []string{
		"GET /", "GET /dashboard/live", "POST /dashboard/act", "POST /dashboard/resend", "POST /dashboard/scenario",
		"POST /dashboard/faults", "POST /dashboard/clear",
	} {
		method, path, _ := strings.Cut(target, " ")
		request := httptest.NewRequest(method, "http://127.0.0.1"+path, nil)
		request.RemoteAddr = "192.168.1.20:5000"
		recorder := httptest.NewRecorder()
		if made.ServeHTTP(recorder, request); recorder.Code != http.StatusForbidden {
			t.Errorf("%s answers %d", target, recorder.Code)
		}
	}
}

func TestTheDashboardActsByPostOnly(t *testing.T) {
	desk := newDesk(t, nil)
	for _, path := range []string{"act", "resend", "scenario", "faults", "clear"} {
		target := desk.server.URL + "/dashboard/" + path
		if response, _ := desk.get(t, target+"?delivery=1"); response.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("a GET of %s answers %d", path, response.StatusCode)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader("delivery=1"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Sec-Fetch-Site", "cross-site")
		response, err := desk.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusForbidden {
			t.Errorf("X3 a POST of %s from another site answers %d", path, response.StatusCode)
		}
	}
	if response, _ := desk.get(t, desk.server.URL+"/dashboard/other"); response.StatusCode != http.StatusNotFound {
		t.Errorf("a path that there is not answers %d", response.StatusCode)
	}
}

func TestAnEmptyDashboardSaysWhatToDoNext(t *testing.T) {
	tests := []struct{ name, webhook, want string }{
		{"events go somewhere", "http://127.0.0.1:8788/webhook", "they come to <code>http://127.0.0.1:8788/webhook</code>"},
		{"events go nowhere", "", "--webhook-url http://127.0.0.1:PORT/PATH"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := sandbox.New(settings(test.webhook))
			if err != nil {
				t.Fatal(err)
			}
			holds(t, board(t, made, ""), []string{
				"No order yet.", "http://127.0.0.1/api/payement/service", "TILL_ACCESS_TOKEN", "10m", test.want,
				"None yet: an event is sent when", "Every call stands here with its answer",
			}, nil)
		})
	}
}

func TestTheDashboardActsAsTheCustomer(t *testing.T) {
	tests := []struct {
		name, outcome string
		status        int
		want          string
	}{
		{"pays", "success", http.StatusSeeOther, `<span class="tag success">success`},
		{"fails to pay", "failed", http.StatusSeeOther, "failed tries: 1"},
		{"cancels", "canceled", http.StatusSeeOther, `<span class="tag canceled">canceled`},
		{"lets the link expire", "expired", http.StatusSeeOther, `<span class="tag expired">expired`},
		{"does what nobody can", "refund", http.StatusBadRequest, sandbox.ErrNoSuchAction.Error()},
		{"does nothing", "", http.StatusBadRequest, sandbox.ErrNoSuchAction.Error()},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made := quietSandbox(t)
			_, reference := localOrder(t, made, "T1-20261121-0007")
			recorder := send(made, "/dashboard/act?order=T1-2026", url.Values{"order": {reference}, "outcome": {test.outcome}})
			if recorder.Code != test.status {
				t.Fatalf("got %d %s", recorder.Code, recorder.Body)
			}
			if test.status != http.StatusSeeOther {
				holds(t, recorder.Body.String(), []string{`role="alert"`, test.want, `<a href="/?order=T1-2026">Back</a>`}, nil)
				return
			}
			if got := recorder.Header().Get("Location"); got != "/?order=T1-2026#order-"+reference {
				t.Errorf("it leads to %s", got)
			}
			holds(t, board(t, made, ""), []string{test.want}, nil)
		})
	}
}

func TestWhatTheDashboardCannotDoItExplains(t *testing.T) {
	made := quietSandbox(t)
	_, reference := localOrder(t, made, "T1-20261121-0007")
	if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path string
		form       url.Values
		status     int
		want       string
	}{
		{"an order that is over", "act", url.Values{"order": {reference}, "outcome": {"success"}}, http.StatusGone, "the link is over"},
		{"an order that is not there", "act", url.Values{"order": {"REF_1"}, "outcome": {"success"}}, http.StatusNotFound, "no such order"},
		{"a delivery that is not there", "resend", url.Values{"delivery": {"77"}}, http.StatusNotFound, "no such delivery"},
		{"a delivery that is no number", "resend", url.Values{"delivery": {"one"}}, http.StatusNotFound, "no such delivery"},
		{"a scenario that is not there", "scenario", url.Values{"name": {"rain"}}, http.StatusBadRequest, `"rain" is none of none, refuse`},
		{"faults of an order that is not there", "faults", url.Values{"of": {"REF_1"}}, http.StatusNotFound, "no such order"},
		{"the end of the faults of an order that is not there", "clear", url.Values{"of": {"REF_1"}}, http.StatusNotFound, "no such order"},
		{"too many copies", "faults", url.Values{"event.copies": {"11"}}, http.StatusBadRequest, "event.copies must be a whole number from 0 to 10"},
		{"copies that are no number", "faults", url.Values{"event.copies": {"two"}}, http.StatusBadRequest, "event.copies must be a whole number"},
		{"a length of time without a unit", "faults", url.Values{"call.slow": {"30"}}, http.StatusBadRequest, "call.slow must be a length of time"},
		{"a choice that there is not", "faults", url.Values{"call.reply": {"poem"}}, http.StatusBadRequest, "call.reply must be one of"},
		{"a fault of one order", "faults", url.Values{"of": {reference}, "event.slow": {"x"}}, http.StatusBadRequest, "event.slow must be"},
		{"an escape that is none", "faults", url.Values{"event.reason": {`\u00`}}, http.StatusBadRequest, ""},
		{"a form that is too long", "faults", url.Values{"event.reason": {strings.Repeat("x", 70<<10)}}, http.StatusBadRequest, "did not arrive whole"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorder := send(made, "/dashboard/"+test.path, test.form)
			if test.want == "" { // It is taken as it was typed.
				if got := made.Faults().Event.Reason; recorder.Code != http.StatusSeeOther || got != `\u00` {
					t.Errorf("got %d and %q", recorder.Code, got)
				}
				made.SetFaults(sandbox.Faults{})
				return
			}
			if recorder.Code != test.status {
				t.Errorf("got %d", recorder.Code)
			}
			holds(t, html.UnescapeString(recorder.Body.String()), []string{`role="alert"`, test.want}, nil)
			if made.Faults() != (sandbox.Faults{}) {
				t.Errorf("it sets %+v", made.Faults())
			}
		})
	}
}

func TestTheDashboardChoosesOrders(t *testing.T) {
	made := quietSandbox(t)
	_, rice := localOrder(t, made, "T1-20261121-0007")
	_, oil := localOrder(t, made, "T2-20261121-0008")
	for _, reference := range []string{rice, oil} {
		if err := made.Act(t.Context(), reference, payments.PaymentFailed); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name, filter string
		rice, oil    bool
		want         string
	}{
		{"all", "", true, true, "Orders <span class=\"count\">2"},
		{"by the service's reference", rice, true, false, "for " + rice + " alone"},
		{"by a part of the merchant's, whatever the case", " t2-2026 ", false, true, "for " + oil + " alone"},
		{"by what several have", "20261121", true, true, `/dashboard/act?order=20261121`},
		{"by what none has", "T3", false, false, `No order's reference holds “T3”`},
		{"by what is hostile", `"><script>alert(1)</script>`, false, false, "<a href=\"/\">All 2 orders</a>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page := board(t, made, test.filter)
			for reference, want := range map[string]bool{rice: test.rice, oil: test.oil} {
				_, orders, _ := strings.Cut(page, `id="orders"`)
				orders, deliveries, _ := strings.Cut(orders, `id="deliveries"`)
				deliveries, _, _ = strings.Cut(deliveries, "</section>")
				if strings.Contains(orders, `id="order-`+reference) != want || strings.Contains(deliveries, reference) != want {
					t.Errorf("%s is shown: %v", reference, !want)
				}
			}
			holds(t, page, []string{test.want}, nil)
		})
	}
}

func TestTheDashboardShowsWhatTheCustomerDoes(t *testing.T) {
	tests := []struct{ name, number, after string }{
		{"pays", "034 12 345 67", `<span class="tag success">success`},
		{"has too little", "034 12 345 01", "The balance was too low."},
		{"refuses", "034 12 345 02", "The customer refused on the phone."},
		{"lets the phone ring", "034 12 345 03", "The phone said nothing."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				customer := newWalk(t, nil)
				masked := "034\u00a0••\u00a0•••\u00a0" + test.number[len(test.number)-2:]
				window := customer.give(test.number)
				holds(t, board(t, customer.made, ""), []string{"The customer gave the number " + masked + " and has to confirm."}, nil)
				customer.confirm(window)
				holds(t, board(t, customer.made, ""), []string{"The phone " + masked + " is being asked."}, nil)
				customer.watch(window, time.Minute)
				holds(t, board(t, customer.made, ""), []string{test.after}, []string{test.number, masked})
			})
		})
	}
}

func TestTheDashboardSaysWhatItLeavesOut(t *testing.T) {
	made := quietSandbox(t)
	var oldest, newest string
	for i := range 60 {
		if _, newest = localOrder(t, made, fmt.Sprintf("T1-%d", i)); i == 0 {
			oldest = newest
		}
		if err := made.Act(t.Context(), newest, payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, board(t, made, ""), []string{
		"order-" + newest, "the newest 50 of 60. Search", "the newest 50 of 60 that are kept",
	}, []string{oldest})
	holds(t, board(t, made, "t1-"), []string{"the newest 50 of 60. Search"}, []string{oldest})
	holds(t, board(t, made, oldest), []string{"order-" + oldest, "payment.success"}, []string{"order-" + newest, "the newest 50"})
}

func TestNoSecretStandsOnTheDashboard(t *testing.T) {
	desk := newDesk(t, nil)
	signature := gateway.Sign(gateway.Static, payments.NewSecret(secret), nil)
	desk.merchant.setAnswer(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "you sent %s", r.Header.Get(header)) // A merchant that says it back.
	})
	order := desk.order(t)
	desk.press(t, order.Data.CheckoutURL, "canceled")
	desk.merchant.next(t)
	desk.call(t, strings.Replace(orderBody("x"), `"Ar"`, `"MGA"`, 1))
	for _, filter := range []string{"", order.Data.OrderReference} {
		synced := board(t, desk.Sandbox, filter)
		holds(t, synced, []string{`"access": "'"$TILL_ACCESS_TOKEN"'"`}, []string{token, secret, signature})
	}
}

func TestThePolicyOfTheDashboardAllowsItsOwnStyleAndScriptAlone(t *testing.T) {
	config := settings("")
	config.SuccessURL = "https://shop.example.mg/thanks"
	made, err := sandbox.New(config)
	if err != nil {
		t.Fatal(err)
	}
	recorder := dashboard(made)
	within := func(tag string) string {
		_, rest, _ := strings.Cut(recorder.Body.String(), "<"+tag+">")
		text, _, _ := strings.Cut(rest, "</"+tag+">")
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src " + within("style") +
		"; form-action 'self'; script-src " + within("script") + "; connect-src 'self'"
	if got := recorder.Header().Get("Content-Security-Policy"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	page := recorder.Body.String()
	for _, forbidden := range []string{" style=", " onclick", "src=", "<link", "@import", "url(", "http-equiv"} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page holds %q", forbidden)
		}
	}
}

func TestTheDashboardTellsTheDayOfWhatIsNotOfToday(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := settings("")
		config.Lifetime = 24 * time.Hour
		made, err := sandbox.New(config)
		if err != nil {
			t.Fatal(err)
		}
		localOrder(t, made, "a")
		until := time.Now().Add(24 * time.Hour).Local()
		holds(t, board(t, made, ""), []string{until.Format("until 2 Jan 15:04:05"), "<dd>24h<"}, nil)
	})
}
