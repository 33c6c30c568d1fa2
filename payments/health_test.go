package payments_test

import (
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
)

func TestAListenersHealth(t *testing.T) {
	for _, kind := range payments.CauseKinds() {
		if kind == payments.CauseNone || !(payments.Health{Cause: payments.Cause{Kind: kind}}).Suspicious() {
			t.Errorf("the cause %q is no reason to look", kind)
		}
	}
	if !(payments.Health{Refused: 1}).Suspicious() || (payments.Health{Listening: true}).Suspicious() {
		t.Error("a refused webhook is the reason to look")
	}
	hostile := payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X-\x1b[2J" + strings.Repeat("w", 100)}
	if shown := hostile.Shown(); strings.Contains(shown, "\x1b") || len([]rune(shown)) > 40 {
		t.Errorf("the detail is shown as %q", shown)
	}
	if outcomes := payments.Effects(); len(slices.Compact(slices.Sorted(slices.Values(outcomes)))) != 6 {
		t.Errorf("the outcomes are %q", outcomes)
	}
}
