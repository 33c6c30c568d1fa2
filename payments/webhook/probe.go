package webhook

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Backlog is what was received and could not be stored yet.
type Backlog struct {
	Events   int       // That wait, those set aside included.
	Bytes    int64     // Of their bodies.
	Oldest   time.Time // When the oldest came; zero for none.
	SetAside int       // That the store refuses although it works.
	Kept     int64     // So many were put aside since the start.
	Applied  int64     // So many of them were stored since.
	Lost     int64     // So many were neither stored nor put aside since the start.
	Away     bool      // The store could not be used when it was tried last.
}

// backlog returns what waits now.
func (c Config) backlog() Backlog {
	if c.Backlog == nil {
		return Backlog{}
	}
	return c.Backlog()
}

// serveHealth answers /healthz, which says whether events can be stored, and
// /readyz, by which a load balancer decides: a listener that puts events aside
// is better than none.
func (h *Handler) serveHealth(w http.ResponseWriter, r *http.Request) {
	// Who hangs up must not make the store look broken.
	ctx := context.WithoutCancel(r.Context())
	if r.URL.Path == "/readyz" && h.config.Ready != nil {
		report(w, h.config.Ready(ctx), "events are neither stored nor kept", h.config.backlog())
		return
	}
	report(w, h.probe(ctx), "events cannot be stored", h.config.backlog())
}

// probe asks the store whether events can be stored, and notes the answer.
func (h *Handler) probe(ctx context.Context) error {
	if h.config.Healthy == nil {
		return nil
	}
	err := h.config.Healthy(ctx)
	h.journal.storeAnswered(err)
	return err
}

// report answers a question after the health.
func report(w http.ResponseWriter, fault error, problem string, backlog Backlog) {
	status, text := http.StatusOK, "ok"
	if fault != nil {
		status, text = http.StatusServiceUnavailable, problem
	}
	if backlog.Away {
		text += "; the database is away"
	}
	if backlog.Events > 0 {
		text += fmt.Sprintf("; waiting in the spool: %d", backlog.Events)
	}
	writeText(w, status, text)
}

// Failed receives whenever the store has begun to fail.
func (h *Handler) Failed() <-chan struct{} { return h.journal.failed }

// Recheck asks whether events can be stored, if the last one could not, and
// returns the answer. A store that works again is then trusted before the next
// event comes.
func (h *Handler) Recheck(ctx context.Context) error {
	if !h.journal.storeFails() {
		return nil
	}
	return h.probe(ctx)
}
