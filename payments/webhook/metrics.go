package webhook

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"

	"checkout/till/payments"
)

// The counters in the text format of Prometheus, with their labels.
const (
	answersCounted = "till_webhook_duration_seconds_count"
	secondsCounted = "till_webhook_duration_seconds_sum"
	storeFailures  = "till_webhook_store_failures_total"
	refusalsOf     = "till_webhook_refusals_total{reason=%q}"
	eventsOf       = "till_webhook_events_total{kind=%q,outcome=%q}"
)

// otherKind is the label of all kinds that the specification does not name: the
// sender chooses them, and every label costs memory.
const otherKind payments.EventKind = "other"

// counters are counted up, by name.
type counters struct {
	mu     sync.Mutex
	counts map[string]float64
}

func newCounters() *counters {
	counts := map[string]float64{answersCounted: 0, secondsCounted: 0, storeFailures: 0}
	for _, kind := range append(payments.EventKinds(), otherKind) {
		for _, outcome := range payments.Outcomes() {
			if outcome != payments.Noticed { // Nothing that is delivered is.
				counts[fmt.Sprintf(eventsOf, kind, outcome)] = 0
			}
		}
	}
	return &counters{counts: counts}
}

func (c *counters) add(name string, count float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[name] += count
}

// addEvent counts a received event.
func (c *counters) addEvent(kind payments.EventKind, outcome payments.Outcome) {
	if !slices.Contains(payments.EventKinds(), kind) {
		kind = otherKind
	}
	c.add(fmt.Sprintf(eventsOf, kind, outcome), 1)
}

func (c *counters) write(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(c.counts)) {
		_, _ = fmt.Fprintf(w, "%s %v\n", name, c.counts[name])
	}
}

// serveMetrics answers /metrics. The store is probed for its gauge.
func (h *Handler) serveMetrics(w http.ResponseWriter, r *http.Request) {
	_ = h.store.ask(r.Context(), probeAge) // Noted.
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.counters.write(w)
	health := h.Health()
	for name, set := range map[string]bool{
		"till_webhook_store_up":        !health.StoreDown,
		"till_webhook_crowded":         health.Crowded,
		"till_webhook_signature_known": health.Cause.Kind == payments.CauseSignatureKnown,
	} {
		_, _ = fmt.Fprintf(w, "%s %d\n", name, map[bool]int{true: 1}[set])
	}
	if h.config.Backlog == nil {
		return
	}
	backlog, age := h.config.Backlog(), 0.0
	if !backlog.Oldest.IsZero() {
		age = max(0, h.config.Now().Sub(backlog.Oldest).Seconds())
	}
	_, _ = fmt.Fprintf(w, "till_spool_events %d\ntill_spool_bytes %d\ntill_spool_set_aside_events %d\ntill_spool_kept_total %d\n"+
		"till_spool_applied_total %d\ntill_spool_lost_total %d\ntill_spool_oldest_age_seconds %v\n",
		backlog.Events, backlog.Bytes, backlog.SetAside, backlog.Kept, backlog.Applied, backlog.Lost, age)
}
