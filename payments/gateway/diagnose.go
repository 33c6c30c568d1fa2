package gateway

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"checkout/till/payments"
)

// maxDiagnosedBody is the longest body that [Verifier.Diagnose] signs, in bytes. It is
// enough for every event, and small enough that forged requests cost little CPU.
const maxDiagnosedBody = 8 << 10

// Diagnose returns why the signature of a refused request did not match, or the zero Cause
// if it is unknown. configuredHeader is the name of the signature header. The result is
// only for people: never accept a request because of it. It contains no header value and no
// secret.
func (v *Verifier) Diagnose(headers http.Header, configuredHeader string, body []byte) payments.Cause {
	right, causes := v.candidates(body)
	values := headers.Values(configuredHeader)
	for _, value := range values {
		found, known := causes[value]
		switch {
		case !known && !right[strings.TrimPrefix(strings.ToLower(value), "sha256=")]:
			continue
		case len(values) > 1:
			return payments.Cause{Kind: payments.CauseDoubled}
		case !known:
			return payments.Cause{Kind: payments.CauseOtherForm}
		}
		return found
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if slices.ContainsFunc(headers[name], func(value string) bool { return right[value] }) {
			return payments.Cause{Kind: payments.CauseOtherHeader, Detail: name}
		}
	}
	return payments.Cause{}
}

// candidates computes signatures of a body. right contains those that are valid by one of
// the schemes. causes contains why each of them is refused nevertheless, and also the
// signatures that result from known mistakes.
func (v *Verifier) candidates(body []byte) (right map[string]bool, causes map[string]payments.Cause) {
	right, causes = map[string]bool{}, map[string]payments.Cause{}
	for _, scheme := range []Scheme{Static, Body} {
		if scheme == Body && (len(body) == 0 || len(body) > maxDiagnosedBody) {
			continue
		}
		// A signature by the right scheme is refused only if the request has several.
		why := payments.Cause{Kind: payments.CauseDoubled}
		if scheme != v.scheme {
			why = payments.Cause{Kind: payments.CauseOtherScheme, Detail: string(scheme)}
		}
		for _, secret := range v.secrets {
			sign := func(key string) string { return Sign(scheme, payments.NewSecret(key), body) }
			trimmed := strings.TrimSpace(secret.Reveal())
			for _, space := range []string{"\n", "\r\n", "\r", " ", "\t"} {
				causes[sign(trimmed+space)] = payments.Cause{Kind: payments.CauseTheirWhiteSpace}
				causes[sign(space+trimmed)] = payments.Cause{Kind: payments.CauseTheirWhiteSpace}
			}
			causes[sign(trimmed)] = payments.Cause{Kind: payments.CauseOurWhiteSpace}
			right[sign(secret.Reveal())], causes[sign(secret.Reveal())] = true, why
		}
	}
	return right, causes
}
