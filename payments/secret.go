package payments

import (
	"fmt"
	"io"
	"log/slog"
)

const redacted = "[redacted]"

// Secret holds a text that must not be shown: the access token or a webhook
// secret. Printing, logging or encoding it gives "[redacted]"; only
// [Secret.Reveal] gives the text.
type Secret struct{ text string }

// NewSecret returns a secret that holds text.
func NewSecret(text string) Secret { return Secret{text} }

// Reveal returns the text. Hand it to the wire and to nothing else.
func (s Secret) Reveal() string { return s.text }

// Empty tells whether there is no text.
func (s Secret) Empty() bool { return s.text == "" }

// Format writes "[redacted]" for every verb and flag.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// MarshalText returns "[redacted]", for JSON and every other encoding.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue returns "[redacted]".
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
