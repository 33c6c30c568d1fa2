package cli_test

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// merchant keeps what is posted to it, and answers as it is told.
type merchant struct {
	url    string
	status int

	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

func newMerchant(t *testing.T) *merchant {
	m := &merchant{status: http.StatusOK}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.requests, m.bodies = append(m.requests, r), append(m.bodies, string(body))
		w.WriteHeader(m.status)
	}))
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// received returns the header of the last event and its data.
func (m *merchant) received(t *testing.T) (header http.Header, event string, data map[string]any) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.bodies) == 0 {
		t.Fatal("nothing was posted")
	}
	var body struct {
		Event string         `json:"event"`
		Data  map[string]any `json:"data"`
	}
	decoder := json.NewDecoder(strings.NewReader(m.bodies[len(m.bodies)-1]))
	decoder.UseNumber()
	if err := decoder.Decode(&body); err != nil {
		t.Fatal(err)
	}
	return m.requests[len(m.requests)-1].Header, body.Event, body.Data
}

// withOrder is a desk with one order, REF_700001, of 9 000 Ar.
func withOrder(t *testing.T) *desk {
	t.Helper()
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	if code := desk.run(t.Context(), "order", "create", "--item", "Vary:3500:2", "--item", "Coca:2000", "--reference", "A-1"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, desk.err)
	}
	return desk
}

func TestATriggerSendsWhatItsOptionsSay(t *testing.T) {
	const static, body = gateway.Static, gateway.Body
	wrong, none := gateway.Scheme(strings.Repeat("0", 64)), gateway.Scheme("") // What the header holds, as it is.
	type differs map[string]any                                                // From the event of the order; nil is a field that is missing.
	tests := []struct {
		name, event string
		args        []string
		env         map[string]string
		differs     differs
		signature   gateway.Scheme
	}{
		{"a success as the order has it", "success", nil, nil, nil, static},
		{"a failure with the usual reason", "failed", nil, nil, differs{"error": "Solde insuffisant"}, static},
		{"a cancellation with a reason", "canceled", []string{"--error", "Changé d'avis"}, nil, differs{"error": "Changé d'avis"}, static},
		{"an expiry", "expired", nil, nil, differs{"error": "Temps de paiement dépassé"}, static},
		{"no money at all", "success", []string{"--amount", "0"}, nil, differs{"amount": json.Number("0")}, static},
		{"less than nothing", "success", []string{"--amount=-1"}, nil, differs{"amount": json.Number("-1")}, static},
		{"another currency", "success", []string{"--currency", "MGA"}, nil, differs{"currency": "MGA"}, static},
		{"a signature over the body", "success", []string{"--signature", "body"}, nil, nil, body},
		{"the scheme of the settings", "success", nil, map[string]string{"TILL_SIGNATURE_SCHEME": "body"}, nil, body},
		{"another scheme than the settings'", "success", []string{"--signature", "static"}, map[string]string{"TILL_SIGNATURE_SCHEME": "body"}, nil, static},
		{"the header of the settings", "success", nil, map[string]string{"TILL_SIGNATURE_HEADER": "X-Brand-Signature"}, nil, static},
		{"a wrong signature", "success", []string{"--signature", "wrong"}, nil, nil, wrong},
		{"no signature, without a secret", "success", []string{"--signature", "none"}, map[string]string{"TILL_WEBHOOK_SECRET": ""}, nil, none},
	}
	desk := withOrder(t)
	usual := maps.Clone(desk.env)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			merchant := newMerchant(t)
			desk.env = maps.Clone(usual)
			maps.Copy(desk.env, tt.env)
			args := append([]string{"trigger", "payment." + tt.event, "--order", "A-1", "--url", merchant.url + "/hook"}, tt.args...)
			if code := desk.run(t.Context(), args...); code != 0 {
				t.Fatalf("exit code %d\n%s", code, desk.err)
			}
			header, event, data := merchant.received(t)
			want := map[string]any{
				"order_reference": "REF_700001", "reference": "A-1", "amount": json.Number("9000"),
				"currency": "Ar", "description": "2 × Vary, Coca",
			}
			maps.Copy(want, tt.differs)
			if !maps.Equal(data, want) || event != "payment."+tt.event {
				t.Errorf("it posts %s %v, want %v", event, data, want)
			}
			signature := string(tt.signature)
			if tt.signature == static || tt.signature == body {
				signature = gateway.Sign(tt.signature, payments.NewSecret(secret), []byte(merchant.bodies[0]))
			}
			name := cmp.Or(tt.env["TILL_SIGNATURE_HEADER"], "X-Svc-Signature")
			if header.Get(name) != signature || header.Get("Content-Type") != "application/json" {
				t.Errorf("%s is %q, want %q", name, header.Get(name), signature)
			}
		})
	}
}

