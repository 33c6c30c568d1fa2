package payments_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestCausesMakeTheHealthSuspicious(t *testing.T) {
	for _, kind := range payments.CauseKinds() {
		if kind == payments.CauseNone || !(payments.Health{Cause: payments.Cause{Kind: kind}}).Suspicious() {
			t.Errorf("the cause %q is not suspicious", kind)
		}
	}
	if (payments.Health{Listening: true, Refused: 1}).Suspicious() {
		t.Error("a refused request is suspicious")
	}
	hostile := payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X-\x1b[2J" + strings.Repeat("w", 100)}
	if shown := hostile.Display(); strings.Contains(shown, "\x1b") || len([]rune(shown)) > 40 {
		t.Errorf("the detail is shown as %q", shown)
	}
	if outcomes := payments.Effects(); len(slices.Compact(slices.Sorted(slices.Values(outcomes)))) != 6 {
		t.Errorf("the outcomes are %q", outcomes)
	}
}

func TestAClockMayDifferByTwoMinutes(t *testing.T) {
	for ahead, want := range map[time.Duration]bool{0: false, 2 * time.Minute: false, -2*time.Minute - 1: true, 3 * time.Hour: true} {
		if got := (payments.Health{Ahead: ahead}).ClockOff(); got != want {
			t.Errorf("%v ahead: off is %v, want %v", ahead, got, want)
		}
	}
}

func TestUnseenErrorNamesTheReach(t *testing.T) {
	err := &payments.UnseenError{Reach: payments.ReachRefused}
	if !strings.Contains(err.Error(), "would not be seen: refused") {
		t.Errorf("error %v, want the reach", err)
	}
}
