package gateway

import (
	"crypto/hmac"
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

// candidate is a value that the signature header has by a known mistake.
type candidate struct {
	value string
	right bool // By one of the schemes.
	cause payments.Cause
}

// Diagnose works out, for a request whose signature was refused, what would
// have matched; no cause when nothing would. configuredHeader is the name of
// the header that was looked at. The result is for people alone: never accept
// a request because of it. It holds no value of a header and no secret.
func (v *Verifier) Diagnose(headers http.Header, configuredHeader string, body []byte) payments.Cause {
	known := v.candidates(Static, nil)
	if len(body) > 0 && len(body) <= maxDiagnosedBody {
		known = append(known, v.candidates(Body, body)...)
	}
	values := headers.Values(configuredHeader)
	for _, value := range values[:min(len(values), maxDiagnosedValues)] {
		found := find(known, value)
		if found.value == "" && find(known, strings.TrimPrefix(strings.ToLower(value), "sha256=")).right {
			found.cause.Kind = payments.CauseOtherForm
		}
		if found.cause.Kind != payments.CauseNone && len(values) > 1 {
			return payments.Cause{Kind: payments.CauseDoubled}
		}
		if found.cause.Kind != payments.CauseNone {
			return found.cause
		}
	}
	left := maxDiagnosedOthers
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			if len(value) != signatureLength || strings.EqualFold(name, configuredHeader) {
				continue
			}
			if find(known, value).right {
				return payments.Cause{Kind: payments.CauseOtherHeader, Detail: name}
			}
			if left--; left == 0 {
				return payments.Cause{}
			}
		}
	}
	return payments.Cause{}
}

// find returns the first candidate with this value.
func find(candidates []candidate, value string) candidate {
	for _, candidate := range candidates {
		if hmac.Equal([]byte(candidate.value), []byte(value)) {
			return candidate
		}
	}
	return candidate{}
}

// candidates returns the signatures of a body under a scheme, and what is sent in
// their place when there is white space around a secret.
func (v *Verifier) candidates(scheme Scheme, body []byte) []candidate {
	// A right one would not have been refused if it stood alone.
	why := payments.Cause{Kind: payments.CauseDoubled}
	if scheme != v.scheme {
		why = payments.Cause{Kind: payments.CauseOtherScheme, Detail: string(scheme)}
	}
	var all []candidate
	add := func(key string, kind payments.CauseKind) {
		all = append(all, candidate{value: Sign(scheme, payments.NewSecret(key), body), cause: payments.Cause{Kind: kind}})
	}
	for _, secret := range v.secrets {
		all = append(all, candidate{Sign(scheme, secret, body), true, why})
		trimmed := strings.TrimSpace(secret.Reveal())
		if trimmed != secret.Reveal() {
			add(trimmed, payments.CauseOurWhiteSpace)
		}
		for _, space := range []string{"\n", "\r\n", "\r", " ", "\t"} {
			add(trimmed+space, payments.CauseTheirWhiteSpace)
			add(space+trimmed, payments.CauseTheirWhiteSpace)
		}
	}
	return all
}
