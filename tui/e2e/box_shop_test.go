package e2e_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage/storagetest/postgrestest"
)

// database is the name of the shop's database at a server of its own.
const database = "shop"

// ownServer starts a database server that a test may kill, with a database, and
// returns it with that one's address.
func ownServer(t testing.TB) (*postgrestest.Server, string) {
	t.Helper()
	postgrestest.Database(t) // Without the programs the test is skipped, or fails.
	server, err := postgrestest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Remove)
	server.Script(t, "CREATE DATABASE "+database)
	return server, server.Address(database)
}

// listenAlone starts a listener of the shop that is a program of its own, on
// another machine's disk, and returns it when it listens.
func (s *shop) listenAlone(home, address string) *exec.Cmd {
	s.t.Helper()
	listener := exec.CommandContext(s.t.Context(), binary, "listen")
	listener.Env = s.env("HOME="+home, "TILL_LISTEN="+address)
	out, err := listener.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := listener.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { end(listener) })
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "listening on") {
		s.t.Fatalf("the listener says %q (%v)", line, err)
	}
	return listener
}

// end kills a program, if it still runs, and waits until it is gone.
func end(program *exec.Cmd) {
	_ = program.Process.Kill()
	_ = program.Wait()
}

// balancer stands before listeners, as the example for Caddy has it: the first
// takes every request, and the next those to which it gives no answer. Events of
// an order are then in one spool when they have to wait, and stay in order. It
// notes what is acknowledged.
type balancer struct {
	url       string
	listeners []string

	mu    sync.Mutex
	acked map[payments.EventID]acked
}

// acked is an event that a listener answered with 200.
type acked struct {
	event payments.Event
	first time.Time // When its answer was here.
}

func balance(t testing.TB, listeners ...string) *balancer {
	t.Helper()
	b := &balancer{listeners: listeners, acked: map[payments.EventID]acked{}}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Transport: b,
		Rewrite:   func(*httputil.ProxyRequest) {},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway)
		},
	})
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// RoundTrip asks the listeners.
func (b *balancer) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	var faults error
	for _, listener := range b.listeners {
		again := request.Clone(request.Context())
		again.URL.Scheme, again.URL.Host = "http", listener
		again.Body = io.NopCloser(bytes.NewReader(body))
		response, err := http.DefaultTransport.RoundTrip(again)
		if err == nil {
			if response.StatusCode == http.StatusOK {
				b.note(body)
			}
			return response, nil
		}
		faults = errors.Join(faults, err)
	}
	return nil, faults
}

// note notes that an event is acknowledged.
func (b *balancer) note(body []byte) {
	now := time.Now()
	event, err := gateway.DecodeEvent(body)
	if err != nil {
		return // It is no event, and the account will say that it lacks.
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, before := b.acked[event.ID()]; !before {
		b.acked[event.ID()] = acked{event, now}
	}
}

// count is how many events are acknowledged.
func (b *balancer) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.acked)
}

// of returns when the first event of a kind that states an amount was
// acknowledged; zero when none was.
func (b *balancer) of(kind payments.EventKind, amount payments.Ariary) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.acked {
		if one.event.Amount.Is(amount) && one.event.Kind == kind {
			return one.first
		}
	}
	return time.Time{}
}

// spaced writes an amount below a million as the screen does.
func spaced(amount payments.Ariary) string {
	if amount < 1000 {
		return fmt.Sprintf("%d Ar", amount)
	}
	return fmt.Sprintf("%d %03d Ar", amount/1000, amount%1000)
}
