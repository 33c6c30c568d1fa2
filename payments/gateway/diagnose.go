package gateway

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"checkout/till/payments"
)

// What [Verifier.Diagnose] looks at: enough for every real mistake, and too
// little for forgers to keep a processor busy.
const (
	maxDiagnosedBody   = 8 << 10 // Bytes of a body of which signatures are made.
	maxDiagnosedValues = 2       // Values of the signature header.
	maxDiagnosedOthers = 50      // Values of other headers.
	signatureLength    = 64      // Hexadecimal digits of a signature.
)

// Diagnose works out, for a request whose signature was refused, what would
// have matched; no cause when nothing would. configuredHeader is the name of
// the header that was looked at. The result is for people alone: never accept
// a request because of it. It holds no value of a header and no secret.
func (v *Verifier) Diagnose(headers http.Header, configuredHeader string, body []byte) payments.Cause {
	right, causes := v.candidates(body)
	values := headers.Values(configuredHeader)
	for _, value := range values[:min(len(values), maxDiagnosedValues)] {
		found, known := causes[value]
		if !known && right[strings.TrimPrefix(strings.ToLower(value), "sha256=")] {
			found.Kind = payments.CauseOtherForm
		}
		if found.Kind != payments.CauseNone && len(values) > 1 {
			found = payments.Cause{Kind: payments.CauseDoubled}
		}
		if found.Kind != payments.CauseNone {
			return found
		}
	}
	left := maxDiagnosedOthers
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			if len(value) != signatureLength || strings.EqualFold(name, configuredHeader) {
				continue
			}
			if right[value] {
				return payments.Cause{Kind: payments.CauseOtherHeader, Detail: name}
			}
			if left--; left == 0 {
				return payments.Cause{}
			}
		}
	}
	return payments.Cause{}
}

// candidates returns the signatures of a body that one of the schemes makes right,
// and the cause for which each of them, or one by a known mistake, was refused.
func (v *Verifier) candidates(body []byte) (right map[string]bool, causes map[string]payments.Cause) {
	right, causes = map[string]bool{}, map[string]payments.Cause{}
	for _, scheme := range []Scheme{Static, Body} {
		if scheme == Body && (len(body) == 0 || len(body) > maxDiagnosedBody) {
			continue
		}
		// A right one would not have been refused if it stood alone.
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
