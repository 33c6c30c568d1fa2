package tuitest_test

import (
	"testing"

	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/tui/tuitest"
)

func TestTheStaticSignatureIsTheGateways(t *testing.T) {
	if want := gateway.Sign(gateway.Static, secret.New(tuitest.WebhookSecret), nil); tuitest.StaticSignature != want {
		t.Errorf("the static signature is %s, want %s", tuitest.StaticSignature, want)
	}
}
