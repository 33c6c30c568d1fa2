package sandbox_test

import (
	"bytes"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestTheCustomerIsSentToTheMerchantsPages(t *testing.T) {
	made, _ := hear(t, always(http.StatusOK), func(config *sandbox.Config) {
		config.SuccessURL = "https://shop.example.mg/thanks?from=till"
		config.CancelURL = "https://shop.example.mg/canceled"
		config.FailureURL = "https://other.example.mg/failed"
	})
	path, order := localOrder(t, made, "T1-20261121-GT-0007")
	for _, want := range []struct{ outcome, page string }{
		{"failed", "https://other.example.mg/failed?order_reference="},
		{"canceled", "https://shop.example.mg/canceled?order_reference="},
		{"success", "https://shop.example.mg/thanks?from=till&order_reference="},
	} {
		recorder := local(made, http.MethodPost, path, "outcome="+want.outcome)
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
	path, _ := localOrder(t, made, "T1-20261121-GT-0007")
	const pay, evil = "outcome=success", "http://evil.example"
	for _, test := range []struct {
		name, method, target, body, header, value string
		want                                      int
	}{
		{"a POST from another site", "POST", path, pay, "Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		{"a POST of another origin", "POST", path, pay, "Origin", evil, http.StatusForbidden},
		{"a GET with an outcome", "GET", path + "?outcome=success", "", "Accept", "*/*", http.StatusOK},
		{"a HEAD", "HEAD", path, "", "Accept", "*/*", http.StatusOK},
		{"a PUT", "PUT", path, "", "Accept", "*/*", http.StatusMethodNotAllowed},
		{"a POST to another host name", "POST", evil + path, pay, "Accept", "*/*", http.StatusMisdirectedRequest},
		{"another link", "POST", path + "A", pay, "Accept", "*/*", http.StatusNotFound},
		{"an outcome outside a form", "POST", path, pay, "Content-Type", "text/plain", http.StatusBadRequest},
		{"expired, which has no button", "POST", path, "outcome=expired", "Accept", "*/*", http.StatusBadRequest},
		{"no outcome", "POST", path, "outcome=", "Accept", "*/*", http.StatusBadRequest},
		{"an event kind as the outcome", "POST", path, "outcome=payment.success", "Accept", "*/*", http.StatusBadRequest},
		{"a POST from the page itself", "POST", "http://localhost:80" + path, pay, "Origin", "http://localhost:80", http.StatusSeeOther},
	} {
		t.Run(test.name, func(t *testing.T) {
			recorder := local(made, test.method, test.target, test.body, test.header, test.value)
			if recorder.Code != test.want {
				t.Errorf("got %d, want %d: %s", recorder.Code, test.want, recorder.Body)
			}
		})
	}
}

func TestThePagesLoadNoOtherResources(t *testing.T) {
	made := newSandbox(t, settings(""), func(config *sandbox.Config) {
		config.CancelURL, config.FailureURL = "https://shop.example.mg/canceled", "https://other.example.mg/failed"
	})
	path, _ := localOrder(t, made, "T1")
	for target, want := range map[string]struct {
		policy  string
		scripts int
	}{
		path: {"form-action 'self' https://shop.example.mg https://other.example.mg; script-src 'sha256-", 1},
		"/":  {"form-action 'self'", 0},
	} {
		response := lab(made, http.MethodGet, target, "")
		policy, page := response.Header().Get("Content-Security-Policy"), response.Body.String()
		holds(t, policy, []string{"default-src 'none'", "style-src 'sha256-", want.policy, "frame-ancestors 'none'"}, nil)
		holds(t, page, []string{`http-equiv="refresh"`}, []string{" onclick", "src=", "url(", "@import", "<link", " style="})
		if got := strings.Count(page, "<script"); got != want.scripts {
			t.Errorf("%s has %d scripts, want %d", target, got, want.scripts)
		}
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
	made := newSandbox(t, settings(""), func(config *sandbox.Config) { config.Shop = `<b>Soa</b>` })
	hostile := `<script>alert(1)</script>{{.Shop}}\u001b[31m\u202e'\"`
	body := strings.Replace(orderBody("T1-<i>"), "2 × Vary, Coca", hostile, 1)
	body = strings.Replace(body, `"Coca"`, `"`+hostile+`"`, 1)
	recorder := local(made, http.MethodPost, "/api/payement/service", body)
	if recorder.Code != http.StatusOK {
		t.Fatal(recorder.Body)
	}
	_, rest, _ := strings.Cut(recorder.Body.String(), "/c/")
	path, _, _ := strings.Cut(rest, `"`)
	for name, target := range map[string]string{"on the page": "/c/" + path, "on the dashboard": "/"} {
		t.Run(name, func(t *testing.T) {
			page := lab(made, http.MethodGet, target, "").Body.String()
			holds(t, page, []string{"&lt;script&gt;alert(1)&lt;/script&gt;{{.Shop}}", "&lt;b&gt;Soa"},
				[]string{"<script>alert", "<b>", "<i>", "\x1b", "\u202e"})
		})
	}
}

func TestThePhoneNumberIsNotShownOrLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		made, _ := hear(t, always(http.StatusOK), func(config *sandbox.Config) { config.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
		path, _ := localOrder(t, made, "T1")
		waiting := post(made, path, "step", "number", "number", "034 55 777 02").Header().Get("Location")
		shown := local(made, http.MethodGet, waiting, "").Body.String() + board(made, "")
		pass(time.Minute)
		shown += local(made, http.MethodGet, path, "").Body.String() +
			lab(made, http.MethodGet, "/lab/orders", "").Body.String() + log.String()
		for _, part := range []string{"55 777", "55777"} {
			if strings.Contains(shown, part) {
				t.Errorf("%q is shown: %s", part, shown)
			}
		}
	})
}

func TestPhoneNumbersAreReadInEveryUsualForm(t *testing.T) {
	for name, test := range map[string]struct {
		status  int
		numbers []string
	}{
		"accepted": {http.StatusSeeOther, []string{
			"034 12 345 67", "0341234567", "034.12.345.67", "034-12-345-67", "  034 12 345 67 ", "034\u00a012\u202f345\u00a067",
			"+261 34 12 345 67", "+261 (0)34 12 345 67", "00261 34 12 345 67", "261341234567", "34 12 345 67",
		}},
		"refused": {http.StatusUnprocessableEntity, []string{
			"", "   ", "034 12 345 6", "034 12 345 678", "020 22 345 67", "+33 6 12 34 56 78", "034 12 E45 67", "034+12 345 67",
			"٠٣٤١٢٣٤٥٦٧", "<script>0341234567",
		}},
	} {
		for _, number := range test.numbers {
			t.Run(name+": "+number, func(t *testing.T) {
				made := quietSandbox(t)
				path, _ := localOrder(t, made, "T1-20261121-GT-0007")
				answer := post(made, path, "step", "number", "number", number)
				if answer.Code != test.status || contains(answer, "<script>0") || contains(answer, `id="number-problem"`) != (name == "refused") {
					t.Errorf("got %d %s", answer.Code, answer.Body)
				}
				location := answer.Header().Get("Location")
				if location == "" {
					return
				}
				page := strings.ReplaceAll(local(made, http.MethodGet, location, "").Body.String(), location, "")
				if !strings.Contains(page, "034\u00a0••\u00a0•••\u00a067") || strings.Contains(page, "345") {
					t.Errorf("the page is %s", page)
				}
			})
		}
	}
}

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
