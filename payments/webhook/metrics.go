package webhook

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
)

// The Prometheus counters with their labels.
const (
	storeFailures = "till_webhook_store_failures_total"
	refusalsOf    = "till_webhook_refusals_total{reason=%q}"
	eventsOf      = "till_webhook_events_total{kind=%q,outcome=%q}"
)

// otherKind is the label for every event kind that is not in the specification. Without it, a sender
// could invent any number of kinds, and each label needs memory.
const otherKind payments.EventKind = "other"

// newCounts returns all counters, set to 0. If a counter did not exist before its first event,
// Prometheus would see no increase, and an alarm would miss that event.
func newCounts() map[string]int {
	counts := map[string]int{storeFailures: 0}
	for _, reason := range []refusalReason{
		tooLarge, unreadable, noBody, noSignature, badSignature, malformed, noOrderReference, wrongPath, wrongMethod,
	} {
		counts[fmt.Sprintf(refusalsOf, reason)] = 0
	}
	for _, kind := range append(payments.EventKinds(), otherKind) {
		for _, effect := range payments.Effects() {
			counts[fmt.Sprintf(eventsOf, kind, effect)] = 0
		}
	}
	return counts
}

// histogram counts durations in buckets. The last bucket has no limit.
type histogram struct {
	buckets [11]int
	sum     float64 // In seconds.
}

// histogramLimits returns the upper limits of the buckets, in seconds.
func histogramLimits() []float64 { return []float64{.002, .005, .01, .025, .05, .1, .25, .5, 1, 5} }

func (h *histogram) add(took time.Duration) {
	at, _ := slices.BinarySearch(histogramLimits(), took.Seconds())
	h.buckets[at]++
	h.sum += took.Seconds()
}

// exposition writes metrics in the text format of Prometheus.
type exposition struct{ io.Writer }

func (e exposition) head(name, kind, help string) {
	_, _ = fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (e exposition) one(name, kind, help string, value any) {
	e.head(name, kind, help)
	_, _ = fmt.Fprintf(e, "%s %v\n", name, value)
}

func (e exposition) flag(name, help string, set bool) {
	e.one(name, "gauge", help, map[bool]int{true: 1}[set])
}

func (e exposition) histogram(name, help string, of histogram) {
	e.head(name, "histogram", help)
	total := 0
	for i, limit := range histogramLimits() {
		total += of.buckets[i]
		_, _ = fmt.Fprintf(e, "%s_bucket{le=\"%v\"} %d\n", name, limit, total)
	}
	total += of.buckets[len(of.buckets)-1]
	_, _ = fmt.Fprintf(e, "%s_bucket{le=\"+Inf\"} %d\n%s_sum %v\n%s_count %d\n", name, total, name, of.sum, name, total)
}

func (h *Handler) serveMetrics(w http.ResponseWriter, r *http.Request) {
	_ = h.probe(r.Context()) // Ignore the error: probe records it.
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.mu.Lock()
	counts, latency := maps.Clone(h.counts), h.latency
	h.mu.Unlock()
	out, family := exposition{w}, ""
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if metric, _, _ := strings.Cut(name, "{"); metric != family {
			family = metric
			out.head(metric, "counter", map[string]string{
				storeFailures:                 "Events that could not be stored and were answered 500.",
				"till_webhook_refusals_total": "Refused requests, by reason.",
				"till_webhook_events_total":   "Signed events, by kind and by their effect on the order.",
			}[metric])
		}
		_, _ = fmt.Fprintf(out, "%s %v\n", name, counts[name])
	}
	out.histogram("till_webhook_duration_seconds", "Time to store a signed event.", latency)
	build := fmt.Sprintf("till_build_info{version=%q,goversion=%q} 1\n", h.config.Version, runtime.Version())
	out.head("till_build_info", "gauge", "The version of the program.")
	_, _ = io.WriteString(out, build)
	health := h.Health()
	out.flag("till_webhook_store_up", "Whether events can be stored.", !health.StoreDown)
	out.flag("till_webhook_crowded", "Whether the connections are at their limit.", health.Crowded)
	out.flag("till_webhook_signature_known", "Whether many payments without an order came, so that the secret may be known.",
		health.Cause.Kind == payments.CauseSignatureKnown)
	out.head("till_finding", "gauge", "Problems that a person should do something about, by code. There is no series for other codes.")
	for _, finding := range h.findings(r.Context()) {
		_, _ = fmt.Fprintf(out, "till_finding{code=%q,check=%q,state=%q} 1\n", finding.Code, finding.Check, finding.State)
	}
	if h.config.Outbox == nil {
		return
	}
	outbox, age := h.config.Outbox(), 0.0
	if !outbox.Oldest.IsZero() {
		age = max(0, h.config.Now().Sub(outbox.Oldest).Seconds())
	}
	out.one("till_outbox_events", "gauge", "Events that wait for the database.", outbox.Events)
	out.one("till_outbox_set_aside_events", "gauge", "Events that the database keeps rejecting.", outbox.SetAside)
	out.one("till_outbox_kept_total", "counter", "Events that were kept in the outbox.", outbox.Queued)
	out.one("till_outbox_applied_total", "counter", "Events of the outbox that the database has stored.", outbox.Applied)
	out.one("till_outbox_lost_total", "counter", "Events that did not fit into the outbox.", outbox.Lost)
	out.one("till_outbox_oldest_age_seconds", "gauge", "Age of the oldest event that waits.", age)
}
