package payments_test

import (
	"errors"
	"fmt"
	"testing"

	"checkout/till/payments"
)

func TestTheReasonOfAnOrderIsTakenApart(t *testing.T) {
	for _, c := range []struct {
		name, kept, detail string
		cause              error
	}{
		{"what a customer sees", "Solde insuffisant", "Solde insuffisant", nil},
		{"nothing", "", "", nil},
		{"it was not sent", fmt.Sprintf("%v: dial tcp: no such host", payments.ErrNotSent), "dial tcp: no such host", payments.ErrNotSent},
		{"silence", payments.ErrNoAnswer.Error(), "", payments.ErrNoAnswer},
		{"a status", fmt.Sprintf("%v 503 Service Unavailable: closed", payments.ErrAnswered), "503 Service Unavailable: closed", payments.ErrAnswered},
		{"an unsound answer", fmt.Sprintf("%v: it has no checkout_url", payments.ErrUnsoundReply), "it has no checkout_url", payments.ErrUnsoundReply},
		{"a taken reference", payments.ErrOrderReferenceTaken.Error(), "", payments.ErrOrderReferenceTaken},
		{"words that only begin so", "no answer came in time for lunch", "no answer came in time for lunch", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := payments.Order{Error: c.kept}.Reason()
			if !errors.Is(got.Cause, c.cause) || got.Detail != c.detail {
				t.Errorf("it is %v, %q", got.Cause, got.Detail)
			}
		})
	}
}
