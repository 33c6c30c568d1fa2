package serve_test

import (
	"net"
	"strings"
	"testing"

	"checkout/till/tui/cli/serve"
)

func TestLinksBeginWithAnAddressThatAPhoneReaches(t *testing.T) {
	for bound, want := range map[string]string{
		"127.0.0.1:80": "", "[::1]:80": "", "192.168.1.5:8789": "http://192.168.1.5:8789", "[fd00::5]:8789": "http://[fd00::5]:8789",
	} {
		if got, err := serve.PublicAddress(t.Context(), bound, ""); err != nil || got != want {
			t.Errorf("%s gives %q, %v, want %q", bound, got, err, want)
		}
	}
	if _, err := serve.PublicAddress(t.Context(), "nowhere", ""); err == nil {
		t.Error("what is no address gives no error")
	}
	if got, err := serve.PublicAddress(t.Context(), "0.0.0.0:8789", "127.0.0.1"); err != nil || got != "http://127.0.0.1:8789" {
		t.Errorf("the address that was chosen gives %q, %v", got, err)
	}
	got, err := serve.PublicAddress(t.Context(), "0.0.0.0:8789", "")
	if err != nil {
		t.Skip("this machine is in no network: ", err)
	}
	host, _, err := net.SplitHostPort(strings.TrimPrefix(got, "http://"))
	if address := net.ParseIP(host); err != nil || address == nil || address.IsUnspecified() || address.IsLoopback() {
		t.Errorf("every address gives %q", got)
	}
}
