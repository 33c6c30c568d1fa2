package gateway_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

func TestVisitSendsOnlyAHeadRequest(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	asked := make(chan string, 8)
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.URL.Path
		w.Header().Set("Date", now.Add(2*time.Minute).Format(http.TimeFormat))
		w.Header().Set(gateway.ListenerHeader, "ABC\u202e")
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	front, secured := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	t.Cleanup(front.Close)
	t.Cleanup(secured.Close)
	found := payments.Visit{Status: http.StatusMethodNotAllowed, Listener: "ABC", Ahead: 2 * time.Minute}
	for _, tt := range []struct {
		name, address string
		want          payments.Visit
		fault         error
	}{
		{"a program that listens", front.URL, found, nil},
		{"an untrusted certificate", secured.URL, payments.Visit{}, payments.ErrUntrusted},
		{"no listener", "http://127.0.0.1:1", payments.Visit{}, payments.ErrNobody},
		{"no such host", "https://no-such-host.invalid", payments.Visit{}, payments.ErrNoHost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			visit, err := client(t, tt.address).Visit(t.Context(), func() time.Time { return now })
			if visit != tt.want || !errors.Is(err, tt.fault) {
				t.Errorf("found %+v, %v", visit, err)
			}
		})
	}
	found.Expires = secured.Certificate().NotAfter
	if visit, err := gateway.VisitWith(t.Context(), secured.Client(), func() time.Time { return now }, secured.URL+gateway.DefaultOrderPath); err != nil || visit != found {
		t.Errorf("with a trusted certificate: found %+v, %v", visit, err)
	}
	for len(asked) > 0 {
		if call := <-asked; call != "HEAD "+gateway.DefaultOrderPath {
			t.Errorf("asked for %s", call)
		}
	}
}

func TestAheadUsesTheDateOfTheLastReply(t *testing.T) {
	ahead := 3 * time.Hour
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Date"] = nil
		if ahead != 0 {
			w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
		}
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(service.Close)
	client := client(t, service.URL)
	expect := func(want time.Duration) {
		t.Helper()
		if got := client.Ahead(); (got - want).Abs() > time.Minute {
			t.Errorf("got %v ahead, want %v", got, want)
		}
	}
	expect(0)
	refusal := new(payments.Refusal)
	if _, err := client.Create(t.Context(), payments.Order{Amount: 1}); !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	expect(3 * time.Hour)
	ahead = 0 // A reply without a date changes nothing.
	must(t, failure(client.Visit(t.Context(), time.Now)))
	expect(3 * time.Hour)
	ahead = -5 * time.Minute
	must(t, failure(client.Visit(t.Context(), time.Now)))
	expect(-5 * time.Minute)
	// Ahead compares with this machine's clock, even if the shop's clock is different.
	must(t, failure(client.Visit(t.Context(), func() time.Time { return time.Now().Add(-8 * time.Hour) })))
	expect(-5 * time.Minute)
}

func TestErrorsOfTheSystemSayWhyNoServerWasReached(t *testing.T) {
	for cause, want := range map[syscall.Errno]payments.CallError{
		syscall.ENETUNREACH: payments.ErrNoNetwork, syscall.EHOSTUNREACH: payments.ErrNoNetwork,
		10051: payments.ErrNoNetwork, 10065: payments.ErrNoNetwork, 10061: payments.ErrNobody, // Windows.
	} {
		if got := gateway.Unreached(&net.OpError{Op: "dial", Err: cause}); got != want {
			t.Errorf("%d gives %q, want %q", int(cause), got, want)
		}
	}
}

// nameServer is a name server that returns 127.0.0.1 for every name. It does not answer a query if
// lost returns true for it.
type nameServer struct {
	queries chan struct{}

	mu   sync.Mutex
	lost func(query int, kind uint16) bool
}

func (s *nameServer) loses(query int, kind uint16) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost(query, kind)
}

const kindA, kindAAAA = 1, 28

func (s *nameServer) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	s.queries <- struct{}{}
	query := len(s.queries)
	go func() {
		defer func() { _ = ours.Close() }()
		var length [2]byte
		if _, err := io.ReadFull(ours, length[:]); err != nil {
			return
		}
		message := make([]byte, binary.BigEndian.Uint16(length[:]))
		_, _ = io.ReadFull(ours, message)
		end := 12 // Length of the header; the name follows.
		for message[end] != 0 {
			end += 1 + int(message[end])
		}
		kind := binary.BigEndian.Uint16(message[end+1:])
		if s.loses(query, kind) {
			_, _ = io.Copy(io.Discard, ours) // Wait until the client gives up.
			return
		}
		answer := append([]byte{message[0], message[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, message[12:end+5]...)
		if kind == kindA {
			answer[7] = 1
			answer = append(answer, 0xc0, 12, 0, kindA, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
		}
		_, _ = ours.Write(binary.BigEndian.AppendUint16(nil, uint16(len(answer))))
		_, _ = ours.Write(answer)
	}()
	return theirs, nil
}

// The client does not trust the service's certificate, so a certificate error shows that a
// connection was made. In a synctest bubble, time passes only while the name server is silent.
func TestCreateWaitsForASlowNameServer(t *testing.T) {
	service := httptest.NewUnstartedServer(http.NotFoundHandler())
	service.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	service.StartTLS()
	t.Cleanup(service.Close)
	_, _ = net.DefaultResolver.LookupHost(t.Context(), "localhost") // Start Go's resolver before the synctest bubbles.
	base := strings.Replace(service.URL, "127.0.0.1", "pay.example.", 1)
	for _, test := range []struct {
		name    string
		first   func(query int, kind uint16) bool
		again   func(query int, kind uint16) bool
		atMost  time.Duration // Maximum time for the second order call.
		atLeast time.Duration // Minimum time for the first order call.
	}{
		{
			"the first queries are lost", func(query int, _ uint16) bool { return query <= 2 },
			func(int, uint16) bool { return false }, 0, 5 * time.Second,
		},
		{
			"queries for IPv6 are lost", func(_ int, kind uint16) bool { return kind == kindAAAA },
			func(_ int, kind uint16) bool { return kind == kindAAAA }, 3 * time.Second, 5 * time.Second,
		},
		{
			"the server fails after the first order", func(int, uint16) bool { return false },
			func(int, uint16) bool { return true }, 3 * time.Second, 0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &nameServer{queries: make(chan struct{}, 100), lost: test.first}
				before := net.DefaultResolver
				net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: server.dial}
				defer func() { net.DefaultResolver = before }()
				till := client(t, base)
				create := func() time.Duration {
					began := time.Now()
					if _, err := till.Create(t.Context(), order(t)); !errors.Is(err, payments.ErrUntrusted) {
						t.Errorf("got %v after %s, want a connection", err, time.Since(began))
					}
					return time.Since(began)
				}
				if took := create(); took < test.atLeast {
					t.Errorf("the first order took %s, so the name server was not silent", took)
				}
				server.mu.Lock()
				server.lost = test.again
				server.mu.Unlock()
				if took := create(); took > test.atMost {
					t.Errorf("the second order took %s", took)
				}
				time.Sleep(time.Minute) // Wait until the last look-up ends.
			})
		})
	}
}
