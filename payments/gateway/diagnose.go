package gateway

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"checkout/till/payments"
)

// maxDiagnosed bounds the body that [Verifier.Diagnose] tries signatures of:
// above every real event, and too small for forgers to keep the machine busy.
const maxDiagnosed = 8 << 10

// Diagnose works out, for a request whose signature was refused, what would
// have matched, and says it in a sentence for the operator; "" when nothing
// would. configuredHeader is the name of the header that was looked at. The
// result is for people alone: never accept a request because of it. It holds
// no value of a header and no secret.
func (v *Verifier) Diagnose(headers http.Header, configuredHeader string, body []byte) string {
	if len(body) > maxDiagnosed {
		body = nil
	}
	values := headers.Values(configuredHeader)
	for _, value := range values {
		finding := v.explain(value, body)
		switch {
		case finding == "":
			continue
		case len(values) > 1:
			return "there is more than one signature header, and one of them is right; something between doubles it"
		}
		return finding
	}
	for _, name := range sortedNames(headers) {
		if strings.EqualFold(name, configuredHeader) {
			continue
		}
		for _, value := range headers[name] {
			if v.matches(Static, value, body) || v.matches(Body, value, body) {
				return fmt.Sprintf("the header %s carries a right signature: set signature_header to it",
					payments.Clean(name, 40))
			}
		}
	}
	return ""
}

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

// explain says what a value of the right header is, "" when it is nothing that
// this package can make.
func (v *Verifier) explain(value string, body []byte) string {
	switch {
	case v.matches(v.scheme, value, body):
		return "the signature is right"
	case v.matches(v.other(), value, body):
		return fmt.Sprintf("the signature is right for the other scheme: set signature_scheme to %q", v.other())
	}
	bare := strings.TrimPrefix(strings.ToLower(value), "sha256=")
	if bare != value && (v.matches(Static, bare, body) || v.matches(Body, bare, body)) {
		return "the signature is right but for its form: it must be lower-case hexadecimal without a prefix"
	}
	for _, secret := range v.secrets {
		if hmac.Equal([]byte(value), []byte(secret.Reveal())) {
			return "the header holds the secret itself instead of a signature"
		}
		if finding := explainKey(secret.Reveal(), value, body); finding != "" {
			return finding
		}
	}
	if made(value, "", body) {
		return "the signature was made with an empty secret: none is set on the other side"
	}
	return ""
}

func (v *Verifier) other() Scheme {
	if v.scheme == Body {
		return Static
	}
	return Body
}

// explainKey says by which change to the secret the value was made.
func explainKey(secret, value string, body []byte) string {
	trimmed := strings.TrimSpace(secret)
	if trimmed != secret && made(value, trimmed, body) {
		return "the signature was made with the secret without the white space around it: trim webhook_secret"
	}
	for _, space := range []string{"\n", "\r\n", "\r", " ", "\t"} {
		if made(value, trimmed+space, body) || made(value, space+trimmed, body) {
			return "the signature was made with the secret and white space around it: trim it on the other side"
		}
	}
	if key, err := hex.DecodeString(secret); err == nil && made(value, string(key), body) {
		return "the signature was made with the bytes that the secret spells in hexadecimal"
	}
	sums := [][]byte{digest(Static, secret, body), digest(Body, secret, body)}
	for _, sum := range sums {
		if hmac.Equal([]byte(value), []byte(base64.StdEncoding.EncodeToString(sum))) {
			return "the signature is right but in base64: it must be hexadecimal"
		}
	}
	return ""
}

// made tells whether a value is what a key gives under either scheme.
func made(value, key string, body []byte) bool {
	secret := payments.NewSecret(key)
	static := hmac.Equal([]byte(value), []byte(Sign(Static, secret, body)))
	signed := hmac.Equal([]byte(value), []byte(Sign(Body, secret, body)))
	return static || signed
}
