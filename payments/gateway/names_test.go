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
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
)

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
