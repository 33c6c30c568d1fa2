package cli_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestASandboxInTheLocalNetworkServesThisMachineToo(t *testing.T) {
	desk := newDesk(t)
	runs, end := desk.beside("try it:", "sandbox", "--listen", "127.0.0.1:0", "--lan")
	if !runs {
		desk.await(desk.err, "no way into a network: connect it, or name the address")
		t.Skip("this machine is in no network")
	}
	printed := desk.out.String()
	for _, line := range []string{"sandbox on http://127.0.0.1:", "phones on this network open http://"} {
		_, rest, found := strings.Cut(printed, line[:strings.Index(line, "http://")])
		address, _, _ := strings.Cut(rest, "\n")
		if !found {
			t.Fatalf("%q is not printed\n%s", line, printed)
		}
		if _, err := url.Parse(address); err != nil {
			t.Fatal(err)
		}
		response, err := http.Post(address+"/api/payement/service", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s answers %d", address, response.StatusCode)
		}
	}
	if code := end(); code != 0 {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
}

func TestASandboxIsReachedByANameThatItAllows(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_ACCESS_TOKEN"] = "TGP_sandbox"
	runs, end := desk.beside("try it:",
		"sandbox", "--listen", "0.0.0.0:0", "--allow-host", "pay.test", "--webhook-url", "http://shop.test:3000/webhook", "--allow-target", "shop.test")
	if !runs {
		t.Fatal(desk.err)
	}
	_, rest, _ := strings.Cut(desk.out.String(), "sandbox on ")
	address, _, _ := strings.Cut(rest, "\n")
	for host, want := range map[string]string{"pay.test": `"checkout_url":"http://pay.test/c/`, "other.test": "--allow-host other.test"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/api/payement/service", strings.NewReader(`{"access": "TGP_sandbox",
			"reference": "A-1", "description": "Table 4", "amount": 9000, "currency": "Ar",
			"metadata": [{"label": "Vary", "unit_price": 4500, "quantity": 2}]}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s is answered %s, want %s: %v", host, text, want, err)
		}
	}
	if code := end(); code != 0 {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
}
