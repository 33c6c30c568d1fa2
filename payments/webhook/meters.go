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
	duration      *metrics.Histogram
	storeFailures *metrics.Counter
}

func newMeters() *meters {
	set := metrics.NewSet()
	m := &meters{
		set:           set,
		duration:      set.NewHistogram("till_webhook_duration_seconds"),
		storeFailures: set.NewCounter("till_webhook_store_failures_total"),
	}
	return m
}

// event counts a stored event. Kinds that the specification does not name are
// counted together: the sender chooses them, and every label costs memory.
func (m *meters) event(kind payments.EventKind, outcome payments.Outcome) {
	if !slices.Contains(payments.EventKinds(), kind) {
		kind = "other"
	}
	name := fmt.Sprintf("till_webhook_events_total{kind=%q,outcome=%q}", kind, outcome)
	m.set.GetOrCreateCounter(name).Inc()
}

func (m *meters) refusal(reason Reason) {
	m.set.GetOrCreateCounter(fmt.Sprintf("till_webhook_refusals_total{reason=%q}", reason)).Inc()
}
