package payments_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/secret"
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

func TestReasonErrorIsASentence(t *testing.T) {
	for want, reason := range map[string]payments.Reason{
		"":                  {},
		"Solde insuffisant": {Detail: "Solde insuffisant"},
		"the order was not sent: no such host: dial tcp": {Fault: payments.ErrNoHost, Detail: "dial tcp"},
		"the order was not sent: a certificate":          {Fault: payments.ErrNotSent, Detail: "a certificate"},
		"no answer came in time":                         {Fault: payments.ErrNoAnswer},
		"the service answered: 503 Unavailable: closed":  {Fault: payments.ErrAnswered, Detail: "503 Unavailable: closed"},
		"later": {Fault: "later"},
	} {
		if got := reason.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTenFaultsMeanThatTheOrderWasNotSent(t *testing.T) {
	unsent := 0
	for _, fault := range payments.CallErrors() {
		reason := payments.Reason{Fault: fault, Detail: "more"}
		if !errors.Is(reason, fault) || fault.Error() == string(fault) {
			t.Errorf("%v is not %v", reason, fault)
		}
		if errors.Is(reason, payments.ErrNotSent) {
			unsent++
		}
	}
	if unsent != 10 || !errors.Is(payments.Reason{Fault: payments.ErrNotSent}, payments.ErrNotSent) {
		t.Errorf("%d faults match ErrNotSent, want 10", unsent)
	}
}

func TestTheTokenPrefixTellsLiveFromTest(t *testing.T) {
	for text, want := range map[string]struct{ token, test bool }{
		"TGP_a": {token: true}, "TGPT_a": {token: true, test: true}, "TGP_": {}, "TGPT_": {test: true},
		"": {}, "tgp_a": {}, "sk_live_a": {}, " TGP_a": {},
	} {
		token := secret.New(text)
		if payments.IsToken(token) != want.token || payments.IsTestToken(token) != want.test {
			t.Errorf("%q: IsToken %v, IsTestToken %v", text, payments.IsToken(token), payments.IsTestToken(token))
		}
	}
}
