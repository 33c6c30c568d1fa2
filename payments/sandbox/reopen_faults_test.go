package sandbox_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// shelf is an archive in memory.
type shelf struct{ records []sandbox.Record }

func (s *shelf) Load(context.Context) ([]sandbox.Record, error) { return s.records, nil }

func (s *shelf) Save(_ context.Context, records []sandbox.Record) error {
	for _, saved := range records {
		at := slices.IndexFunc(s.records, func(kept sandbox.Record) bool {
			return kept.Kind == saved.Kind && kept.Name == saved.Name
		})
		if at < 0 {
			s.records = append(s.records, saved)
			continue
		}
		s.records[at] = saved
	}
	return nil
}

func TestAnOrderKeepsItsFaultsAcrossARestart(t *testing.T) {
	kept := &shelf{}
	before, err := sandbox.Reopen(t.Context(), kept, settings("http://127.0.0.1:8788/webhook"))
	if err != nil {
		t.Fatal(err)
	}
	run(t, before)
	_, plain := localOrder(t, before, "plain")
	_, faulty := localOrder(t, before, "faulty")
	// The lab would take no such delay; a program may set it.
	want := sandbox.EventFaults{Delay: 48 * time.Hour, Padding: 3, Slow: time.Second, Reason: "\xff", Signature: "odd"}
	if err := before.SetOrderFaults(faulty, want); err != nil {
		t.Fatal(err)
	}
	// The answer to this waits until everything before it is kept.
	if recorder := lab(before, http.MethodPost, "/lab/orders/"+faulty+"/act", `{"outcome": "success"}`); recorder.Code != http.StatusOK {
		t.Fatal(recorder.Body)
	}
	after, err := sandbox.Reopen(t.Context(), kept, settings("http://127.0.0.1:8788/webhook"))
	if err != nil {
		t.Fatal(err)
	}
	want.Reason = "\ufffd"
	if got, err := after.OrderFaults(faulty); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := after.OrderFaults(plain); err != nil || got != (sandbox.EventFaults{}) {
		t.Errorf("an order without faults has %+v, %v", got, err)
	}
	text := lab(after, http.MethodGet, "/lab/deliveries", "").Body.String()
	if !strings.Contains(text, `"stage":"waiting"`) || !strings.Contains(text, string(payments.PaymentSuccess)) {
		t.Errorf("the delivery is %s", text)
	}
}
