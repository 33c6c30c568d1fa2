package sandbox_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestEachButtonSendsItsEvent(t *testing.T) {
	tests := []struct {
		name, outcome string
		kind          payments.EventKind
		reason        bool
	}{
		{"X1 pay", "success", payments.PaymentSuccess, false},
		{"X1 a refused payment", "failed", payments.PaymentFailed, true},
		{"X1 cancel", "canceled", payments.PaymentCanceled, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			desk := newDesk(t, nil)
			order := desk.order(t)
			status, location, _ := desk.press(t, order.Data.CheckoutURL, test.outcome)
			if status != http.StatusSeeOther || !strings.HasSuffix(order.Data.CheckoutURL, location) {
				t.Errorf("got %d to %q", status, location)
			}
			got := desk.merchant.next(t)
			event := got.event
			if !got.sound || event.Kind != test.kind || event.OrderReference != order.Data.OrderReference ||
				!event.Amount.Is(9000) || event.Currency != payments.TextValue("Ar") ||
				event.Description != payments.TextValue("2 × Vary, Coca") ||
				!strings.HasPrefix(event.Reference.Text, "T1-20261121-") {
				t.Errorf("got %s", got.body)
			}
			if (event.Error.Kind == payments.Text && event.Error.Text != "") != test.reason {
				t.Errorf("the error is %+v", event.Error)
			}
			if got.header.Get("Content-Type") != "application/json" {
				t.Errorf("content type %q", got.header.Get("Content-Type"))
			}
			desk.merchant.quiet(t)
		})
	}
	t.Run("X1 expire", func(t *testing.T) {
		desk := newDesk(t, nil)
		order := desk.order(t)
		if err := desk.Act(t.Context(), order.Data.OrderReference, payments.PaymentExpired); err != nil {
			t.Fatal(err)
		}
		if got := desk.merchant.next(t); got.event.Kind != payments.PaymentExpired || got.event.Error.Text == "" {
			t.Errorf("got %s", got.body)
		}
	})
}

func TestAFailedTryLeavesTheLinkOpen(t *testing.T) {
	desk := newDesk(t, nil)
	link := desk.order(t).Data.CheckoutURL
	desk.press(t, link, "failed")
	if response, page := desk.get(t, link); response.StatusCode != http.StatusOK ||
		!strings.Contains(page, `role="alert"`) || !strings.Contains(page, "<form") {
		t.Errorf("got %d %s", response.StatusCode, page)
	}
	desk.press(t, link, "success")
	if got := desk.merchant.kinds(t, 2); got[0] != payments.PaymentFailed || got[1] != payments.PaymentSuccess {
		t.Errorf("got %v", got)
	}
}

