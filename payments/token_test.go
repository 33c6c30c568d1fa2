package payments_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/secret"
)

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
