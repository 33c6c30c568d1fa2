package gateway_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

// wire is a service that counts its requests and answers them with raw bytes.
type wire struct {
	base     string
	requests atomic.Int32
	last     atomic.Pointer[[]byte] // Dump of the last request.
}

// newWire starts a service. For each request it reads the whole request, calls answer with the
// connection, and then closes the connection.
func newWire(t *testing.T, answer func(net.Conn)) *wire {
	t.Helper()
	service := &wire{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := httputil.DumpRequest(r, true)
		if err != nil {
			return // The client closed the connection.
		}
		service.last.Store(&text)
		service.requests.Add(1)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		answer(conn)
		_ = conn.Close()
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(server.Close)
	service.base = server.URL
	return service
}

// answering returns an answer for newWire: a reply with this status, content type and body.
func answering(status int, contentType, body string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
			status, http.StatusText(status), contentType, len(body), body)
	}
}

// compressed returns an answer for newWire: a reply with this status, and the body in gzip.
func compressed(status int, body string) func(net.Conn) {
	return func(conn net.Conn) {
		var text bytes.Buffer
		packed := gzip.NewWriter(&text)
		_, _ = io.WriteString(packed, body)
		_ = packed.Close()
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s",
			status, http.StatusText(status), text.Len(), text.Bytes())
	}
}

// deflated is {"message":"boom"} as zlib compresses it.
const deflated = "x\x9c\xabV\xcaM-.NLOU\xb2RJ\xca\xcf\xcfU\xaa\x05\x00?\xe4\x06\x99"

const goodReply = `{"message":"Success","data":{"checkout_url":"https://pay.example/c/1","expires_in_minutes":10,` +
	`"order_reference":"REF_700001"}}`

func client(t *testing.T, base string, hosts ...string) *gateway.Client {
	t.Helper()
	made, err := gateway.NewClient(base, gateway.DefaultOrderPath, secret.New(token), hosts...)
	must(t, err)
	return made
}

func TestCreateSendsExactlyOneRequest(t *testing.T) {
	service := newWire(t, answering(http.StatusOK, "application/json", goodReply))
	created, err := client(t, service.base+"/").Create(t.Context(), order(t))
	want := payments.Created{OrderReference: "REF_700001", CheckoutURL: "https://pay.example/c/1", ExpiresMinutes: 10}
	if err != nil || created != want {
		t.Fatalf("got %+v, %v", created, err)
	}
	head, body, _ := strings.Cut(string(*service.last.Load()), "\r\n\r\n")
	if body != orderBody {
		t.Errorf("body %s, want %s", body, orderBody)
	}
	if !strings.HasPrefix(head, "POST /api/payement/service HTTP/1.1\r\n") {
		t.Errorf("request line in %q", head)
	}
	for _, line := range []string{"Content-Type: application/json", "Accept: application/json", "Connection: close"} {
		if !strings.Contains(head, "\r\n"+line) {
			t.Errorf("no header %q in %q", line, head)
		}
	}
	for _, text := range []string{"TGP_", "Idempotency-Key", "Expect:", "Authorization", "Transfer-Encoding"} {
		if strings.Contains(head, text) {
			t.Errorf("%q in the header %q", text, head)
		}
	}
	if service.requests.Load() != 1 {
		t.Errorf("%d requests, want 1", service.requests.Load())
	}
}

