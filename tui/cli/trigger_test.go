package cli_test

import (
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
	static := func(string) string { return gateway.Sign(gateway.Static, payments.NewSecret(secret), nil) }
	body := func(sent string) string { return gateway.Sign(gateway.Body, payments.NewSecret(secret), []byte(sent)) }
	tests := []struct {
		name, event string
		args        []string
		env         map[string]string
		differs     map[string]any // From the event of the order; nil is a field that is missing.
		header      string
		signature   func(body string) string
	}{
		{name: "a success as the order has it", event: "payment.success", differs: map[string]any{"error": nil}, signature: static},
		{name: "a failure with the usual reason", event: "payment.failed", differs: map[string]any{"error": "Solde insuffisant"}, signature: static},
		{
			name: "a cancellation with a reason", event: "payment.canceled", args: []string{"--error", "Changé d'avis"},
			differs: map[string]any{"error": "Changé d'avis"}, signature: static,
		},
		{name: "an expiry", event: "payment.expired", differs: map[string]any{"error": "Temps de paiement dépassé"}, signature: static},
		{
			name: "another amount", event: "payment.success", args: []string{"--amount", "350"},
			differs: map[string]any{"error": nil, "amount": json.Number("350")}, signature: static,
		},
		{
			name: "no money at all", event: "payment.success", args: []string{"--amount", "0"},
			differs: map[string]any{"error": nil, "amount": json.Number("0")}, signature: static,
		},
		{
			name: "less than nothing", event: "payment.success", args: []string{"--amount=-1"},
			differs: map[string]any{"error": nil, "amount": json.Number("-1")}, signature: static,
		},
		{
			name: "another currency", event: "payment.success", args: []string{"--currency", "MGA"},
			differs: map[string]any{"error": nil, "currency": "MGA"}, signature: static,
		},
		{
			name: "a signature over the body", event: "payment.success", args: []string{"--signature", "body"},
			differs: map[string]any{"error": nil}, signature: body,
		},
		{
			name: "a signature over the body, as the settings have it", event: "payment.success",
			env: map[string]string{"TILL_SIGNATURE_SCHEME": "body"}, differs: map[string]any{"error": nil}, signature: body,
		},
		{
			name: "a static signature, whatever the settings have", event: "payment.success", args: []string{"--signature", "static"},
			env: map[string]string{"TILL_SIGNATURE_SCHEME": "body"}, differs: map[string]any{"error": nil}, signature: static,
		},
		{
			name: "a signature in another header", event: "payment.success", env: map[string]string{"TILL_SIGNATURE_HEADER": "X-Brand-Signature"},
			differs: map[string]any{"error": nil}, header: "X-Brand-Signature", signature: static,
		},
		{
			name: "a wrong signature", event: "payment.success", args: []string{"--signature", "wrong"},
			differs: map[string]any{"error": nil}, signature: func(string) string { return strings.Repeat("0", 64) },
		},
		{
			name: "no signature", event: "payment.success", args: []string{"--signature", "none"},
			differs: map[string]any{"error": nil}, signature: func(string) string { return "" },
		},
		{
			name: "no signature, without a secret", event: "payment.success", args: []string{"--signature", "none"},
			env: map[string]string{"TILL_WEBHOOK_SECRET": ""}, differs: map[string]any{"error": nil}, signature: func(string) string { return "" },
		},
	}
	desk := withOrder(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			merchant := newMerchant(t)
			for name, value := range tt.env {
				before := desk.env[name]
				desk.env[name] = value
				defer func() { desk.env[name] = before }()
			}
			args := append([]string{"trigger", tt.event, "--order", "A-1", "--url", merchant.url + "/hook"}, tt.args...)
			if code := desk.run(t.Context(), args...); code != 0 {
				t.Fatalf("exit code %d\n%s", code, desk.err)
			}
			header, event, data := merchant.received(t)
			want := map[string]any{
				"order_reference": "REF_700001", "reference": "A-1", "amount": json.Number("9000"),
				"currency": "Ar", "description": "2 × Vary, Coca",
			}
			maps.Copy(want, tt.differs)
			for field, value := range want {
				if data[field] != value {
					t.Errorf("%s is %v, want %v", field, data[field], value)
				}
			}
			if _, there := data["error"]; there && want["error"] == nil || event != tt.event {
				t.Errorf("the event is %s with the error %v", event, data["error"])
			}
			name := tt.header
			if name == "" {
				name = "X-Svc-Signature"
			}
			if got, want := header.Get(name), tt.signature(merchant.bodies[0]); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
			if got := header.Get("Content-Type"); got != "application/json" {
				t.Errorf("the content is %q", got)
			}
		})
	}
}

func TestATriggerIsRepeated(t *testing.T) {
	desk, merchant := withOrder(t), newMerchant(t)
	args := []string{"trigger", "payment.success", "--order", "REF_700001", "--url", merchant.url, "--repeat", "3"}
	if code := desk.run(t.Context(), args...); code != 0 || len(merchant.bodies) != 3 {
		t.Errorf("exit code %d after %d events\n%s", code, len(merchant.bodies), desk.err)
	}
	if merchant.bodies[0] != merchant.bodies[2] {
		t.Errorf("the copies differ: %s and %s", merchant.bodies[0], merchant.bodies[2])
	}
	merchant.status = http.StatusInternalServerError
	if code := desk.run(t.Context(), args...); code != 1 || !strings.Contains(desk.err.String(), "3 of 3 events were refused") {
		t.Errorf("exit code %d\n%s", code, desk.err)
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
			{"--url", "http://localhost." + port},
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
	if code := desk.run(t.Context(), "trigger", "payment.success", "--order", "A-1", "--url", "http://１２７.0.0.1"+port); code != 2 {
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
	if event != "payment.failed" || data["order_reference"] != "REF_9" || data["amount"] != json.Number("900") || data["error"] != "Solde insuffisant" {
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
