package webhook_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/webhook"
)

// newServer returns a server on a free port of this machine. The server does not run yet.
func newServer(t testing.TB, handler http.Handler, limits webhook.Limits) *webhook.Server {
	t.Helper()
	bound, err := webhook.Bind(t.Context(), "127.0.0.1:0")
	must(t, err)
	return webhook.NewServer(bound, handler, limits, slog.New(slog.DiscardHandler))
}

// start runs a server until the test calls stop. stop returns the error of Serve.
func start(t testing.TB, handler http.Handler, limits webhook.Limits) (server *webhook.Server, stop func() error) {
	t.Helper()
	server = newServer(t, handler, limits)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx) }()
	return server, func() error {
		cancel()
		return <-done
	}
}

// serve runs a server until the test ends.
func serve(t testing.TB, handler http.Handler, limits webhook.Limits) *webhook.Server {
	t.Helper()
	server, stop := start(t, handler, limits)
	t.Cleanup(func() {
		must(t, stop())
	})
	return server
}

// dial opens a connection that is closed when the test ends.
func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func post(body string) string {
	return fmt.Sprintf("POST /webhook HTTP/1.1\r\nHost: x\r\nX-Svc-Signature: %s\r\nContent-Length: %d\r\n\r\n%s",
		secretValue, len(body), body)
}

func ask(t *testing.T, conn net.Conn, request string) *http.Response {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	must(t, err)
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return response
}

