package payments_test

import (
	"fmt"
	"testing"

	"checkout/till/payments"
)

func TestTheReasonOfAnOrderIsTakenApart(t *testing.T) {
	for _, c := range []struct {
		name, kept, detail string
		fault              payments.Fault
	}{
		{"what a customer sees", "Solde insuffisant", "Solde insuffisant", ""},
		{"nothing", "", "", ""},
		{"it was not sent", fmt.Sprintf("%v: %v: dial tcp", payments.ErrNotSent, payments.ErrNoHost), "dial tcp", payments.ErrNoHost},
		{"it was not sent for another reason", payments.ErrNotSent.Error() + ": a certificate", "a certificate", ""},
		{"silence", payments.ErrNoAnswer.Error(), "", payments.ErrNoAnswer},
		{"a status", payments.ErrAnswered.Error() + ": 503 Unavailable: closed", "503 Unavailable: closed", payments.ErrAnswered},
		{"an unsound answer", payments.ErrUnsoundReply.Error() + ": no checkout_url", "no checkout_url", payments.ErrUnsoundReply},
		{"a taken reference", payments.ErrOrderReferenceTaken.Error(), "", payments.ErrOrderReferenceTaken},
		{"words that only begin so", "no answer came in time for lunch", "no answer came in time for lunch", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := payments.Order{Error: c.kept}.Reason()
			if got.Fault != c.fault || got.Detail != c.detail {
				t.Errorf("it is %v, %q", got.Fault, got.Detail)
			}
		})
	}
	for _, fault := range payments.Faults() {
		if got := (payments.Order{Error: fault.Error() + ": more"}).Reason(); got.Fault != fault || got.Detail != "more" {
			t.Errorf("%q is kept as %+v", fault, got)
		}
	}
}
