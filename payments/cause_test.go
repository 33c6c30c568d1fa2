package payments_test

import (
	"strings"
	"testing"

	"checkout/till/payments"
)

func TestACauseShowsItsDetailCleaned(t *testing.T) {
	cause := payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X-\x1b[31mSum\u202e" + strings.Repeat("y", 100)}
	if text := cause.Shown(); strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, "…") {
		t.Errorf("it shows %q", text)
	}
}

func TestEveryCauseIsSuspicious(t *testing.T) {
	for _, kind := range payments.CauseKinds() {
		if !(payments.Health{Cause: payments.Cause{Kind: kind}}).Suspicious() {
			t.Errorf("%s is not", kind)
		}
	}
	if (payments.Health{Listening: true}).Suspicious() || !(payments.Health{Refused: 1}).Suspicious() {
		t.Error("a refusal is what is suspicious")
	}
}
