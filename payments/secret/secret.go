// Package secret hides texts such as passwords from prints, logs and encodings.
package secret

import (
	"fmt"
	"io"
	"log/slog"
	"unique"
)

const redacted = "[redacted]"

// Hidden makes every type that embeds it print, log and encode as "[redacted]".
type Hidden struct{}

// Format writes "[redacted]" for every verb except %T and %p, which package fmt handles itself.
func (Hidden) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, redacted) }

// MarshalText returns "[redacted]", for JSON and other encodings of text.
func (Hidden) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue returns "[redacted]", for log/slog.
func (Hidden) LogValue() slog.Value { return slog.StringValue(redacted) }

// Text holds a secret text: an access token, a webhook secret or a PIN. Printing, logging or
// encoding a Text, or a struct that contains one, does not show the text; only [Text.Reveal] does.
// Texts with the same content are equal. The zero value is empty.
type Text struct {
	Hidden

	// A handle instead of a string: fmt prints unexported fields without calling Format, but prints
	// only the address of a handle.
	text unique.Handle[string]
}

// New returns a secret that holds text. For an empty text, it is the zero Text.
func New(text string) Text {
	if text == "" {
		return Text{}
	}
	return Text{text: unique.Make(text)}
}

// Reveal returns the text. Call it only to send, compare or hash the text.
func (t Text) Reveal() string {
	if t.Empty() {
		return ""
	}
	return t.text.Value()
}

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t == Text{} }
