package sandbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestEachOutcomeSendsItsEventWhoeverChoosesIt(t *testing.T) {
	desk := newDesk(t, nil)
	ways := map[string]func(path, order, outcome string) (status int){
		"by the button of the page": func(path, _, outcome string) int {
			recorder := local(desk.Sandbox, http.MethodPost, path, "outcome="+outcome)
			if location := recorder.Header().Get("Location"); location != path {
				t.Errorf("goes to %q", location)
			}
			return recorder.Code
		},
		"by the lab": func(_, order, outcome string) int {
			return lab(desk.Sandbox, http.MethodPost, "/lab/orders/"+order+"/act", fmt.Sprintf(`{"outcome": %q}`, outcome)).Code
		},
		"by the dashboard": func(_, order, outcome string) int {
			return post(desk.Sandbox, "/lab/orders/"+order+"/act", "json", fmt.Sprintf(`{"outcome": %q}`, outcome)).Code
		},
	}
	for way, choose := range ways {
		for _, kind := range payments.EventKinds() {
			outcome := strings.TrimPrefix(string(kind), "payment.")
			if outcome == "expired" && way == "by the button of the page" {
				continue // There is no such button.
			}
			t.Run("X1 "+outcome+" "+way, func(t *testing.T) {
				path, order := localOrder(t, desk.Sandbox, "T1-20261121-"+way+outcome)
				if status := choose(path, order, outcome); status != http.StatusOK && status != http.StatusSeeOther {
					t.Errorf("it answers %d", status)
				}
				got := desk.next(t)
				want := payments.Event{
					Kind: kind, OrderReference: order, Reference: got.event.Reference, Error: got.event.Error,
					Amount: payments.AmountValue(9000), Currency: payments.TextValue("Ar"),
					Description: payments.TextValue("2 × Vary, Coca"),
				}
				if !got.sound || got.event != want || !strings.HasPrefix(got.event.Reference.Text, "T1-20261121-") ||
					got.header.Get("Content-Type") != "application/json" {
					t.Errorf("got %s", got.body)
				}
				if (got.event.Error.Text != "") != (kind != payments.PaymentSuccess) {
					t.Errorf("the error is %+v", got.event.Error)
				}
				desk.quiet(t)
				state, tries := outcome, 0
				if kind == payments.PaymentFailed {
					state, tries = "open", 1
				}
				shown := ask[labOrder](t, desk.Sandbox, http.MethodGet, "/lab/orders/"+order, "")
				if string(shown.State) != state || shown.FailedTries != tries {
					t.Errorf("the lab shows %+v", shown)
				}
				if kind == payments.PaymentFailed {
					act(t, desk.Sandbox, order, payments.PaymentSuccess)
					desk.next(t)
				}
				for _, again := range []string{"success", "failed", "canceled"} {
					if page := local(desk.Sandbox, http.MethodPost, path, "outcome="+again); page.Code != http.StatusGone || contains(page, "<form") {
						t.Errorf("X2 %s gets %d %s when the link is over", again, page.Code, page.Body)
					}
				}
				mustFail(t, desk.Act(t.Context(), order, kind), sandbox.ErrLinkOver)
				desk.quiet(t)
			})
		}
	}
}

func TestTheCustomerIsSentToTheMerchantsPages(t *testing.T) {
	desk := newDesk(t, func(config *sandbox.Config) {
		config.SuccessURL = "https://shop.example.mg/thanks?from=till"
		config.CancelURL = "https://shop.example.mg/canceled"
		config.FailureURL = "https://other.example.mg/failed"
	})
	path, order := localOrder(t, desk.Sandbox, "T1-20261121-0007")
	for _, want := range []struct{ outcome, page string }{
		{"failed", "https://other.example.mg/failed?order_reference="},
		{"success", "https://shop.example.mg/thanks?from=till&order_reference="},
	} {
		recorder := local(desk.Sandbox, http.MethodPost, path, "outcome="+want.outcome)
		location := recorder.Header().Get("Location")
		page, err := url.Parse(location)
		if err != nil || recorder.Code != http.StatusSeeOther || !strings.HasPrefix(location, want.page) ||
			page.Query().Get("order_reference") != order ||
			!strings.HasPrefix(page.Query().Get("reference"), "T1-20261121-") {
			t.Errorf("%s: got %d to %q", want.outcome, recorder.Code, location)
		}
	}
}

