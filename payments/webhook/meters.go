package webhook

import (
	"fmt"
	"slices"

	"github.com/VictoriaMetrics/metrics"

	"checkout/till/payments"
)

// meters are the listener's metrics, in a set of their own.
type meters struct {
	set           *metrics.Set
	answers       *metrics.Counter
	seconds       *metrics.FloatCounter
	storeFailures *metrics.Counter
}

func newMeters() *meters {
	set := metrics.NewSet()
	m := &meters{
		set:           set,
		answers:       set.NewCounter("till_webhook_duration_seconds_count"),
		seconds:       set.NewFloatCounter("till_webhook_duration_seconds_sum"),
		storeFailures: set.NewCounter("till_webhook_store_failures_total"),
	}
	return m
}

// gauges adds what is read when the metrics are: whether the store worked when
// it was asked last, and what waits.
func (m *meters) gauges(journal *journal, config Config) {
	add := func(name string, value func() float64) { m.set.NewGauge(name, value) }
	add("till_webhook_store_up", func() float64 {
		if journal.storeFails() {
			return 0
		}
		return 1
	})
	if config.Backlog == nil {
		return
	}
	add("till_spool_events", func() float64 { return float64(config.Backlog().Events) })
	add("till_spool_bytes", func() float64 { return float64(config.Backlog().Bytes) })
	add("till_spool_set_aside_events", func() float64 { return float64(config.Backlog().SetAside) })
	add("till_spool_kept_total", func() float64 { return float64(config.Backlog().Kept) })
	add("till_spool_applied_total", func() float64 { return float64(config.Backlog().Applied) })
	add("till_spool_lost_total", func() float64 { return float64(config.Backlog().Lost) })
	add("till_spool_oldest_age_seconds", func() float64 {
		oldest := config.Backlog().Oldest
		if oldest.IsZero() {
			return 0
		}
		return max(0, config.Now().Sub(oldest).Seconds())
	})
}

// answered counts an answer and the seconds that it took. The library's
// histograms have buckets that Prometheus does not read, so there are none.
func (m *meters) answered(seconds float64) {
	m.answers.Inc()
	m.seconds.Add(seconds)
}

// event counts a stored event. Kinds that the specification does not name are
// counted together: the sender chooses them, and every label costs memory.
func (m *meters) event(kind payments.EventKind, outcome payments.Outcome) {
	if !slices.Contains(payments.EventKinds(), kind) {
		kind = "other"
	}
	name := `till_webhook_events_total{kind="` + string(kind) + `",outcome="` + string(outcome) + `"}`
	m.set.GetOrCreateCounter(name).Inc()
}

func (m *meters) refusal(reason Reason) {
	m.set.GetOrCreateCounter(fmt.Sprintf("till_webhook_refusals_total{reason=%q}", reason)).Inc()
}
