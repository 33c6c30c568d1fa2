package sandbox_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"checkout/till/payments/sandbox"
)

func TestTheDashboardShowsOrdersAndDeliveries(t *testing.T) {
	desk := newDesk(t, nil)
	order := desk.order(t)
	desk.merchant.setAnswer(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Not <found>", http.StatusNotFound)
	})
	desk.press(t, order.Data.CheckoutURL, "failed")
	desk.merchant.next(t)
	desk.merchant.next(t) // The second try: the first one is noted.
	response, page := desk.get(t, desk.server.URL+"/")
	if response.StatusCode != http.StatusOK {
		t.Fatal(response.StatusCode)
	}
	for _, want := range []string{
		order.Data.OrderReference, order.Data.CheckoutURL, "Épicerie Soa", "9\u00a0000\u00a0Ar", "payment.failed",
		"404 Not Found", "Not &lt;found&gt;", "Solde insuffisant", "x-svc-signature: (not shown)", "signature: static",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the dashboard lacks %q:\n%s", want, page)
		}
	}
}

func TestTheDashboardIsForItsOwnMachineOnly(t *testing.T) {
	made, err := sandbox.New(settings(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []*http.Request{
		httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil),
		httptest.NewRequest(http.MethodPost, "http://127.0.0.1/dashboard/resend", nil),
	} {
		request.RemoteAddr = "192.168.1.20:5000"
		recorder := httptest.NewRecorder()
		if made.ServeHTTP(recorder, request); recorder.Code != http.StatusForbidden {
			t.Errorf("%s %s answers %d", request.Method, request.URL.Path, recorder.Code)
		}
	}
}

func TestTheDashboardActsByPostOnly(t *testing.T) {
	desk := newDesk(t, nil)
	if response, _ := desk.get(t, desk.server.URL+"/dashboard/resend?delivery=1"); response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a GET to send again answers %d", response.StatusCode)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, desk.server.URL+"/dashboard/resend", strings.NewReader("delivery=1"))
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
		t.Errorf("X3 a POST from another site answers %d", response.StatusCode)
	}
}

func TestAnEmptyDashboardSaysSo(t *testing.T) {
	made, err := sandbox.New(settings(""))
	if err != nil {
		t.Fatal(err)
	}
	if page := dashboard(made); !contains(page, "No order yet.") || !contains(page, "10m") {
		t.Errorf("got %s", page.Body)
	}
}
