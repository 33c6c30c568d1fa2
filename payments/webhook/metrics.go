package webhook

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"checkout/till/payments"
)

// The Prometheus counters with their labels.
const (
	storeFailures = "till_webhook_store_failures_total"
	refusalsOf    = "till_webhook_refusals_total{reason=%q}"
	eventsOf      = "till_webhook_events_total{kind=%q,outcome=%q}"
)

// otherKind is the label for all event kinds that are not in the specification. A sender
// can invent any number of kinds, and each label would use memory.
const otherKind payments.EventKind = "other"

// serveMetrics answers /metrics. It probes the store for the store_up gauge.
func (h *Handler) serveMetrics(w http.ResponseWriter, r *http.Request) {
	_ = h.probe(r.Context()) // probe records the result.
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.mu.Lock()
	counts := maps.Clone(h.counts)
	h.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		_, _ = fmt.Fprintf(w, "%s %v\n", name, counts[name])
	}
	health := h.Health()
	for name, set := range map[string]bool{
		"till_webhook_store_up":        !health.StoreDown,
		"till_webhook_crowded":         health.Crowded,
		"till_webhook_signature_known": health.Cause.Kind == payments.CauseSignatureKnown,
	} {
		_, _ = fmt.Fprintf(w, "%s %d\n", name, map[bool]int{true: 1}[set])
	}
	if h.config.Outbox == nil {
		return
	}
	outbox, age := h.config.Outbox(), 0.0
	if !outbox.Oldest.IsZero() {
		age = max(0, h.config.Now().Sub(outbox.Oldest).Seconds())
	}
	_, _ = fmt.Fprintf(w, "till_outbox_events %d\ntill_outbox_set_aside_events %d\ntill_outbox_kept_total %d\n"+
		"till_outbox_applied_total %d\ntill_outbox_lost_total %d\ntill_outbox_oldest_age_seconds %v\n",
		outbox.Events, outbox.SetAside, outbox.Queued, outbox.Applied, outbox.Lost, age)
}
