package sandbox_test

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// board returns the dashboard's HTML without entities.
func board(made *sandbox.Sandbox, query string) string {
	return html.UnescapeString(lab(made, http.MethodGet, "/"+query, "").Body.String())
}

// holds checks that a page has all wanted texts and no unwanted one.
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
	transport, merchant := listen(t, always(http.StatusNotFound))
	made := begin(t, transport)
	_, order := localOrder(t, made, "T1")
	act(t, made, order, payments.PaymentFailed)
	for range 2 {
		merchant.next(t) // When the second try arrives, the first is recorded.
	}
	page := lab(made, http.MethodGet, "/?delivery=1", "").Body.String()
	holds(t, page, []string{
		order, "Épicerie Soa", "9000 Ar", "payment.failed", "404 Not Found", "&lt;try&gt; 1",
		"Solde insuffisant", "signature: static", "failed tries: 1", `"outcome": "expired"`, `http-equiv="refresh"`,
	}, nil)
	if contains(dashboard(made), "&lt;try&gt;") {
		t.Error("replies are shown without ?delivery")
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
	post(made, "/lab/scenario", "json", `{"name": "duplicate"}`)
	holds(t, board(made, ""), []string{"<strong>duplicate</strong>", "{\n  \"call\": {},", `"copies": 2`}, []string{"<textarea"})
	form := []string{"<textarea", `<option value='{"name": "duplicate"}' selected`, `"copies": 2`}
	holds(t, board(made, "?edit=1"), form, []string{`http-equiv="refresh"`})
	if recorder := post(made, "/lab/faults", "json", `{"event": {"drop": true}}`); recorder.Code != http.StatusSeeOther ||
		recorder.Header().Get("Location") != "/" || made.Faults() != (sandbox.Faults{Event: sandbox.EventFaults{Drop: true}}) {
		t.Errorf("got %d, %+v", recorder.Code, made.Faults())
	}
	for _, nothing := range []string{"", `{"event": {"dorp": true}}`} {
		if recorder := post(made, "/lab/faults", "json", nothing); recorder.Code != http.StatusBadRequest || !contains(recorder, "message") {
			t.Errorf("%q gets %d %s", nothing, recorder.Code, recorder.Body)
		}
	}
}
