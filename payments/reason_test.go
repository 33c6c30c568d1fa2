package payments_test

import (
	"errors"
	"testing"

	"checkout/till/payments"
)

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
