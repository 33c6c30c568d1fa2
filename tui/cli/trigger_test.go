package cli_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/tui/tuitest"
)

// merchant is a server that records the posted requests.
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

// received returns the header, the event and the data of the last request.
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
	tuitest.Must(t, decoder.Decode(&body))
	return m.requests[len(m.requests)-1].Header, body.Event, body.Data
}

// withOrder returns a desk with one order, REF_700001, of 9 000 Ar.
func withOrder(t *testing.T) *desk {
	t.Helper()
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "", "order", "create", "--item", "Vary:3500:2", "--item", "Coca:2000", "--reference", "A-1")
	return desk
}

func TestATriggerSendsWhatItsOptionsSay(t *testing.T) {
	const static, body = gateway.Static, gateway.Body
	wrong, none := gateway.Scheme(strings.Repeat("0", 64)), gateway.Scheme("") // These are not schemes but complete header values, which the test expects.
	type differs map[string]any                                                // Fields that differ from those of the order's event; nil removes a field.
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
			desk.says("", 0, "", args...)
			header, event, data := merchant.received(t)
			want := map[string]any{
				"order_reference": "REF_700001", "reference": "A-1", "amount": json.Number("9000"),
				"currency": "Ar", "description": "2 × Vary, Coca",
			}
			maps.Copy(want, tt.differs)
			if !maps.Equal(data, want) || event != "payment."+tt.event {
				t.Errorf("posted %s %v, want %v", event, data, want)
			}
			signature := string(tt.signature)
			if tt.signature == static || tt.signature == body {
				signature = gateway.Sign(tt.signature, secret.New(webhookSecret), []byte(merchant.bodies[0]))
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
	desk.says("", 0, `"url":"`+merchant.url+`/webhook/nobody-guesses"`, "trigger", "payment.success", "--order", "A-1", "--json")
	if path := merchant.requests[0].URL.Path; path != "/webhook/nobody-guesses" {
		t.Errorf("posted to %s, want the webhook path", path)
	}
}

func TestATriggerSignsNoEventIfASourceNamesARealService(t *testing.T) {
	const remote, local = "https://pay.example.mg", "http://127.0.0.1:8789"
	tests := []struct {
		name, file, variable string
		flags                []string
	}{
		{"in the settings file", remote, "", nil},
		{"in the environment", "", remote, nil},
		{"on the command line", "", "", []string{"--base-url", remote}},
		{"in the settings file, which a variable overrides", remote, local, nil},
		{"in the settings file, which a flag overrides", remote, "", []string{"--base-url", local}},
		{"in the environment, which a flag overrides", local, remote, []string{"--base-url", local}},
	}
	desk, merchant := withOrder(t), newMerchant(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			desk.env["TILL_BASE_URL"] = tt.variable
			desk.env["TILL_CONFIG"] = filepath.Join(t.TempDir(), "config.toml")
			text := ""
			if tt.file != "" {
				text = fmt.Sprintf("base_url = %q\n", tt.file)
			}
			tuitest.Must(t, os.WriteFile(desk.env["TILL_CONFIG"], []byte(text), 0o600))
			args := append([]string{"trigger", "payment.success", "--order", "A-1", "--url", merchant.url}, tt.flags...)
			desk.says("", 1, "that nobody made: the settings name the payment service "+remote, args...)
		})
	}
	if len(merchant.bodies) != 0 {
		t.Errorf("got %d posted events, want 0", len(merchant.bodies))
	}
}

func TestATriggerWithoutAServiceSparesTheShopsListener(t *testing.T) {
	desk, merchant := withOrder(t), newMerchant(t)
	desk.env["TILL_BASE_URL"], desk.env["TILL_LISTEN"] = "", strings.TrimPrefix(merchant.url, "http://")
	desk.env["TILL_PUBLIC_URL"] = "https://shop.example.mg"
	desk.env["TILL_RELAY"] = "https://relay.example.mg/w/abcdefghijklmnopqrstuvwxyz"
	port := merchant.url[strings.LastIndex(merchant.url, ":"):]
	const refused = "that nobody made"
	for address, want := range map[string]string{
		"": refused, merchant.url + "/webhook": refused, "http://localhost" + port + "/x": refused, "http://0.0.0.0" + port: refused,
		"http://[::]" + port: refused, "http://[::ffff:127.0.0.1]" + port: refused, "http://[::1%25lo]" + port: refused, "http://127.0.0.1:0" + port[1:]: refused,
		"http://１２７.0.0.1" + port:             "", // The dialer reads full-width digits like normal digits, so this is 127.0.0.1.
		"https://SHOP.example.mg:443/webhook": refused, "https://shop.example.mg./webhook": refused, "https://relay.example.mg/w/abcdefghijklmnopqrstuvwxyz": refused,
	} {
		desk.says("", 1, want, "trigger", "payment.success", "--order", "A-1", "--url", address)
	}
	if len(merchant.bodies) != 0 {
		t.Fatalf("got %d posted events, want 0", len(merchant.bodies))
	}
	other := newMerchant(t)
	desk.says("", 0, "", "trigger", "payment.success", "--order", "A-1", "--url", other.url)
	if len(other.bodies) != 1 {
		t.Errorf("another program got %d events, want 1", len(other.bodies))
	}
}

func TestASandboxOfALiveShopMakesATokenAndASecret(t *testing.T) {
	desk, merchant := newDesk(t), newMerchant(t)
	desk.env["TILL_BASE_URL"], desk.env["TILL_PUBLIC_URL"] = "https://pay.example.mg", merchant.url
	// The flag replaces the address of the live service, but the secret is still the live shop's. The
	// sandbox must not sign with this secret.
	end := desk.background("try it:", "sandbox", "--listen", "127.0.0.1:0", "--base-url", "http://127.0.0.1:8789")
	desk.stops(end)
	printed := desk.out.String()
	for _, want := range []string{"TILL_ACCESS_TOKEN=TGP_sandbox_", "TILL_WEBHOOK_SECRET=whsec_sandbox_"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%s is not printed\n%s", want, printed)
		}
	}
	if strings.Contains(printed, merchant.url) {
		t.Errorf("the sandbox posts events to the live shop\n%s", printed)
	}
}

func TestATriggerNeedsNoStoredOrder(t *testing.T) {
	desk, merchant := newDesk(t), newMerchant(t)
	desk.env["TILL_BASE_URL"] = "http://127.0.0.1:8789"
	args := []string{"trigger", "payment.failed", "--order-reference", "REF_9", "--url", merchant.url}
	desk.says("", 2, "", append(args, "--order", "A-1", "--amount", "900")...)
	desk.says("", 2, "--amount", args...)
	desk.says("", 0, "", append(args, "--amount", "900")...)
	_, event, data := merchant.received(t)
	if event != "payment.failed" || data["order_reference"] != "REF_9" || data["amount"] != json.Number("900") || data["error"] != "Solde insuffisant" ||
		data["reference"] != "REF_9" || data["description"] != "REF_9" {
		t.Errorf("posted %s %v", event, data)
	}
	if _, err := os.Stat(filepath.Join(desk.env["HOME"], "till", "till.db")); err == nil {
		t.Error("the command created a database")
	}
}
