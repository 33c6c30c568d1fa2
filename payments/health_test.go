package payments_test

import (
	"slices"
	"strings"
	"testing"
	"time"

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

func TestAClockIsOffByMoreThanTwoMinutes(t *testing.T) {
	for ahead, want := range map[time.Duration]bool{0: false, 2 * time.Minute: false, -2*time.Minute - 1: true, 3 * time.Hour: true} {
		if got := (payments.Health{Ahead: ahead}).ClockOff(); got != want {
			t.Errorf("a clock that is %v apart is off: %v", ahead, got)
		}
	}
}

func TestAnOrderThatIsNotMadeSaysWhy(t *testing.T) {
	err := &payments.UnseenError{Reach: payments.ReachRefused}
	if !strings.Contains(err.Error(), "would not be seen: refused") {
		t.Errorf("it says %v", err)
	}
}
