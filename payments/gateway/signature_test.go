package gateway_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

const (
	secretText = "whsec_demo_0123456789abcdef"
	// secretValue is the signature of the secret in the static scheme.
	secretValue = "f0cef8a546075b7ff92ec16a2c774fec25c610add3ba6c66af5a64f38f380f3b"
)

func verifier(t *testing.T, scheme gateway.Scheme, secrets ...string) *gateway.Verifier {
	t.Helper()
	var all []secret.Text
	for _, text := range secrets {
		all = append(all, secret.New(text))
	}
	v, err := gateway.NewVerifier(scheme, all...)
	must(t, err)
	return v
}

func TestNewVerifierRefusesWeakSecrets(t *testing.T) {
	for _, test := range []struct {
		name    string
		secrets []secret.Text
	}{
		{"no secret", nil},
		{"an empty secret", []secret.Text{secret.New("")}},
		{"a secret of 8 characters in 16 bytes", []secret.Text{secret.New("éèàùâêîô")}},
		{"a secret of 15 characters", []secret.Text{secret.New("0123456789abcde")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := gateway.NewVerifier(gateway.Static, test.secrets...)
			if !errors.Is(err, gateway.ErrWeakSecret) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := gateway.NewVerifier(gateway.Static, secret.New("0123456789abcdef")); err != nil {
		t.Errorf("16 characters are refused: %v", err)
	}
	mustFail(t, failure(gateway.NewVerifier("none", secret.New(secretText))), gateway.ErrUnknownScheme)
}

func TestTwoSecretsAreValidDuringAChange(t *testing.T) {
	const next = "whsec_next_0123456789abcdef"
	nextValue := gateway.Sign(gateway.Static, secret.New(next), nil)
	both, after := verifier(t, gateway.Static, next, secretText), verifier(t, gateway.Static, next)
	for value, want := range map[string]error{secretValue: gateway.ErrBadSignature, nextValue: nil} {
		must(t, both.Verify([]string{value}, nil))
		mustFail(t, after.Verify([]string{value}, nil), want)
	}
}

// This test covers the body scheme. The tests of the webhook listener cover the static scheme.
func TestTheBodySchemeAcceptsOnlyThisBodysSignature(t *testing.T) {
	body := []byte(`{"event":"payment.success"}`)
	signed := gateway.Sign(gateway.Body, secret.New(secretText), body)
	byBody := verifier(t, gateway.Body, secretText)
	if err := byBody.Verify([]string{signed}, body); err != nil {
		t.Errorf("the right signature gives %v", err)
	}
	for _, altered := range []string{"", `{"event":"payment.failed"}`} {
		mustFail(t, byBody.Verify([]string{signed}, []byte(altered)), gateway.ErrBadSignature)
	}
	mustFail(t, byBody.Verify([]string{secretValue}, body), gateway.ErrBadSignature)
	mustFail(t, byBody.Verify(nil, body), gateway.ErrNoSignature)
}

func TestDiagnoseFindsTheCauseOfABadSignature(t *testing.T) {
	body := []byte(`{"event":"payment.success"}`)
	sign := func(scheme gateway.Scheme, key string) string {
		return gateway.Sign(scheme, secret.New(key), body)
	}
	digest, err := hex.DecodeString(secretValue)
	must(t, err)
	const header = "X-Svc-Signature"
	ours := func(values ...string) http.Header { return http.Header{header: values} }
	another := func(kind payments.CauseKind, detail string) payments.Cause {
		return payments.Cause{Kind: kind, Detail: detail}
	}
	for _, test := range []struct {
		name    string
		secret  string
		headers http.Header
		want    payments.Cause
	}{
		{"the other scheme", secretText, ours(sign(gateway.Body, secretText)), another(payments.CauseOtherScheme, "body")},
		{"a newline after the secret", secretText, ours(sign(gateway.Static, secretText+"\n")), another(payments.CauseTheirWhiteSpace, "")},
		{
			"a newline after the secret, over the body", secretText, ours(sign(gateway.Body, secretText+"\n")),
			another(payments.CauseTheirWhiteSpace, ""),
		},
		{"our secret has a newline too many", secretText + "\n", ours(secretValue), another(payments.CauseOurWhiteSpace, "")},
		{
			"another header and a wrong one", secretText,
			http.Header{header: {"0"}, "X-Brand": {secretValue}},
			another(payments.CauseOtherHeader, "X-Brand"),
		},
		{"the right header twice", secretText, ours(secretValue, secretValue), another(payments.CauseDoubled, "")},
		{"two headers that a proxy has joined", secretText, ours(secretValue + ", " + secretValue), another(payments.CauseDoubled, "")},
		{"joined with a wrong one", secretText, ours(secretValue + "," + strings.Repeat("0", 64)), another(payments.CauseDoubled, "")},
		{"base64", secretText, ours(base64.StdEncoding.EncodeToString(digest)), another(payments.CauseOtherForm, "base64")},
		{"base64 for URLs", secretText, ours(base64.RawURLEncoding.EncodeToString(digest)), another(payments.CauseOtherForm, "base64")},
		{"double quotes", secretText, ours(`"` + secretValue + `"`), another(payments.CauseOtherForm, `"…"`)},
		{"quotes", secretText, ours("'" + secretValue + "'"), another(payments.CauseOtherForm, `"…"`)},
		{"a time before", secretText, ours("t=1795158000,v1=" + secretValue), another(payments.CauseOtherForm, "t=…,v1=…")},
		{"a time after", secretText, ours("v1=" + secretValue + ", t=1795158000"), another(payments.CauseOtherForm, "t=…,v1=…")},
		{"a prefix", secretText, ours("SHA256=" + secretValue), another(payments.CauseOtherForm, "sha256=…")},
		{"a prefix and another secret", secretText, ours("sha256=" + strings.Repeat("0", 64)), another(payments.CauseOtherForm, "sha256=…")},
		{"upper case", secretText, ours(strings.ToUpper(secretValue)), another(payments.CauseOtherForm, "A1B2…")},
		{"an unknown secret", secretText, ours(sign(gateway.Static, "another secret entirely")), payments.Cause{}},
		{"no signature, but a password", secretText, ours("password"), payments.Cause{}},
		{"nothing at all", secretText, nil, payments.Cause{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			cause := verifier(t, gateway.Static, test.secret).Diagnose(test.headers, "x-svc-signature", body)
			if cause != test.want {
				t.Errorf("got %+v, want %+v", cause, test.want)
			}
		})
	}
	t.Run("the body scheme in place of the static one", func(t *testing.T) {
		got := verifier(t, gateway.Body, secretText).Diagnose(http.Header{header: {secretValue}}, header, body)
		if got != (payments.Cause{Kind: payments.CauseOtherScheme, Detail: "static"}) {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("signatures of a long body are not tried", func(t *testing.T) {
		long := make([]byte, 60<<10)
		value := gateway.Sign(gateway.Body, secret.New(secretText), long)
		got := verifier(t, gateway.Static, secretText).Diagnose(http.Header{header: {value}}, header, long)
		if got != (payments.Cause{}) {
			t.Errorf("got %+v", got)
		}
	})
}

// A receiver verifies the signature before it decodes the body.
func Example() {
	key := secret.New("whsec_demo_0123456789abcdef")
	body := gateway.EncodeEvent(gateway.Notification{
		Event: payments.PaymentSuccess, OrderReference: "REF_700001", Reference: "T1-20261121-GT-0007",
		Amount: 9000, Currency: payments.Currency, Description: "Vary",
	})
	header := []string{gateway.Sign(gateway.Static, key, body)}

	verifier, err := gateway.NewVerifier(gateway.Static, key)
	if err != nil {
		panic(err)
	}
	if err := verifier.Verify(header, body); err != nil {
		panic(err)
	}
	event, err := gateway.DecodeEvent(body)
	fmt.Println(event.Kind, event.OrderReference, event.Amount.Is(9000), err)
	// Output: payment.success REF_700001 true <nil>
}
