package gateway

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"checkout/till/payments"
	"checkout/till/payments/secret"
)

// Scheme says what the signature of a webhook covers: the secret or the body.
type Scheme string

// The two schemes that merchants of the service report. They give 64 lower-case hexadecimal digits
// of an HMAC with SHA-256; the key is the webhook secret.
const (
	// Static signs the secret itself, as in the specification. The signature is then the same for
	// every event, like a password.
	Static Scheme = "static"
	// Body signs the raw request body.
	Body Scheme = "body"
)

var (
	// ErrUnknownScheme is returned by [NewVerifier] for a scheme other than [Static] and [Body].
	ErrUnknownScheme = errors.New(`the signature scheme must be "static" or "body"`)
	// ErrWeakSecret is returned by [NewVerifier] without a secret, and for one that is shorter than
	// [payments.MinSecret].
	ErrWeakSecret = errors.New("a webhook secret of 16 characters or more is needed")
	// ErrNoSignature says that a request has no signature header, or an empty one.
	ErrNoSignature = errors.New("no signature")
	// ErrBadSignature says that a signature matches no secret, or that a request has several signature headers.
	ErrBadSignature = errors.New("the signature does not match")
)

// Sign returns the value of the signature header for a request body. Any scheme except
// [Body] signs like [Static].
func Sign(scheme Scheme, secret secret.Text, body []byte) string {
	key := []byte(secret.Reveal())
	if scheme != Body {
		body = key
	}
	code := hmac.New(sha256.New, key)
	code.Write(body)
	return hex.EncodeToString(code.Sum(nil))
}

// Verifier checks webhook signatures against one secret, or against several while a secret is being
// changed. It is safe for concurrent use.
type Verifier struct {
	scheme  Scheme
	secrets []secret.Text
}

// NewVerifier returns a verifier that accepts the signatures of any of the secrets. It returns
// [ErrWeakSecret] if there is no secret or one is shorter than [payments.MinSecret], and
// [ErrUnknownScheme] for an unknown scheme.
func NewVerifier(scheme Scheme, secrets ...secret.Text) (*Verifier, error) {
	if scheme != Static && scheme != Body {
		return nil, ErrUnknownScheme
	}
	if len(secrets) == 0 {
		return nil, ErrWeakSecret
	}
	for i, secret := range secrets {
		if utf8.RuneCountInString(secret.Reveal()) < payments.MinSecret {
			return nil, fmt.Errorf("%w: secret %d has fewer", ErrWeakSecret, i+1)
		}
	}
	return &Verifier{scheme, slices.Clone(secrets)}, nil
}

// Verify checks the signature of a request. header contains the values of the signature header:
// Verify accepts only a single value, in lower-case hexadecimal. The errors are [ErrNoSignature]
// and [ErrBadSignature]. The time that Verify takes does not depend on which secret matches.
func (v *Verifier) Verify(header []string, body []byte) error {
	if len(header) == 0 || (len(header) == 1 && header[0] == "") {
		return ErrNoSignature
	}
	matches := false
	for _, secret := range v.secrets {
		equal := hmac.Equal([]byte(header[0]), []byte(Sign(v.scheme, secret, body)))
		matches = matches || equal
	}
	if len(header) != 1 || !matches {
		return ErrBadSignature
	}
	return nil
}
