package payments_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"checkout/till/payments"
)

func TestASecretIsNotPrinted(t *testing.T) {
	const token = "TGP_test_not_a_real_token"
	secret := payments.NewSecret(token)
	if secret.Reveal() != token || secret.Empty() || secret != payments.NewSecret(token) || secret == payments.NewSecret("other") {
		t.Fatal("the secret does not hold its text")
	}
	var none payments.Secret
	if !none.Empty() || none.Reveal() != "" || payments.NewSecret("") != none {
		t.Error("an empty secret is not empty")
	}
	hidden := struct{ token payments.Secret }{secret}
	open := struct{ Token payments.Secret }{secret}
	var out strings.Builder
	for verb := range strings.SplitSeq("v +v #v s q x X d t p T", " ") {
		for _, value := range []any{secret, &secret, hidden, &hidden, open, &open, []payments.Secret{secret}, fmt.Errorf("x: %v", secret)} {
			fmt.Fprintf(&out, "%"+verb+"\n", value)
		}
	}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("settings", "token", secret, "open", open, "hidden", hidden, "pointer", &hidden)
	}
	for _, encode := range []func(any) ([]byte, error){json.Marshal, xml.Marshal} {
		text, err := encode(secret)
		if err != nil || !strings.Contains(string(text), "[redacted]") {
			t.Errorf("encoded as %q, %v", text, err)
		}
		out.Write(text)
	}
	if got := fmt.Sprintf("%v %+v %s %q", secret, secret, secret, secret); got != strings.TrimSpace(strings.Repeat("[redacted] ", 4)) {
		t.Errorf("printed as %q", got)
	}
	if slog.AnyValue(secret).Resolve().String() != "[redacted]" {
		t.Errorf("logged as %v", slog.AnyValue(secret).Resolve())
	}
	for _, leak := range []string{token, fmt.Sprintf("%x", token), fmt.Sprintf("%X", token), fmt.Sprintf("%d", []byte(token))} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("the secret is in\n%s", out.String())
		}
	}
}

func TestTheTokenPrefixTellsLiveFromTest(t *testing.T) {
	for text, want := range map[string]struct{ token, test bool }{
		"TGP_a": {token: true}, "TGPT_a": {token: true, test: true}, "TGP_": {}, "TGPT_": {test: true},
		"": {}, "tgp_a": {}, "sk_live_a": {}, " TGP_a": {},
	} {
		token := payments.NewSecret(text)
		if payments.IsToken(token) != want.token || payments.IsTestToken(token) != want.test {
			t.Errorf("%q: IsToken %v, IsTestToken %v", text, payments.IsToken(token), payments.IsTestToken(token))
		}
	}
}
