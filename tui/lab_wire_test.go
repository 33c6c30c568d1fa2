package tui_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// labClock is a clock that stands still until it is moved.
type labClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *labClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *labClock) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// exchange is one request of the service to the listener, and what came back.
type exchange struct {
	body   []byte // As far as it was sent.
	signed []string
	status int // 0 when there was no reply.
}

// wire carries the service's events to the listener, and keeps them.
type wire struct {
	http.Transport
	mu  sync.Mutex
	all []exchange
}

// RoundTrip sends a request by the network.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := &sending{ReadCloser: r.Body}
	copied := r.Clone(r.Context())
	copied.Body, copied.GetBody = sent, nil
	response, err := w.Transport.RoundTrip(copied)
	done := exchange{body: sent.kept(), signed: r.Header.Values(labHeader)}
	if err == nil {
		done.status = response.StatusCode
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, done)
	return response, err
}

// sending is a body on its way. A reply may come before its end.
type sending struct {
	io.ReadCloser
	mu   sync.Mutex
	sent bytes.Buffer
}

func (s *sending) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent.Write(p[:n])
	return n, err
}

func (s *sending) kept() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.sent.Bytes())
}

// exchanges are what went over the wire until now.
func (w *wire) exchanges() []exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all)
}

// replies are the statuses that the service got, in turn.
func (w *wire) replies() []int {
	replies := []int{}
	for _, done := range w.exchanges() {
		replies = append(replies, done.status)
	}
	return replies
}
