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
	events        map[label]*metrics.Counter
}

// label is what stored events are counted by.
type label struct {
	kind    payments.EventKind
	outcome payments.Outcome
}

func (l label) name() string {
	return fmt.Sprintf("till_webhook_events_total{kind=%q,outcome=%q}", l.kind, l.outcome)
}

// other stands for all kinds that the specification does not name: the sender
// chooses them, and every label costs memory.
const other payments.EventKind = "other"

func newMeters() *meters {
	set := metrics.NewSet()
	m := &meters{
		set:           set,
		answers:       set.NewCounter("till_webhook_duration_seconds_count"),
		seconds:       set.NewFloatCounter("till_webhook_duration_seconds_sum"),
		storeFailures: set.NewCounter("till_webhook_store_failures_total"),
		events:        map[label]*metrics.Counter{},
	}
	for _, kind := range append(payments.EventKinds(), other) {
		for _, outcome := range []payments.Outcome{
			payments.Applied, payments.Unchanged, payments.Duplicate, payments.NoSuchOrder,
		} {
			m.events[label{kind, outcome}] = set.NewCounter(label{kind, outcome}.name())
		}
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

// event counts a stored event.
func (m *meters) event(kind payments.EventKind, outcome payments.Outcome) {
	if !slices.Contains(payments.EventKinds(), kind) {
		kind = other
	}
	counter, known := m.events[label{kind, outcome}]
	if !known {
		counter = m.set.GetOrCreateCounter(label{kind, outcome}.name())
	}
	counter.Inc()
}

func (m *meters) refusal(reason Reason) {
	m.set.GetOrCreateCounter(fmt.Sprintf("till_webhook_refusals_total{reason=%q}", reason)).Inc()
}
