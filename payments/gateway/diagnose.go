package gateway

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"checkout/till/payments"
)

// maxDiagnosed bounds the body that [Verifier.Diagnose] tries signatures of:
// above every real event, and too small for forgers to keep the machine busy.
const maxDiagnosed = 8 << 10

// Diagnose works out, for a request whose signature was refused, what would
// have matched; no cause when nothing would. configuredHeader is the name of
// the header that was looked at. The result is for people alone: never accept
// a request because of it. It holds no value of a header and no secret.
func (v *Verifier) Diagnose(headers http.Header, configuredHeader string, body []byte) payments.Cause {
	if len(body) > maxDiagnosed {
		body = nil
	}
	values := headers.Values(configuredHeader)
	for _, value := range values {
		finding := v.explain(value, body)
		switch {
		case finding.Kind == payments.CauseNone:
			continue
		case len(values) > 1:
			return cause(payments.CauseDoubled)
		}
		return finding
	}
	for _, name := range sortedNames(headers) {
		if strings.EqualFold(name, configuredHeader) {
			continue
		}
		for _, value := range headers[name] {
			if v.matches(Static, value, body) || v.matches(Body, value, body) {
				return payments.Cause{Kind: payments.CauseOtherHeader, Detail: name}
			}
		}
	}
	return payments.Cause{}
}

// cause is one that speaks of nothing further.
func cause(kind payments.CauseKind) payments.Cause { return payments.Cause{Kind: kind} }

// sortedNames returns the names of the headers, so that a finding does not
// depend on the order of a map.
func sortedNames(headers http.Header) []string {
	names := make([]string, 0, len(headers))
	for name := range headers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// explain says what a value of the right header is; no cause when it is nothing
// that this package can make.
func (v *Verifier) explain(value string, body []byte) payments.Cause {
	switch {
	case v.matches(v.scheme, value, body):
		return cause(payments.CauseDoubled) // Alone it would not have been refused.
	case v.matches(v.other(), value, body):
		return payments.Cause{Kind: payments.CauseOtherScheme, Detail: string(v.other())}
	}
	bare := strings.TrimPrefix(strings.ToLower(value), "sha256=")
	if bare != value && (v.matches(Static, bare, body) || v.matches(Body, bare, body)) {
		return cause(payments.CauseOtherForm)
	}
	for _, secret := range v.secrets {
		if hmac.Equal([]byte(value), []byte(secret.Reveal())) {
			return cause(payments.CauseSecretItself)
		}
		if finding := explainKey(secret.Reveal(), value, body); finding.Kind != payments.CauseNone {
			return finding
		}
	}
	if made(value, "", body) {
		return cause(payments.CauseEmptySecret)
	}
	return payments.Cause{}
}

func (v *Verifier) other() Scheme {
	if v.scheme == Body {
		return Static
	}
	return Body
}

// explainKey says by which change to the secret the value was made.
func explainKey(secret, value string, body []byte) payments.Cause {
	trimmed := strings.TrimSpace(secret)
	if trimmed != secret && made(value, trimmed, body) {
		return cause(payments.CauseOurWhiteSpace)
	}
	for _, space := range []string{"\n", "\r\n", "\r", " ", "\t"} {
		if made(value, trimmed+space, body) || made(value, space+trimmed, body) {
			return cause(payments.CauseTheirWhiteSpace)
		}
	}
	if key, err := hex.DecodeString(secret); err == nil && made(value, string(key), body) {
		return cause(payments.CauseSecretAsBytes)
	}
	sums := [][]byte{digest(Static, secret, body), digest(Body, secret, body)}
	for _, sum := range sums {
		if hmac.Equal([]byte(value), []byte(base64.StdEncoding.EncodeToString(sum))) {
			return cause(payments.CauseBase64)
		}
	}
	return payments.Cause{}
}

// made tells whether a value is what a key gives under either scheme.
func made(value, key string, body []byte) bool {
	secret := payments.NewSecret(key)
	static := hmac.Equal([]byte(value), []byte(Sign(Static, secret, body)))
	signed := hmac.Equal([]byte(value), []byte(Sign(Body, secret, body)))
	return static || signed
}
