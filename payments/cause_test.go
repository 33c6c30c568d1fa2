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