func TestOnlyThePagesOwnPostActs(t *testing.T) {
	made := quietSandbox(t)
	path, _ := localOrder(t, made, "T1-20261121-0007")
	const pay, evil = "outcome=success", "http://evil.example"
	tests := []struct {
		name, method, target, body, header, value string
		want                                      int
	}{
		{"X3 a POST from another site", "POST", path, pay, "Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		{"X3 a POST of another origin", "POST", path, pay, "Origin", evil, http.StatusForbidden},
		{"X3 a GET with an outcome", "GET", path + "?outcome=success", "", "Accept", "*/*", http.StatusOK},
		{"a HEAD", "HEAD", path, "", "Accept", "*/*", http.StatusOK},
		{"a PUT", "PUT", path, "", "Accept", "*/*", http.StatusMethodNotAllowed},
		{"X3 a POST to another host name", "POST", evil + path, pay, "Accept", "*/*", http.StatusMisdirectedRequest},
		{"X3 a GET of another host name", "GET", evil + path, "", "Accept", "*/*", http.StatusMisdirectedRequest},
		{"an address that is not this machine's", "POST", "http://192.0.2.7" + path, pay, "Accept", "*/*", http.StatusMisdirectedRequest},
		{"another link", "POST", path + "A", pay, "Accept", "*/*", http.StatusNotFound},
		{"an outcome that is not in a form", "POST", path, pay, "Content-Type", "text/plain", http.StatusBadRequest},
		{"expired, which is no button", "POST", path, "outcome=expired", "Accept", "*/*", http.StatusBadRequest},
		{"no outcome", "POST", path, "outcome=", "Accept", "*/*", http.StatusBadRequest},
		{"the event's name", "POST", path, "outcome=payment.success", "Accept", "*/*", http.StatusBadRequest},
		{"a POST of its own", "POST", "http://localhost:80" + path, pay, "Origin", "http://localhost:80", http.StatusSeeOther},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorder := local(made, test.method, test.target, test.body, test.header, test.value)
			if recorder.Code != test.want {
				t.Errorf("got %d, want %d: %s", recorder.Code, test.want, recorder.Body)
			}
		})
	}
}

func TestThePagesLoadNothing(t *testing.T) {
	config := settings("")
	config.CancelURL, config.FailureURL = "https://shop.example.mg/canceled", "https://other.example.mg/failed"
	made := newSandbox(t, config)
	path, _ := localOrder(t, made, "T1")
	for target, form := range map[string]string{path: "form-action 'self' https://shop.example.mg https://other.example.mg", "/": "form-action 'self'"} {
		response := lab(made, http.MethodGet, target, "")
		policy := response.Header().Get("Content-Security-Policy")
		holds(t, policy, []string{"default-src 'none'", "style-src 'sha256-", form, "frame-ancestors 'none'"}, nil)
		holds(t, response.Body.String(), []string{`http-equiv="refresh"`}, []string{
			"<script", " onclick", "src=", "url(", "@import", "<link", " style=",
		})
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
			"Content-Type": "text/html; charset=utf-8",
		} {
			if got := response.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", target, name, got)
			}
		}
	}
}

func TestHostileTextsAreShownAsText(t *testing.T) {
	config := settings("")
	config.Shop = `<b>Soa</b>`
	made := newSandbox(t, config)
	hostile := `<script>alert(1)</script>{{.Shop}}\u001b[31m\u202e'\"`
	body := strings.Replace(orderBody("T1-<i>"), "2 × Vary, Coca", hostile, 1)
	body = strings.Replace(body, `"Coca"`, `"`+hostile+`"`, 1)
	recorder := local(made, http.MethodPost, "/api/payement/service", body)
	if recorder.Code != http.StatusOK {
		t.Fatal(recorder.Body)
	}
	_, rest, _ := strings.Cut(recorder.Body.String(), "/c/")
	path, _, _ := strings.Cut(rest, `"`)
	for name, target := range map[string]string{"X5 on the page": "/c/" + path, "X5 on the dashboard": "/"} {
		t.Run(name, func(t *testing.T) {
			page := lab(made, http.MethodGet, target, "").Body.String()
			holds(t, page, []string{"&lt;script&gt;alert(1)&lt;/script&gt;{{.Shop}}", "&lt;b&gt;Soa"},
				[]string{"<script>alert", "<b>", "<i>", "\x1b", "\u202e"})
		})
	}
}