func TestTriesOnOneLinkAreBounded(t *testing.T) {
	desk := newDesk(t, nil)
	order := desk.order(t)
	for range 50 {
		if err := desk.Act(t.Context(), order.Data.OrderReference, payments.PaymentFailed); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, page := desk.press(t, order.Data.CheckoutURL, "failed"); status != http.StatusTooManyRequests ||
		!strings.Contains(page, "Too many tries") {
		t.Errorf("got %d %s", status, page)
	}
	if status, _, _ := desk.press(t, order.Data.CheckoutURL, "success"); status != http.StatusSeeOther {
		t.Errorf("paying gets %d", status)
	}
}

func TestALinkThatIsOverTakesNothing(t *testing.T) {
	words := map[payments.EventKind]string{
		payments.PaymentSuccess: "Paid", payments.PaymentCanceled: "Canceled", payments.PaymentExpired: "Time is over",
	}
	for kind, word := range words {
		t.Run(string(kind), func(t *testing.T) {
			desk := newDesk(t, nil)
			order := desk.order(t)
			link, reference := order.Data.CheckoutURL, order.Data.OrderReference
			if err := desk.Act(t.Context(), reference, kind); err != nil {
				t.Fatal(err)
			}
			for _, outcome := range []string{"success", "failed", "canceled"} {
				if status, _, page := desk.press(t, link, outcome); status != http.StatusGone || !strings.Contains(page, word) {
					t.Errorf("%s gets %d %s", outcome, status, page)
				}
			}
			for _, again := range payments.EventKinds() {
				if err := desk.Act(t.Context(), reference, again); !errors.Is(err, sandbox.ErrLinkOver) {
					t.Errorf("%s gives %v", again, err)
				}
			}
			want := http.StatusOK
			if kind == payments.PaymentExpired {
				want = http.StatusGone
			}
			if response, page := desk.get(t, link); response.StatusCode != want || !strings.Contains(page, word) ||
				strings.Contains(page, "<form") {
				t.Errorf("a GET shows %d %s", response.StatusCode, page)
			}
			desk.merchant.next(t)
			desk.merchant.quiet(t)
		})
	}
}

func TestALinkIsPaidOnce(t *testing.T) {
	desk := newDesk(t, nil)
	link := desk.order(t).Data.CheckoutURL
	var taken atomic.Int32
	var pressing sync.WaitGroup
	for range 20 {
		pressing.Go(func() {
			response, err := desk.client.PostForm(link, url.Values{"outcome": {"success"}})
			if err != nil {
				t.Error(err)
				return
			}
			response.Body.Close()
			if response.StatusCode == http.StatusSeeOther {
				taken.Add(1)
			}
		})
	}
	pressing.Wait()
	desk.merchant.next(t)
	if desk.merchant.quiet(t); taken.Load() != 1 {
		t.Errorf("paid %d times", taken.Load())
	}
}

func TestTheCustomerIsSentToTheMerchantsPages(t *testing.T) {
	desk := newDesk(t, func(config *sandbox.Config) {
		config.SuccessURL = "https://shop.example.mg/thanks?from=till"
		config.CancelURL = "https://shop.example.mg/canceled"
		config.FailureURL = "https://other.example.mg/failed"
	})
	order := desk.order(t)
	link := order.Data.CheckoutURL
	for _, want := range []struct{ outcome, page string }{
		{"failed", "https://other.example.mg/failed?order_reference="},
		{"success", "https://shop.example.mg/thanks?from=till&order_reference="},
	} {
		status, location, _ := desk.press(t, link, want.outcome)
		page, err := url.Parse(location)
		if err != nil || status != http.StatusSeeOther || !strings.HasPrefix(location, want.page) ||
			page.Query().Get("order_reference") != order.Data.OrderReference ||
			!strings.HasPrefix(page.Query().Get("reference"), "T1-20261121-") {
			t.Errorf("%s: got %d to %q", want.outcome, status, location)
		}
	}
	response, _ := desk.get(t, link)
	policy := response.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "form-action 'self' https://shop.example.mg", "https://other.example.mg"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %q: %s", want, policy)
		}
	}
}

func TestOnlyThePagesOwnPostActs(t *testing.T) {
	post := func(target string, headers ...string) *http.Request {
		request := httptest.NewRequest(http.MethodPost, target, strings.NewReader("outcome=success"))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		return request
	}
	made, err := sandbox.New(settings(""))
	if err != nil {
		t.Fatal(err)
	}
	path, _ := localOrder(t, made, "T1-20261121-0007")
	tests := []struct {
		name    string
		request *http.Request
		want    int
	}{
		{"X3 a POST from another site", post("http://127.0.0.1"+path, "Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		{"X3 a POST of another origin", post("http://127.0.0.1"+path, "Origin", "http://evil.example"), http.StatusForbidden},
		{"X3 a GET with an outcome", httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path+"?outcome=success", nil), http.StatusOK},
		{"a HEAD", httptest.NewRequest(http.MethodHead, "http://127.0.0.1"+path, nil), http.StatusOK},
		{"a PUT", httptest.NewRequest(http.MethodPut, "http://127.0.0.1"+path, nil), http.StatusMethodNotAllowed},
		{"X3 a POST to another host name", post("http://evil.example" + path), http.StatusMisdirectedRequest},
		{"X3 a GET of another host name", httptest.NewRequest(http.MethodGet, "http://evil"+path, nil), http.StatusMisdirectedRequest},
		{"an address that is not this machine's", post("http://192.0.2.7" + path), http.StatusMisdirectedRequest},
		{"another link", post("http://127.0.0.1" + path + "A"), http.StatusNotFound},
		{"an outcome that does not exist", post("http://127.0.0.1"+path, "Content-Type", "text/plain"), http.StatusBadRequest},
		{"a POST of its own", post("http://localhost:80"+path, "Origin", "http://localhost:80"), http.StatusSeeOther},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorder := httptest.NewRecorder()
			handlerOf(made).ServeHTTP(recorder, test.request)
			if recorder.Code != test.want {
				t.Errorf("got %d, want %d: %s", recorder.Code, test.want, recorder.Body)
			}
		})
	}
}

