package sandbox_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// board returns the dashboard's HTML with decoded entities.
func board(made *sandbox.Sandbox, query string) string {
	return html.UnescapeString(lab(made, http.MethodGet, "/"+query, "").Body.String())
}

// holds checks that a page contains all wanted texts and no unwanted one.
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

func TestTheDashboardIsReadable(t *testing.T) {
	made, merchant := hear(t, first(1, 404), func(config *sandbox.Config) { config.Pauses = []time.Duration{0} })
	order := acted(t, made, "T1", payments.PaymentSuccess)
	merchant.next(t)
	merchant.next(t)
	made.Await(t.Context(), func() bool { return made.Deliveries()[0].Done() })
	_, other := localOrder(t, made, "Other")
	call(t, made, `{"reference": "T1",}`)
	page := board(made, "")
	if got := strings.Count(page, "404 Not Found"); got != 1 {
		t.Errorf("a try is shown %d times", got)
	}
	holds(t, page, []string{
		order, other, `<a href="/?search=">`, "it is not valid JSON at line 1, column", `{"reference": "T1",}</pre>`,
	}, []string{"No order"})
	for _, at := range regexp.MustCompile(`\d\d:\d\d:\d\d[ \w+-]*`).FindAllString(page, -1) {
		if zone := time.Now().Local().Format("MST"); !strings.Contains(at, " "+zone) {
			t.Errorf("the time %s has no zone %s", at, zone)
		}
	}
	if spans := regexp.MustCompile(`after \S+`).FindAllString(page, -1); len(spans) != 2 || strings.ContainsAny(strings.Join(spans, ""), ".µn") {
		t.Errorf("the tries took %q", spans)
	}
	holds(t, board(made, "?search=other"), []string{other, `value="other"`}, []string{order, "404 Not Found", `http-equiv="refresh"`})
	holds(t, board(made, "?search="+order), []string{"404 Not Found"}, []string{other})
	holds(t, board(made, "?search=nothing"), []string{"No order has this text."}, []string{order, other})
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