func TestCreateReportsThatNothingWasSent(t *testing.T) {
	plain := newWire(t, func(net.Conn) {})
	offering := func(config *tls.Config) string {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.TLS = config
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		server.StartTLS()
		t.Cleanup(server.Close)
		return server.URL
	}
	// Go's client offers no cipher without forward secrecy, and no TLS 1.1.
	rsaOnly := offering(&tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_GCM_SHA256}})
	tls11 := offering(&tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
	bare := offering(&tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, errors.New("no certificate yet") }})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name, base string
		ctx        context.Context
		fault      payments.CallError
	}{
		{"connection refused", "http://127.0.0.1:1", t.Context(), payments.ErrNobody},
		{"no such host", "https://no..such..host", t.Context(), payments.ErrNoHost},
		{"an untrusted certificate", offering(nil), t.Context(), payments.ErrUntrusted},
		{"no TLS on the other side", "https" + strings.TrimPrefix(plain.base, "http"), t.Context(), payments.ErrNoTLS},
		{"ciphers with RSA key exchange only", rsaOnly, t.Context(), payments.ErrOldTLS},
		{"TLS 1.1 only", tls11, t.Context(), payments.ErrOldTLS},
		{"no certificate yet", bare, t.Context(), payments.ErrNoCertificate},
		{"interrupted before the connection", plain.base, canceled, payments.ErrNotSent},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := client(t, test.base).Create(test.ctx, order(t))
			reason, _ := errors.AsType[payments.Reason](err)
			if !errors.Is(err, payments.ErrNotSent) || reason.Fault != test.fault || reason.Detail == "" {
				t.Errorf("got %v, reason %+v", err, reason)
			}
			if clean.Text(err.Error(), 1000) != err.Error() || strings.Contains(err.Error(), token) {
				t.Errorf("the text is unsafe to show: %q", err)
			}
		})
	}
	if plain.requests.Load() != 0 {
		t.Errorf("%d requests were sent", plain.requests.Load())
	}
}

// overdue is a context. Its deadline passes when the test closes the channel.
type overdue struct {
	context.Context
	passed chan struct{}
}

func (o overdue) Done() <-chan struct{} { return o.passed }

func (o overdue) Err() error {
	select {
	case <-o.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestCreateReportsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	// hold waits until the client closes the connection.
	hold := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }
	for _, test := range []struct {
		name   string
		answer func(net.Conn)
		want   string
	}{
		{"the service never answers", hold, "no answer came in time"},
		{"the answer stops in the middle", func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
			hold(conn)
		}, "no answer came in time"},
		{"reset after the request", func(conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) }, "the connection ended"},
		{"closed after the request", func(net.Conn) {}, "the connection ended"},
		{"closed after the headers", func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
		}, "the connection ended"},
		{"200 with a brace", answering(200, "application/json", `{`), "not valid"},
		{"200 with nothing", answering(200, "application/json", ``), "not valid"},
		{"200 with a page", answering(200, "text/html", `<!doctype html>`), "not valid"},
		{
			"200 with an error keeps the service's message",
			answering(200, "application/json", `{"error":"the account\u001b[2J is closed"}`),
			"order_reference: the account[2J is closed",
		},
		{
			"200 with a message that repeats the token",
			answering(200, "application/json", `{"message":"bad token `+token+`"}`), "bad token [redacted]",
		},
		{"300 KiB", answering(200, "application/json", goodReply+strings.Repeat(" ", 300<<10)), "too long"},
		{"200 in gzip is accepted", compressed(200, goodReply), ""},
		{"500 in gzip", compressed(500, `{"message":"boom"}`), "500 Internal Server Error: boom"},
		{"gzip of 300 KiB", compressed(200, goodReply+strings.Repeat(" ", 300<<10)), "too long"},
		{"gzip that is not gzip", func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\nnot gzip....")
		}, "cannot be read"},
		{"no HTTP", func(conn net.Conn) { _, _ = io.WriteString(conn, token+"\x1b]0;x\a\r\n\r\n") }, "cannot be read"},
		{"a header without end", func(conn net.Conn) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 100<<10)+"\r\n\r\n")
		}, "cannot be read"},
		{"201 with a valid body is accepted", answering(201, "application/json", goodReply), ""},
		{"301", answering(301, "text/plain", ""), "301 Moved Permanently"},
		{"409", answering(409, "application/json", `{"message":"duplicate reference"}`), "409 Conflict: duplicate reference"},
		{"500 with a message", answering(500, "application/json", `{"message":"boom\u001b[2J"}`), "500 Internal Server Error: boom[2J"},
		{"500 with the status as the body", answering(500, "text/plain", "Internal Server Error\n"), "500 Internal Server Error"},
		{"503 with a page", answering(503, "text/html", "<h1>busy</h1>"), "503 Service Unavailable"},
		{
			"a link that must not be shown",
			answering(200, "application/json", strings.Replace(goodReply, "https:", "http:", 1)), "not valid",
		},
		{
			"a link with the token in it",
			answering(200, "application/json", strings.Replace(goodReply, "c/1", token, 1)), "access token",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, answer := t.Context(), test.answer
			if test.want == "no answer came in time" {
				late := overdue{ctx, make(chan struct{})}
				ctx, answer = late, func(conn net.Conn) {
					time.AfterFunc(100*time.Millisecond, func() { close(late.passed) }) // The client first reads what the service sends.
					test.answer(conn)
				}
			}
			service := newWire(t, answer)
			created, err := client(t, service.base).Create(ctx, order(t))
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || created != (payments.Created{}) || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %+v, %v", created, err)
			}
			if errors.Is(err, payments.ErrNotSent) || errors.As(err, new(*payments.Refusal)) {
				t.Errorf("the outcome is not unknown: %v", err)
			}
			if strings.Count(err.Error(), "Internal Server Error") > 1 {
				t.Errorf("the status is named twice: %v", err)
			}
			if service.requests.Load() != 1 {
				t.Errorf("%d requests, want 1", service.requests.Load())
			}
			if strings.Contains(err.Error(), token) || clean.Text(err.Error(), 1000) != err.Error() {
				t.Errorf("the text is unsafe to show: %q", err)
			}
		})
	}
	t.Run("interrupted after the request", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		service := newWire(t, func(conn net.Conn) {
			cancel()
			hold(conn)
		})
		_, err := client(t, service.base).Create(ctx, order(t))
		if err == nil || errors.Is(err, payments.ErrNotSent) || !strings.Contains(err.Error(), "interrupted") {
			t.Errorf("got %v", err)
		}
	})
}

