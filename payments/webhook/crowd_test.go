package webhook_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/webhook"
)

// deliverOnce delivers an event on a new connection, and fails after four seconds: an event that
// waits until another connection times out needs at least five.
func deliverOnce(t *testing.T, address string) {
	t.Helper()
	conn := dial(t, address)
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(4 * time.Second))
	if response := ask(t, conn, post(successBody)); response.StatusCode != http.StatusOK {
		t.Errorf("the event was answered %d", response.StatusCode)
	}
}

// TestIdleAndSlowConnectionsDoNotDelayEvents delivers events to a listener for 64 connections while it opens 800
// connections in four seconds. Each of them is idle or sends an unfinished request.
func TestIdleAndSlowConnectionsDoNotDelayEvents(t *testing.T) {
	t.Parallel()
	stranger := strings.Replace(post(successBody), secretValue, strings.Repeat("0", 64), 1)
	attacks := []string{
		"",
		"GET /webhook HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /success HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
		"GET /success HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
		"POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n",
		stranger[:strings.Index(stranger, "\r\n\r\n")+4],
		"POST /webhook HTTP/1.1\r\nHost:",
	}
	const count, length = 800, 4 * time.Second
	limits := webhook.DefaultLimits()
	limits.Connections = 64
	run := func(t *testing.T, sends ...string) (crowded bool) {
		var server *webhook.Server
		rig := newRig(t, func(c *webhook.Config) {
			c.Crowded = func() bool { return server.Crowded() }
		})
		server = serve(t, rig.handler, limits)
		var attack sync.WaitGroup
		attack.Go(func() {
			open := make([]net.Conn, 0, count)
			for i, every := 0, time.Tick(length/count); i < count; i++ {
				<-every
				conn, err := net.Dial("tcp", server.Addr())
				if err != nil {
					t.Error(err)
					break
				}
				_, _ = io.WriteString(conn, sends[i%len(sends)])
				open = append(open, conn)
			}
			for _, conn := range open {
				_ = conn.Close()
			}
		})
		for ended := time.After(length); ; {
			select {
			case <-ended:
				attack.Wait()
				return crowded
			case <-time.After(250 * time.Millisecond):
			}
			deliverOnce(t, server.Addr())
			said := strings.Contains(rig.get("/readyz", nil).Body.String(), "crowded")
			crowded = crowded || said && rig.handler.Health().Crowded
		}
	}
	t.Run("all kinds at once", func(t *testing.T) {
		t.Parallel()
		run(t, attacks...)
	})
	t.Run("requests that only a timeout ends are reported as a crowd", func(t *testing.T) {
		t.Parallel()
		if !run(t, attacks[5:]...) {
			t.Error("neither /readyz nor the health say that it is crowded")
		}
	})
}

// TestASignedEventKeepsItsConnectionBeforeItsBodyArrives fills a listener for two connections while an
// event waits for its body.
func TestASignedEventKeepsItsConnectionBeforeItsBodyArrives(t *testing.T) {
	whole := post(successBody)
	head, body, _ := strings.Cut(whole, "\r\n\r\n")
	for _, test := range []struct {
		name, head string
		kept       bool
	}{
		{"the static signature", head, true},
		{"a wrong signature", strings.Replace(head, secretValue, strings.Repeat("0", 64), 1), false},
		{"no signature", strings.Replace(head, "X-Svc-Signature", "X-Other", 1), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				receiver := &receiver{receipt: payments.Receipt{Status: payments.StatusSuccess}}
				limits := webhook.DefaultLimits()
				limits.Connections = 2
				bound := make(pipes)
				server := webhook.NewServer(bound, webhook.NewHandler(receiver, config(t)), limits, slog.New(slog.DiscardHandler))
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error, 1)
				go func() { done <- server.Serve(ctx) }()
				open := func(text string) net.Conn {
					ours, theirs := net.Pipe()
					t.Cleanup(func() { _ = ours.Close() })
					bound <- theirs
					_, err := io.WriteString(ours, text)
					must(t, err)
					time.Sleep(200 * time.Millisecond)
					return ours
				}
				event := open(test.head + "\r\n\r\n")
				for range 4 {
					open("POST /webhook HTTP/1.1\r\nHost:")
				}
				_, _ = io.WriteString(event, body)
				response, err := http.ReadResponse(bufio.NewReader(event), nil)
				if kept := err == nil && response.StatusCode == http.StatusOK; kept != test.kept || kept != (receiver.calls == 1) {
					t.Errorf("kept is %v, want %v (%v)", kept, test.kept, err)
				}
				stop()
				must(t, <-done)
			})
		})
	}
}