func TestBindErrorsNameTheAddress(t *testing.T) {
	t.Run("the error for a taken port has advice", func(t *testing.T) {
		first := newServer(t, http.NotFoundHandler(), webhook.DefaultLimits())
		_, err := webhook.Bind(t.Context(), first.Addr())
		if !errors.As(err, new(*webhook.PortTakenError)) || !strings.Contains(err.Error(), first.Addr()) ||
			!strings.Contains(err.Error(), "choose another") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("an invalid address is named", func(t *testing.T) {
		for _, address := range []string{"203.0.113.1:8788", "127.0.0.1", "127.0.0.1:http-not"} {
			if _, err := webhook.Bind(t.Context(), address); err == nil || !strings.Contains(err.Error(), address) {
				t.Errorf("%s gives %v", address, err)
			}
		}
	})
}

func TestTheServerClosesConnectionsAfterErrors(t *testing.T) {
	t.Parallel()
	rig := newRig(t)
	server := serve(t, rig.handler, webhook.DefaultLimits())
	for _, test := range []struct {
		name, request string
		status        int
		closed        bool
	}{
		{"an event keeps the connection open", post(successBody), 200, false},
		{"a refusal closes the connection", "POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 400, true},
		{"an unknown path closes the connection", "GET /x HTTP/1.1\r\nHost: x\r\n\r\n", 404, true},
		{"a header of 17 KiB", "GET /webhook HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 17<<10) + "\r\n\r\n", 431, true},
		{"a header of 12 KiB is read", "GET /webhook HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 12<<10) + "\r\n\r\n", 200, false},
		{"OPTIONS of *", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 404, true},
		{"CONNECT", "CONNECT /webhook HTTP/1.1\r\nHost: x\r\n\r\n", 405, true},
		{"a body of 10 MiB is refused before it arrives", "POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 10485760\r\n\r\n", 413, true},
		{"no HTTP", "\x16\x03\x01\x02\x00\r\n\r\n", 400, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			response := ask(t, dial(t, server.Addr()), test.request)
			if response.StatusCode != test.status || response.Close != test.closed {
				t.Errorf("got %d, close %v", response.StatusCode, response.Close)
			}
		})
	}
}

// pipes is a listener in memory, for tests with synctest.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, open := <-p; open {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error {
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// piped is a server on pipes, in a synctest bubble.
type piped struct {
	t      *testing.T
	bound  pipes
	server *webhook.Server
}

// startPiped runs a server on pipes until the test calls stop.
func startPiped(t *testing.T, handler http.Handler, limits webhook.Limits) (p piped, stop func()) {
	t.Helper()
	p = piped{t: t, bound: make(pipes)}
	p.server = webhook.NewServer(p.bound, handler, limits, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.server.Serve(ctx) }()
	return p, func() {
		cancel()
		must(t, <-done)
	}
}

// open opens a connection and sends a text.
func (p piped) open(text string) net.Conn {
	ours, theirs := net.Pipe()
	p.t.Cleanup(func() { _ = ours.Close() })
	p.bound <- theirs
	if text != "" { // A write of nothing would wait until the server reads.
		_, _ = io.WriteString(ours, text) // An error means that the listener has closed the connection.
	}
	return ours
}

// held makes each event wait before it reaches the store. The event is sent to arrived, and
// continues when release is closed.
func (r *rig) held() (arrived, release chan struct{}) {
	arrived, release = make(chan struct{}, 2), make(chan struct{})
	r.receiver.before = func() {
		arrived <- struct{}{}
		<-release
	}
	return arrived, release
}

func TestRequestsUnderWayAreNotClosedToMakeRoom(t *testing.T) {
	t.Parallel()
	rig := newRig(t)
	arrived, release := rig.held()
	limits := webhook.DefaultLimits()
	limits.Connections = 2
	server := serve(t, rig.handler, limits)
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			if response := ask(t, dial(t, server.Addr()), post(successBody)); response.StatusCode != http.StatusOK {
				t.Errorf("the event was answered %d", response.StatusCode)
			}
		})
	}
	<-arrived
	<-arrived
	time.Sleep(300 * time.Millisecond) // This is longer than minAge, so a full server now closes idle connections.
	close(release)
	<-arrived
	wait.Wait()
}

func TestServeEndsWithoutLosingEvents(t *testing.T) {
	t.Parallel()
	t.Run("an event under way is stored and answered", func(t *testing.T) {
		t.Parallel()
		rig := newRig(t)
		server, stop := start(t, rig.handler, webhook.DefaultLimits())
		arrived, release := rig.held()
		done := make(chan error, 1)
		go func() {
			<-arrived
			time.AfterFunc(50*time.Millisecond, func() { close(release) })
			done <- stop()
		}()
		if response := ask(t, dial(t, server.Addr()), post(successBody)); response.StatusCode != http.StatusOK {
			t.Errorf("got %d", response.StatusCode)
		}
		if err := <-done; err != nil || rig.stored() != 1 || rig.receiver.ended {
			t.Errorf("%v, %d stored, context ended: %v", err, rig.stored(), rig.receiver.ended)
		}
		if _, err := net.Dial("tcp", server.Addr()); err == nil {
			t.Error("the port is still open")
		}
	})
	t.Run("connections without a request do not delay the end", func(t *testing.T) {
		t.Parallel()
		server, stop := start(t, newRig(t).handler, webhook.DefaultLimits())
		dial(t, server.Addr())
		ask(t, dial(t, server.Addr()), "GET /webhook HTTP/1.1\r\nHost: x\r\n\r\n")
		began := time.Now()
		if err := stop(); err != nil || time.Since(began) > 2*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
	t.Run("a connection that is accepted while the server stops does not delay the end", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			polls := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
			limits := webhook.DefaultLimits()
			limits.Connections = 1
			p, stop := startPiped(t, polls, limits)
			p.open("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
			p.open("") // This connection waits until the first one is closed.
			began := time.Now()
			if stop(); time.Since(began) > time.Second {
				t.Errorf("it ended after %v", time.Since(began))
			}
		})
	})
	t.Run("a request that takes too long is cut off", func(t *testing.T) {
		t.Parallel()
		limits := webhook.DefaultLimits()
		limits.Stop = 20 * time.Millisecond
		rig := newRig(t)
		server, stop := start(t, rig.handler, limits)
		arrived, release := rig.held()
		_, _ = io.WriteString(dial(t, server.Addr()), post(successBody))
		<-arrived
		if err := stop(); err == nil || !strings.Contains(err.Error(), "cut off") {
			t.Errorf("got %v", err)
		}
		close(release)
	})
}

// TestSlowConnectionsAreClosed measures, on a synctest clock, when the default limits close a
// connection.
func TestSlowConnectionsAreClosed(t *testing.T) {
	head := post(successBody)[:strings.Index(post(successBody), "\r\n\r\n")+4]
	for _, test := range []struct {
		name  string
		send  string        // Sent first.
		drip  string        // Sent afterwards, one byte a second, again and again.
		limit time.Duration // When the connection is closed.
	}{
		{"nothing is sent", "", "", 5 * time.Second},
		{"one byte a second of a header", "", "POST /webhook HTTP/1.1\r\nX-Slow: yes\r\n", 5 * time.Second},
		{"one byte a second of a body", head, "x", 10 * time.Second},
		{"no second request", "GET /webhook HTTP/1.1\r\nHost: x\r\n\r\n", "", time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, stop := startPiped(t, webhook.NewHandler(&receiver{}, config(t)), webhook.DefaultLimits())
				start := time.Now()
				ours := p.open(test.send)
				var dripping sync.WaitGroup
				dripping.Go(func() {
					for i, err := 0, error(nil); err == nil && test.drip != ""; i++ {
						time.Sleep(time.Second)
						_, err = io.WriteString(ours, test.drip[i%len(test.drip):i%len(test.drip)+1])
					}
				})
				_, _ = io.Copy(io.Discard, ours)
				// net/http waits this long so that the client can read the answer.
				const linger = time.Second
				if took := time.Since(start); took < test.limit || took > test.limit+linger {
					t.Errorf("closed after %v, want %v", took, test.limit)
				}
				_ = ours.Close()
				dripping.Wait()
				stop()
			})
		})
	}
}
