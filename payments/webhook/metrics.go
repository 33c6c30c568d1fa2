package webhook

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/VictoriaMetrics/metrics"

	"checkout/till/payments"
)

// meters are the listener's Prometheus metrics, in a set of their own. The
// library's histograms have buckets that Prometheus does not read, so there are
// none.
type meters struct {
	set           *metrics.Set
	answers       *metrics.Counter
	seconds       *metrics.FloatCounter
	storeFailures *metrics.Counter
}

// otherKind is the label of all kinds that the specification does not name: the
// sender chooses them, and every label costs memory.
const otherKind payments.EventKind = "other"

func newMeters(h *Handler, outbox bool) *meters {
	set := metrics.NewSet()
	m := &meters{
		set:           set,
		answers:       set.NewCounter("till_webhook_duration_seconds_count"),
		seconds:       set.NewFloatCounter("till_webhook_duration_seconds_sum"),
		storeFailures: set.NewCounter("till_webhook_store_failures_total"),
	}
	for _, kind := range append(payments.EventKinds(), otherKind) {
		for _, outcome := range payments.Outcomes() {
			if outcome != payments.Noticed { // Nothing that is delivered is.
				m.events(kind, outcome)
			}
		}
	}
	flag := func(name string, value func(payments.Health) bool) {
		set.NewGauge(name, func() float64 {
			if value(h.Health()) {
				return 1
			}
			return 0
		})
	}
	flag("till_webhook_store_up", func(health payments.Health) bool { return !health.StoreDown })
	flag("till_webhook_crowded", func(health payments.Health) bool { return health.Crowded })
	flag("till_webhook_signature_known", func(health payments.Health) bool {
		return health.Cause.Kind == payments.CauseSignatureKnown
	})
	if outbox {
		m.backlog(h.config)
	}
	return m
}

// backlog adds the gauges of the outbox.
func (m *meters) backlog(config Config) {
	add := func(name string, value func(payments.Backlog) float64) {
		m.set.NewGauge(name, func() float64 { return value(config.Backlog()) })
	}
	add("till_spool_events", func(b payments.Backlog) float64 { return float64(b.Events) })
	add("till_spool_bytes", func(b payments.Backlog) float64 { return float64(b.Bytes) })
	add("till_spool_set_aside_events", func(b payments.Backlog) float64 { return float64(b.SetAside) })
	add("till_spool_kept_total", func(b payments.Backlog) float64 { return float64(b.Kept) })
	add("till_spool_applied_total", func(b payments.Backlog) float64 { return float64(b.Applied) })
	add("till_spool_lost_total", func(b payments.Backlog) float64 { return float64(b.Lost) })
	add("till_spool_oldest_age_seconds", func(b payments.Backlog) float64 {
		if b.Oldest.IsZero() {
			return 0
		}
		return max(0, config.Now().Sub(b.Oldest).Seconds())
	})
}

// events returns the counter of received events of a kind and an outcome.
func (m *meters) events(kind payments.EventKind, outcome payments.Outcome) *metrics.Counter {
	if !slices.Contains(payments.EventKinds(), kind) {
		kind = otherKind
	}
	return m.set.GetOrCreateCounter(fmt.Sprintf("till_webhook_events_total{kind=%q,outcome=%q}", kind, outcome))
}

// refusals returns the counter of requests that were refused for a reason.
func (m *meters) refusals(reason Reason) *metrics.Counter {
	return m.set.GetOrCreateCounter(fmt.Sprintf("till_webhook_refusals_total{reason=%q}", reason))
}

// serveMetrics answers /metrics. The store is probed for its gauge.
func (h *Handler) serveMetrics(w http.ResponseWriter, r *http.Request) {
	_ = h.store.ask(r.Context(), probeAge) // Noted.
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.meters.set.WritePrometheus(w)
}
