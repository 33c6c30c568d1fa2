package cli_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"checkout/till/tui/cli"
)

func TestLinksBeginWithAnAddressThatAPhoneReaches(t *testing.T) {
	for bound, want := range map[string]string{
		"127.0.0.1:80": "", "[::1]:80": "", "192.168.1.5:8789": "http://192.168.1.5:8789", "[fd00::5]:8789": "http://[fd00::5]:8789",
	} {
		if got, err := cli.PublicAddress(t.Context(), bound, ""); err != nil || got != want {
			t.Errorf("%s gives %q, %v, want %q", bound, got, err, want)
		}
	}
	if _, err := cli.PublicAddress(t.Context(), "nowhere", ""); err == nil {
		t.Error("what is no address gives no error")
	}
	if got, err := cli.PublicAddress(t.Context(), "0.0.0.0:8789", "127.0.0.1"); err != nil || got != "http://127.0.0.1:8789" {
		t.Errorf("the address that was chosen gives %q, %v", got, err)
	}
	got, err := cli.PublicAddress(t.Context(), "0.0.0.0:8789", "")
	if err != nil {
		t.Skip("this machine is in no network: ", err)
	}
	host, _, err := net.SplitHostPort(strings.TrimPrefix(got, "http://"))
	if address := net.ParseIP(host); err != nil || address == nil || address.IsUnspecified() || address.IsLoopback() {
		t.Errorf("every address gives %q", got)
	}
}

func TestASandboxInTheLocalNetworkServesThisMachineToo(t *testing.T) {
	desk := newDesk(t)
	done := make(chan int, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { done <- desk.run(ctx, "sandbox", "--listen", "127.0.0.1:0", "--lan") }()
	if !desk.comes(desk.out, "try it:", done) {
		t.Skip("this machine is in no network: ", desk.err)
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
	stop()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
}