func TestExpiredIsNoButton(t *testing.T) {
	desk := newDesk(t, nil)
	link := desk.order(t).Data.CheckoutURL
	for _, outcome := range []string{"expired", "", "pay", "payment.success"} {
		if status, _, page := desk.press(t, link, outcome); status != http.StatusBadRequest || !strings.Contains(page, "Nothing was chosen") {
			t.Errorf("%q gets %d %s", outcome, status, page)
		}
	}
}

func TestThePublicAddressIsAName(t *testing.T) {
	desk := newDesk(t, func(config *sandbox.Config) { config.PublicURL = "https://pay.example.mg/" })
	link := desk.order(t).Data.CheckoutURL
	path, found := strings.CutPrefix(link, "https://pay.example.mg/c/")
	if !found {
		t.Fatalf("link %q", link)
	}
	if response, _ := desk.get(t, desk.server.URL+"/c/"+path, "Host", "PAY.example.mg"); response.StatusCode != http.StatusOK {
		t.Errorf("got %d", response.StatusCode)
	}
	if response, _ := desk.get(t, desk.server.URL+"/c/"+path, "Host", "example.mg"); response.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("got %d", response.StatusCode)
	}
}

func TestThePageSpeaksTheCustomersLanguage(t *testing.T) {
	desk := newDesk(t, nil)
	link := desk.order(t).Data.CheckoutURL
	tests := []struct{ name, query, accept, language, text string }{
		{"none asked for", "", "", "en", "Pay by mobile money"},
		{"French", "", "fr-FR,fr;q=0.9,en;q=0.8", "fr", "Payer par mobile money"},
		{"Malagasy", "", "mg", "mg", "Handoa amin&#39;ny mobile money"},
		{"the heavier one", "", "en;q=0.2, mg;q=0.7", "mg", "Handoa"},
		{"one that is not spoken first", "", "de, fr;q=0.5", "fr", "Payer"},
		{"the switch", "?lang=mg", "fr", "mg", "Handoa"},
		{"a switch to nowhere", "?lang=de", "fr", "fr", "Payer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			response, page := desk.get(t, link+test.query, "Accept-Language", test.accept)
			if response.Header.Get("Content-Language") != test.language ||
				!strings.Contains(page, `<html lang="`+test.language+`">`) || !strings.Contains(page, test.text) {
				t.Errorf("got %s: %s", response.Header.Get("Content-Language"), page)
			}
		})
	}
	t.Run("the switch holds after a button", func(t *testing.T) {
		if _, location, _ := desk.press(t, link+"?lang=mg", "failed"); !strings.HasSuffix(location, "?lang=mg") {
			t.Errorf("goes to %q", location)
		}
	})
}

func TestThePageLoadsNothing(t *testing.T) {
	desk := newDesk(t, nil)
	response, page := desk.get(t, desk.order(t).Data.CheckoutURL)
	for _, forbidden := range []string{"<script ", " onclick", "src=", "url(", "@import", "<link", " style=", "http://", "https://"} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page holds %q", forbidden)
		}
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
		"Content-Type": "text/html; charset=utf-8",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if !strings.Contains(page, `http-equiv="refresh"`) {
		t.Error("an open page does not ask again when its time is over")
	}
}

func TestHostileTextsAreShownAsText(t *testing.T) {
	config := settings("")
	config.Shop = `<b>Soa</b>`
	made, err := sandbox.New(config)
	if err != nil {
		t.Fatal(err)
	}
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
			request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+target, nil)
			request.RemoteAddr = "127.0.0.1:5000"
			recorder := httptest.NewRecorder()
			handlerOf(made).ServeHTTP(recorder, request)
			page := recorder.Body.String()
			if !strings.Contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;{{.Shop}}") ||
				!strings.Contains(page, "&lt;b&gt;Soa") {
				t.Errorf("the text is not shown: %s", page)
			}
			for _, forbidden := range []string{"<script>alert", "<b>", "<i>", "\x1b", "\u202e"} {
				if strings.Contains(page, forbidden) {
					t.Errorf("the page holds %q", forbidden)
				}
			}
		})
	}
}
