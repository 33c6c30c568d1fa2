package sandbox

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"checkout/till/payments"
)

const (
	// maxCalls is how many order calls are remembered for the dashboard.
	maxCalls = 20
	// maxCallReply is how much of an order call's answer is remembered, in
	// bytes.
	maxCallReply = 1 << 10
)

// call is an order call and its answer. The request is not remembered: the
// access token stands in it.
type call struct {
	at     time.Time
	took   time.Duration
	status int    // 0 when the connection ended without an answer.
	reply  []byte // Its beginning.
}

// calls remembers the last order calls, those that made no order too: why one
// is refused is the first thing that a merchant's program has to learn.
type calls struct {
	now     payments.Clock
	changed func() // It must not block.

	mu   sync.Mutex
	last []call // The oldest first.
}

// watched has the order call answered by a handler, and remembers the answer.
func (c *calls) watched(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		noted := &notedAnswer{ResponseWriter: w, call: call{at: c.now()}}
		// A connection that is cut ends the handler with a panic.
		defer func() {
			noted.took = c.now().Sub(noted.at)
			c.remember(noted.call)
		}()
		next(noted, r)
	}
}

func (c *calls) remember(one call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.last) == maxCalls {
		c.last = slices.Delete(c.last, 0, 1)
	}
	c.last = append(c.last, one)
	c.changed()
}

// newest returns the order calls, the newest first.
func (c *calls) newest() []call {
	c.mu.Lock()
	defer c.mu.Unlock()
	newest := slices.Clone(c.last)
	slices.Reverse(newest)
	return newest
}

// notedAnswer notes what is answered to an order call on its way out.
type notedAnswer struct {
	http.ResponseWriter
	call
}

// Unwrap lets an [http.ResponseController] reach the connection.
func (a *notedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader notes the status.
func (a *notedAnswer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Write notes the beginning of the body.
func (a *notedAnswer) Write(body []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	if room := maxCallReply - len(a.reply); room > 0 {
		a.reply = append(a.reply, body[:min(room, len(body))]...)
	}
	return a.ResponseWriter.Write(body)
}