func TestATriggerGoesToThePublicAddressOfTheShop(t *testing.T) {
	desk, merchant := withOrder(t), newMerchant(t)
	desk.env["TILL_PUBLIC_URL"], desk.env["TILL_WEBHOOK_PATH"] = merchant.url, "/webhook/nobody-guesses"
	code := desk.run(t.Context(), "trigger", "payment.success", "--order", "A-1", "--json")
	if code != 0 || !strings.Contains(desk.out.String(), `"url":"`+merchant.url+`/webhook/nobody-guesses"`) {
		t.Fatalf("exit code %d\n%s%s", code, desk.out, desk.err)
	}
	if path := merchant.requests[0].URL.Path; path != "/webhook/nobody-guesses" {
		t.Errorf("it is posted to %s", path)
	}
}

func TestS6ATriggerForgesNoEventOfALiveShop(t *testing.T) {
	desk, merchant := withOrder(t), newMerchant(t)
	desk.env["TILL_BASE_URL"], desk.env["TILL_LISTEN"] = "https://pay.example.mg", strings.TrimPrefix(merchant.url, "http://")
	port := merchant.url[strings.LastIndex(merchant.url, ":"):]
	order, stranger := []string{"--order", "A-1"}, []string{"--order-reference", "REF_9", "--amount", "900"}
	for _, which := range [][]string{order, stranger} {
		for _, where := range [][]string{
			nil,
			{"--url", merchant.url + "/webhook"},
			{"--url", "http://localhost" + port + "/x"},
			{"--signature", "none"},
			{"--url", "http://0.0.0.0" + port},
			{"--url", "http://[::]" + port},
			{"--url", "http://[::ffff:127.0.0.1]" + port},
			{"--url", "http://[::1%25lo]" + port},
			{"--url", "http://127.0.0.1:0" + port[1:]},
		} {
			args := slices.Concat([]string{"trigger", "payment.success"}, which, where)
			desk.err = &buffer{}
			if code := desk.run(t.Context(), args...); code != 1 || !strings.Contains(desk.err.String(), "that nobody made") {
				t.Errorf("%v: exit code %d\n%s", args, code, desk.err)
			}
		}
	}
	// The dialer takes these digits for those of 127.0.0.1.
	if code := desk.run(t.Context(), "trigger", "payment.success", "--order", "A-1", "--url", "http://１２７.0.0.1"+port); code != 1 {
		t.Errorf("digits of another script: exit code %d", code)
	}
	desk.env["TILL_PUBLIC_URL"] = "https://shop.example.mg"
	for _, host := range []string{"SHOP.example.mg:443", "shop.example.mg."} {
		args := []string{"trigger", "payment.success", "--order", "A-1", "--url", "https://" + host + "/webhook"}
		desk.err = &buffer{}
		if code := desk.run(t.Context(), args...); code != 1 || !strings.Contains(desk.err.String(), "that nobody made") {
			t.Errorf("%s: exit code %d\n%s", host, code, desk.err)
		}
	}
	desk.env["TILL_BASE_URL"] = ""
	if code := desk.run(t.Context(), "trigger", "payment.success", "--order", "A-1"); code != 1 {
		t.Errorf("without base_url: exit code %d", code)
	}
	if len(merchant.bodies) != 0 {
		t.Fatalf("%d events were posted", len(merchant.bodies))
	}
	other := newMerchant(t)
	if code := desk.run(t.Context(), "trigger", "payment.success", "--order", "A-1", "--url", other.url); code != 0 || len(other.bodies) != 1 {
		t.Errorf("to another shop: exit code %d\n%s", code, desk.err)
	}
}

func TestATriggerForAnOrderOfNoDatabase(t *testing.T) {
	desk, merchant := newDesk(t), newMerchant(t)
	desk.env["TILL_BASE_URL"] = "http://127.0.0.1:8789"
	args := []string{"trigger", "payment.failed", "--order-reference", "REF_9", "--url", merchant.url}
	if code := desk.run(t.Context(), append(args, "--order", "A-1", "--amount", "900")...); code != 2 {
		t.Errorf("two orders: exit code %d", code)
	}
	if code := desk.run(t.Context(), args...); code != 2 || !strings.Contains(desk.err.String(), "--amount") {
		t.Errorf("no amount: exit code %d\n%s", code, desk.err)
	}
	if code := desk.run(t.Context(), append(args, "--amount", "900")...); code != 0 {
		t.Fatalf("exit code %d\n%s", code, desk.err)
	}
	_, event, data := merchant.received(t)
	if event != "payment.failed" || data["order_reference"] != "REF_9" || data["amount"] != json.Number("900") || data["error"] != "Solde insuffisant" ||
		data["reference"] != "REF_9" || data["description"] != "REF_9" {
		t.Errorf("it posts %s %v", event, data)
	}
	if database := filepath.Join(desk.env["HOME"], "till", "till.db"); exists(database) {
		t.Error("it makes a database")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
