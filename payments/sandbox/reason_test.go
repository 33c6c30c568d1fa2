package sandbox_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestTheReasonOfAnEventIsFrench(t *testing.T) {
	for kind, want := range map[payments.EventKind]string{
		payments.PaymentSuccess: "", payments.PaymentFailed: "Solde insuffisant",
		payments.PaymentCanceled: "Paiement annulé par le client", payments.PaymentExpired: "Délai de paiement dépassé",
	} {
		if got := sandbox.Reason(kind, sandbox.LowBalance); got != want {
			t.Errorf("%s has the reason %q, want %q", kind, got, want)
		}
	}
}
