package cli_test

import (
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// proxyPassword is a secret that no command may print.
const proxyPassword = "pr0xy-p4ssword"

// newProxy starts an HTTP proxy, and returns its URL, which contains a password. If status is 200,
// the proxy connects each client to service. Otherwise, it answers with status. It sends the method
// and host of each request to the channel asked.
func newProxy(t *testing.T, service string, status int, asked chan<- string) string {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.Host
		if status != http.StatusOK {
			w.WriteHeader(status)
			return
		}
		near, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = near.Close() }()
		far, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", service)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = far.Close() }()
		_, _ = io.WriteString(near, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(far, near) }()
		_, _ = io.Copy(near, far)
	}))
	t.Cleanup(proxy.Close)
	return "http://rado:" + proxyPassword + "@" + proxy.Listener.Addr().String()
}

// elsewhere runs a command of the program in another process, with the secrets in its environment.
func elsewhere(command *exec.Cmd, env ...string) (printed string, code int) {
	command.Env = append(env, "LANG=C.UTF-8", "TERM=dumb", "TILL_ACCESS_TOKEN="+token, "TILL_WEBHOOK_SECRET="+webhookSecret,
		"TILL_LISTEN=127.0.0.1:0", transcript+"=/dev/null")
	output, _ := command.CombinedOutput() // The error is ignored, because the caller checks the exit code.
	return string(output), command.ProcessState.ExitCode()
}

// The test runs the program in other processes, because net/http reads HTTPS_PROXY and
// SSL_CERT_FILE only once in each process.
func TestTheOrderCallUsesTheProxyOfTheEnvironment(t *testing.T) {
	service := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, sound)
		}
	}))
	t.Cleanup(service.Close)
	folder := t.TempDir()
	trusted := filepath.Join(folder, "trusted.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: service.Certificate().Raw})
	tuitest.Must(t, os.WriteFile(trusted, certificate, 0o600))
	asked := make(chan string, 100)
	address := service.Listener.Addr().String()
	works, forbids := newProxy(t, address, http.StatusOK, asked), newProxy(t, address, http.StatusForbidden, asked)
	closed := "http://rado:" + proxyPassword + "@" + tuitest.FreeAddress(t)
	for _, tt := range []struct {
		name, proxy      string
		code             int
		created, checked string // Texts that the two commands print.
	}{
		{"a proxy", works, 0, "REF_700001", "till uses the proxy " + strings.TrimPrefix(works, "http://rado:"+proxyPassword+"@")},
		{"a proxy that refuses", forbids, 1, "the proxy does not connect: 403 Forbidden", "till uses the proxy"},
		{"no proxy at its address", closed, 1, "the proxy does not connect: ", "connection refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			till := func(arguments ...string) (printed string, code int) {
				return elsewhere(exec.CommandContext(t.Context(), "till", arguments...),
					"HOME="+home, "HTTPS_PROXY="+tt.proxy, "SSL_CERT_FILE="+trusted, "TILL_BASE_URL=https://example.com")
			}
			printed, code := till("order", "create", "--item", "Vary:3500")
			if code != tt.code || !strings.Contains(printed, tt.created) {
				t.Errorf("order create: exit code %d\n%s", code, printed)
			}
			findings, _ := till("doctor", "--json")
			if !strings.Contains(findings, tt.checked) {
				t.Errorf("doctor finds\n%s", findings)
			}
			if strings.Contains(printed+findings, proxyPassword) {
				t.Error("the proxy's password is printed")
			}
			for len(asked) > 0 {
				if call := <-asked; call != "CONNECT example.com:443" {
					t.Errorf("the proxy was asked for %s", call)
				}
			}
		})
	}
}
