package gateway

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/secret"
)

// maxDiagnosedBody is the length of the longest body that [Verifier.Diagnose] signs, in bytes. The
// limit keeps forged requests from using much CPU time.
const maxDiagnosedBody = 8 << 10

// Diagnose returns why the signature of a refused request did not match, or the zero Cause if it
// finds no reason. configuredHeader is the name of the signature header. The result is only for
// people: never accept a request because of it. It contains no signature and no secret.
func (v *Verifier) Diagnose(headers http.Header, configuredHeader string, body []byte) payments.Cause {
	right, causes := v.candidates(body)
	values := headers.Values(configuredHeader)
	if len(values) == 1 && formOf(values[0]) == "" { // A proxy may have joined several headers with commas.
		values = regexp.MustCompile(", *").Split(values[0], -1)
	}
	for _, value := range values {
		found, known := causes[value]
		form := formOf(value)
		switch {
		case known && len(values) > 1:
			return payments.Cause{Kind: payments.CauseDoubled}
		case known:
			return found
		case form != "":
			return payments.Cause{Kind: payments.CauseOtherForm, Detail: form}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if slices.ContainsFunc(headers[name], func(value string) bool { return right[value] }) {
			return payments.Cause{Kind: payments.CauseOtherHeader, Detail: name}
		}
	}
	return payments.Cause{}
}

// formOf returns a name for a signature that is not plain lower-case hexadecimal, such as
// "sha256=…". It returns "" for plain lower-case hexadecimal and for unknown forms.
func formOf(value string) string {
	for _, form := range []struct{ name, pattern string }{
		{"", `^[0-9a-f]{64}$`},
		{"A1B2…", `^[0-9a-fA-F]{64}$`},
		{"t=…,v1=…", `\bv1=`},
		{"sha256=…", `(?i)^sha256=`},
		{`"…"`, `^["'].*["']$`},
		{"base64", `^[A-Za-z0-9+/_-]{43}=?$`}, // The base64 of 32 bytes.
	} {
		if regexp.MustCompile(form.pattern).MatchString(value) {
			return form.name
		}
	}
	return ""
}

// candidates computes the signatures of a body by each scheme with each secret. right is the set of
// these signatures. causes says for each of them why a request with it may be refused; it also has
// the signatures that the secrets give with more or less white space around them.
func (v *Verifier) candidates(body []byte) (right map[string]bool, causes map[string]payments.Cause) {
	right, causes = map[string]bool{}, map[string]payments.Cause{}
	for _, scheme := range []Scheme{Static, Body} {
		if scheme == Body && (len(body) == 0 || len(body) > maxDiagnosedBody) {
			continue
		}
		// A right signature in the right header is refused only if the request has several
		// signatures.
		why := payments.Cause{Kind: payments.CauseDoubled}
		if scheme != v.scheme {
			why = payments.Cause{Kind: payments.CauseOtherScheme, Detail: string(scheme)}
		}
		for _, known := range v.secrets {
			sign := func(key string) string { return Sign(scheme, secret.New(key), body) }
			trimmed := strings.TrimSpace(known.Reveal())
			for _, space := range []string{"\n", "\r\n", "\r", " ", "\t"} {
				causes[sign(trimmed+space)] = payments.Cause{Kind: payments.CauseTheirWhiteSpace}
				causes[sign(space+trimmed)] = payments.Cause{Kind: payments.CauseTheirWhiteSpace}
			}
			causes[sign(trimmed)] = payments.Cause{Kind: payments.CauseOurWhiteSpace}
			right[sign(known.Reveal())], causes[sign(known.Reveal())] = true, why
		}
	}
	return right, causes
}
