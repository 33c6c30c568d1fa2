package webhook_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/webhook"
)

// crowd is a listener on pipes, in a synctest bubble.
type crowd struct {
	piped
	handler *webhook.Handler
}

// crowded starts a listener with a limit for connections. The returned function stops it.
func crowded(t *testing.T, receiver *receiver, connections int) (c crowd, stop func()) {
	config := config(t)
	config.Crowded = func() bool { return c.server.Crowded() }
	c.handler = webhook.NewHandler(receiver, config)
	limits := webhook.DefaultLimits()
	limits.Connections = connections
	c.piped, stop = startPiped(t, c.handler, limits)
	return c, stop
}

// deliver delivers an event on a new connection, and fails after four seconds: an event that waits
// until another connection times out needs at least five.
func (c crowd) deliver() {
	c.t.Helper()
	began := time.Now()
	response, err := http.ReadResponse(bufio.NewReader(c.open(post(successBody))), nil)
	if took := time.Since(began); err != nil || response.StatusCode != http.StatusOK || took > 4*time.Second {
		c.t.Errorf("after %s the event was answered %+v, %v", took, response, err)
	}
}

// says reports whether both /readyz and the health say that the listener is crowded.
func (c crowd) says() bool {
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	return strings.Contains(recorder.Body.String(), "crowded") && c.handler.Health().Crowded
}

// TestIdleAndSlowConnectionsDoNotDelayEvents delivers events to a listener for 64 connections while it opens 800
// connections in four seconds. Each of them is idle or sends an unfinished request.
func TestIdleAndSlowConnectionsDoNotDelayEvents(t *testing.T) {
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
	for name, test := range map[string]struct {
		sends   []string
		crowded bool // Whether the listener must say that it is crowded.
	}{
		"all kinds at once": {attacks, false},
		"requests that only a timeout ends are reported as a crowd": {attacks[5:], true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const count, length = 800, 4 * time.Second
				c, stop := crowded(t, &receiver{receipt: payments.Receipt{Status: payments.StatusSuccess}}, 64)
				var attack sync.WaitGroup
				attack.Go(func() {
					for i := range count {
						time.Sleep(length / count)
						connection := c.open(test.sends[i%len(test.sends)])
						go func() { _, _ = io.Copy(io.Discard, connection) }()
					}
				})
				said := false
				for began := time.Now(); time.Since(began) < length; time.Sleep(250 * time.Millisecond) {
					c.deliver()
					said = said || c.says()
				}
				attack.Wait()
				if test.crowded && !said {
					t.Error("neither /readyz nor the health say that it is crowded")
				}
				stop()
			})
		})
	}
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
				c, stop := crowded(t, receiver, 2)
				open := func(text string) net.Conn {
					defer time.Sleep(200 * time.Millisecond)
					return c.open(text)
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
				time.Sleep(200 * time.Millisecond) // The next connections are younger than the answer.
				for range 2 {
					open("POST /webhook HTTP/1.1\r\nHost:")
				}
				answered := time.Now() // From now on, its connection is like any other.
				if _, _ = event.Read(make([]byte, 1)); time.Since(answered) > time.Second {
					t.Errorf("the answered connection is kept for %v", time.Since(answered))
				}
				stop()
			})
		})
	}
}