func TestCreateReportsTheRefusal(t *testing.T) {
	for _, test := range []struct {
		name   string
		status int
		body   string
		want   string
	}{
		{"400 with a message", 400, `{"message":"amount must be a whole number"}`, "amount must be a whole number"},
		{"401 with an error", 401, `{"error":"unknown token"}`, "unknown token"},
		{"403 with both", 403, `{"error":"no","message":"the account is closed"}`, "the account is closed"},
		{"a message that is a list", 400, `{"message":["amount is\n too small","currency is missing"]}`, "amount is too small; currency is missing"},
		{"a message that is an object", 400, `{"message":{"reference":["is taken"],"amount":"is too small"}}`, "amount: is too small; reference: is taken"},
		{"error.message", 403, `{"error":{"code":17,"message":"the account is closed"}}`, "the account is closed"},
		{"a detail", 403, `{"title":"Forbidden","detail":"the account is closed"}`, "the account is closed"},
		{"msg", 403, `{"code":"E7","msg":"the account is closed"}`, "the account is closed"},
		{"a list of errors", 422, `{"errors":[{"field":"amount","message":"amount is too small"},{"detail":"no items"}]}`, "amount is too small; no items"},
		{
			"a message with the errors of each field", 422,
			`{"message":"invalid data","errors":{"amount":["is too small","is odd"],"items":[]}}`,
			"invalid data; amount: is too small; amount: is odd",
		},
		{"a message twice", 422, `{"message":"no items","errors":["no items"]}`, "no items"},
		{"errors without a text", 422, `{"errors":[17,null,{}]}`, "422 Unprocessable Entity"},
		{"the token in a key", 422, `{"errors":{"` + token + `":"is unknown"}}`, "[redacted]: is unknown"},
		{"404 with a page", 404, "<!doctype html><h1>Not found</h1>", "404 Not Found"},
		{"422 with a text", 422, "description is missing\n", "description is missing"},
		{"422 with a JSON text", 422, `"description is missing"`, "description is missing"},
		{"422 with broken JSON", 422, `{"message":"x"`, "422 Unprocessable Entity"},
		{"429 with nothing", 429, "", "429 Too Many Requests"},
		{"a blank message", 400, `{"message":" \u200b "}`, "400 Bad Request"},
		{"OSC 52 in a message", 400, `{"message":"a\u001b]52;c;ZXZpbA==\u0007b\u202ec\r\nd"}`, "a]52;c;ZXZpbA==bc d"},
		{"OSC 52 in a text", 400, "a\x1b]52;c;ZXZpbA==\x1b\\b\x9bc", "a]52;c;ZXZpbA==\\b\ufffdc"},
		{"bytes that are no text", 400, deflated, "400 Bad Request"},
		{"a text of 300 KiB is cut", 400, strings.Repeat("x", 300<<10), strings.Repeat("x", payments.MaxShownWidth-1) + "…"},
		{"a message that repeats the token", 401, `{"message":"bad token ` + token + `"}`, "bad token [redacted]"},
		{"the token in pieces", 401, `{"message":"bad token TGP_\u200btest_not_a_real_token"}`, "bad token [redacted]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			service := newWire(t, answering(test.status, "text/plain", test.body))
			_, err := client(t, service.base).Create(t.Context(), order(t))
			refusal, ok := errors.AsType[*payments.Refusal](err)
			if !ok || refusal.Message != test.want {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestCreateFollowsNoRedirect(t *testing.T) {
	elsewhere := newWire(t, answering(200, "application/json", goodReply))
	for _, status := range []int{301, 302, 303, 307, 308} {
		service := newWire(t, func(conn net.Conn) {
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d Moved\r\nLocation: %s/\r\nContent-Length: 0\r\n\r\n", status, elsewhere.base)
		})
		_, err := client(t, service.base).Create(t.Context(), order(t))
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(status)) || errors.Is(err, payments.ErrNotSent) {
			t.Errorf("%d gives %v", status, err)
		}
	}
	if elsewhere.requests.Load() != 0 {
		t.Error("a redirect was followed")
	}
}

func TestCreateChecksTheLink(t *testing.T) {
	type check struct {
		name, link string
		hosts      []string
		sound      bool
	}
	tests := []check{
		{"a local link of a service on this machine", "http://127.0.0.1:9000", nil, true},
		{"a link to another machine without TLS", "http://203.0.113.1:9000", nil, false},
		{"a listed host", "https://pay.example", []string{"pay.example"}, true},
		{"a host that is not listed", "https://pay.example", []string{"other.example"}, false},
	}
	own, err := net.InterfaceAddrs()
	must(t, err)
	for _, address := range own {
		if prefix := netip.MustParsePrefix(address.String()); prefix.Addr().Zone() == "" {
			host := netip.AddrPortFrom(prefix.Addr(), 9000).String()
			tests = append(tests, check{"this machine's own address, service here, " + host, "http://" + host, nil, true})
		}
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reply := strings.Replace(goodReply, "https://pay.example", test.link, 1)
			service := newWire(t, answering(200, "application/json", reply))
			_, err := client(t, service.base, test.hosts...).Create(t.Context(), order(t))
			if (err == nil) != test.sound || err != nil && !errors.Is(err, payments.ErrUnsoundReply) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNewClientNeedsTLSExceptOnLoopback(t *testing.T) {
	for base, want := range map[string]error{
		"https://service.example": nil, "https://service.example/v1/": nil, "http://127.0.0.1:9000": nil, "http://localhost:9000": nil,
		"http://service.example": gateway.ErrBaseURL, "http://192.168.1.20": gateway.ErrBaseURL, "service.example": gateway.ErrBaseURL,
	} {
		mustFail(t, failure(gateway.NewClient(base, "/api", secret.New(token))), want)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustFail checks an error with errors.Is. A nil want means no error.
func mustFail(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// failure returns the error of a call, without its other result.
func failure[T any](_ T, err error) error { return err }

func TestTheLastCallsAreRemembered(t *testing.T) {
	service := newWire(t, answering(http.StatusOK, "application/json", goodReply))
	gone := newWire(t, func(net.Conn) {})
	for base, failed := range map[string]bool{service.base: false, gone.base: true} {
		caller := client(t, base, "pay.example")
		for range 61 {
			_, err := caller.Create(t.Context(), order(t))
			if (err != nil) != failed {
				t.Fatal(err)
			}
		}
		calls := caller.Calls()
		if last := calls[len(calls)-1]; len(calls) != 60 || last.Failed != failed || last.Took <= 0 || time.Since(last.At) > time.Minute {
			t.Errorf("got %d calls, the last %+v; want 60, failed: %v", len(calls), last, failed)
		}
	}
}
