package sandbox_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// board returns what stands on the dashboard, as a browser reads it.
func board(made *sandbox.Sandbox, query string) string {
	return html.UnescapeString(lab(made, http.MethodGet, "/"+query, "").Body.String())
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
	tries := 0
	desk.merchant.setAnswer(func(w http.ResponseWriter, _ *http.Request) {
		tries++
		http.Error(w, fmt.Sprintf("Not <found> %d", tries), http.StatusNotFound)
	})
	act(t, desk.Sandbox, order.Data.OrderReference, payments.PaymentFailed)
	for range 2 {
		desk.merchant.next(t) // When the second comes, the first is noted.
	}
	_, page := desk.get(t, desk.server.URL+"/?delivery=1")
	holds(t, page, []string{
		order.Data.OrderReference, "Épicerie Soa", "9000 Ar", "payment.failed", "404 Not Found", "Not &lt;found&gt; 1",
		"Solde insuffisant", "signature: static", "failed tries: 1", `value="expired"`, `http-equiv="refresh"`,
	}, nil)
	if _, page := desk.get(t, desk.server.URL+"/"); strings.Contains(page, "Not &lt;found&gt;") {
		t.Error("replies stand there unasked")
	}
}

func TestUnknownFieldsOfAnOrderAreShown(t *testing.T) {
	made := quietSandbox(t)
	body := strings.Replace(orderBody("a"), `"currency"`, `"callback": "https://x", "currency"`, 1)
	body = strings.Replace(body, `"quantity": 1`, `"quantity": 1, "<sku>": 7`, 1)
	if recorder := local(made, http.MethodPost, "/api/payement/service", body); recorder.Code != http.StatusOK {
		t.Fatalf("got %d %s", recorder.Code, recorder.Body)
	}
	holds(t, lab(made, http.MethodGet, "/", "").Body.String(), []string{"<code>callback</code>", "<code>metadata[1].&lt;sku&gt;</code>"}, nil)
}

func TestTheDashboardSetsFaults(t *testing.T) {
	made := quietSandbox(t)
	post(made, "/dashboard/scenario", "name", "duplicate")
	holds(t, board(made, ""), []string{"<strong>duplicate</strong>", "{\n  \"call\": {},", `"copies": 2`}, []string{"<textarea"})
	form := []string{"<textarea", `<option value="duplicate" selected`, `"copies": 2`}
	holds(t, board(made, "?edit=1"), form, []string{`http-equiv="refresh"`})
	if recorder := post(made, "/dashboard/faults", "faults", `{"event": {"drop": true}}`); recorder.Code != http.StatusSeeOther ||
		made.Faults() != (sandbox.Faults{Event: sandbox.EventFaults{Drop: true}}) {
		t.Errorf("got %d, %+v", recorder.Code, made.Faults())
	}
}

func TestWhatTheDashboardCannotDoItExplains(t *testing.T) {
	made := quietSandbox(t)
	_, reference := localOrder(t, made, "T1-20261121-0007")
	act(t, made, reference, payments.PaymentSuccess)
	tests := []struct {
		name, path string
		form       []string
		status     int
		want       string
	}{
		{"an order that is over", "act", []string{"order", reference, "outcome", "success"}, http.StatusGone, "the link is over"},
		{"an outcome that there is not", "act", []string{"order", reference, "outcome", "refund"}, http.StatusBadRequest, "not an action"},
		{"a delivery that is not there", "resend", []string{"delivery", "77"}, http.StatusNotFound, "no such delivery"},
		{"a scenario that is not there", "scenario", []string{"name", "rain"}, http.StatusBadRequest, `"rain" is not one of none, refuse`},
		{"an unknown fault", "faults", []string{"faults", `{"event": {"dorp": true}}`}, http.StatusBadRequest, "event.dorp is not known"},
		{"a path that there is not", "other", nil, http.StatusNotFound, "no such path"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorder := post(made, "/dashboard/"+test.path, test.form...)
			if recorder.Code != test.status || made.Faults() != (sandbox.Faults{}) {
				t.Errorf("got %d, %+v", recorder.Code, made.Faults())
			}
			holds(t, html.UnescapeString(recorder.Body.String()), []string{`role="alert"`, test.want}, nil)
		})
	}
}

func TestThePolicyOfTheDashboardAllowsItsOwnStyleAlone(t *testing.T) {
	recorder := dashboard(quietSandbox(t))
	policy := recorder.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "style-src 'sha256-", "form-action 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %q: %s", want, policy)
		}
	}
	holds(t, recorder.Body.String(), nil, []string{"<script", " style=", " onclick", "src=", "<link", "@import", "url("})
}
