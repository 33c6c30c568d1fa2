package cli_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

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
