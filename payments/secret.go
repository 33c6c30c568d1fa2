package payments

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"unique"
)

const redacted = "[redacted]"

// A type that embeds hidden is printed, logged and encoded as "[redacted]".
type hidden struct{}

// Format writes "[redacted]" for every verb and flag.
func (hidden) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// MarshalText returns "[redacted]", for JSON and every other encoding.
func (hidden) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue returns "[redacted]", for log/slog.
func (hidden) LogValue() slog.Value { return slog.StringValue(redacted) }

// Secret holds a secret text: the access token or a webhook secret. Printing, logging or encoding a
// Secret, or a struct that contains one, does not show the text; only [Secret.Reveal] does. Secrets
// with the same text are equal. The zero value is empty.
type Secret struct {
	hidden

	// Not a string: fmt prints an unexported field without calling Format. A handle hides the text.
	text unique.Handle[string]
}

// NewSecret returns a secret that holds text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: unique.Make(text)}
}

// Reveal returns the text. Call it only to send, compare or hash the text.
func (s Secret) Reveal() string {
	if s.Empty() {
		return ""
	}
	return s.text.Value()
}

// Empty reports whether there is no text.
func (s Secret) Empty() bool { return s == Secret{} }

// Prefixes of access tokens.
const (
	TokenPrefix     = "TGP_"
	TestTokenPrefix = "TGPT_" // Token of a test account, which moves no money.
)

// IsToken reports whether the text has the form of an access token.
func IsToken(token Secret) bool {
	text := token.Reveal()
	return strings.HasPrefix(text, TokenPrefix) && text != TokenPrefix ||
		strings.HasPrefix(text, TestTokenPrefix) && text != TestTokenPrefix
}

// IsTestToken reports whether the access token is for a test account.
func IsTestToken(token Secret) bool {
	return strings.HasPrefix(token.Reveal(), TestTokenPrefix)
}
