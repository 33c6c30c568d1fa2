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
	cause payments.Cause
}

// Diagnose works out, for a request whose signature was refused, what would
// have matched; no cause when nothing would. configuredHeader is the name of
// the header that was looked at. The result is for people alone: never accept
// a request because of it. It holds no value of a header and no secret.
func (v *Verifier) Diagnose(headers http.Header, configuredHeader string, body []byte) payments.Cause {
	right, mistaken := v.right, v.mistaken
	if len(body) > 0 && len(body) <= maxDiagnosedBody {
		right = slices.Concat(right, v.rightOf(Body, body))
		mistaken = slices.Concat(mistaken, mistakesOf(Body, v.secrets, body))
	}
	values := headers.Values(configuredHeader)
	for _, value := range values[:min(len(values), maxDiagnosedValues)] {
		finding := explain(value, right, mistaken)
		if finding.Kind != payments.CauseNone && len(values) > 1 {
			return cause(payments.CauseDoubled)
		}
		if finding.Kind != payments.CauseNone {
			return finding
		}
	}
	others := otherValues(headers, configuredHeader)
	for _, other := range others[:min(len(others), maxDiagnosedOthers)] {
		if _, found := find(right, other.value); found {
			return other.cause
		}
	}
	return payments.Cause{}
}

// cause is one that speaks of nothing further.
func cause(kind payments.CauseKind) payments.Cause { return payments.Cause{Kind: kind} }

// otherValues returns what could be a signature in other headers, by the names
// of the headers, so that a finding does not depend on the order of a map.
func otherValues(headers http.Header, configured string) []candidate {
	var others []candidate
	for name, values := range headers {
		for _, value := range values {
			if len(value) == signatureLength && !strings.EqualFold(name, configured) {
				others = append(others, candidate{value, payments.Cause{Kind: payments.CauseOtherHeader, Detail: name}})
			}
		}
	}
	slices.SortFunc(others, func(a, b candidate) int { return strings.Compare(a.cause.Detail, b.cause.Detail) })
	return others
}

// explain says what a value of the right header is; no cause when it is nothing
// that this package can make.
func explain(value string, right, mistaken []candidate) payments.Cause {
	if cause, found := find(right, value); found {
		return cause
	}
	bare := strings.TrimPrefix(strings.ToLower(value), "sha256=")
	if _, found := find(right, bare); found {
		return cause(payments.CauseOtherForm)
	}
	cause, _ := find(mistaken, value)
	return cause
}

// find returns the cause of the first candidate with this value.
func find(candidates []candidate, value string) (payments.Cause, bool) {
	for _, candidate := range candidates {
		if hmac.Equal([]byte(candidate.value), []byte(value)) {
			return candidate.cause, true
		}
	}
	return payments.Cause{}, false
}

// rightOf returns the signatures of a body under a scheme.
func (v *Verifier) rightOf(scheme Scheme, body []byte) []candidate {
	// A right one would not have been refused if it stood alone.
	why := cause(payments.CauseDoubled)
	if scheme != v.scheme {
		why = payments.Cause{Kind: payments.CauseOtherScheme, Detail: string(scheme)}
	}
	var all []candidate
	for _, secret := range v.secrets {
		all = append(all, candidate{Sign(scheme, secret, body), why})
	}
	return all
}

// mistakesOf returns what is sent in place of the signatures of a body under a
// scheme by mistakes with a secret.
func mistakesOf(scheme Scheme, secrets []payments.Secret, body []byte) []candidate {
	var all []candidate
	add := func(key string, kind payments.CauseKind) {
		all = append(all, candidate{Sign(scheme, payments.NewSecret(key), body), cause(kind)})
	}
	for _, each := range secrets {
		secret := each.Reveal()
		trimmed := strings.TrimSpace(secret)
		if trimmed != secret {
			add(trimmed, payments.CauseOurWhiteSpace)
		}
		for _, space := range []string{"\n", "\r\n", "\r", " ", "\t"} {
			add(trimmed+space, payments.CauseTheirWhiteSpace)
			add(space+trimmed, payments.CauseTheirWhiteSpace)
		}
		if key, err := hex.DecodeString(secret); err == nil {
			add(string(key), payments.CauseSecretAsBytes)
		}
		all = append(all,
			candidate{base64.StdEncoding.EncodeToString(digest(scheme, secret, body)), cause(payments.CauseBase64)},
			candidate{secret, cause(payments.CauseSecretItself)})
	}
	add("", payments.CauseEmptySecret)
	return all
}
