// Package i18n contains the console's texts in English, French and Malagasy, which are generated
// from assets/locales/texts.toml. Tests check that every language has every text.
package i18n

import (
	"cmp"
	"fmt"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

//go:generate go test ./internal/generate -update

// Text is a text without placeholders, except in [Reasons] and [Causes].
type Text = string

// Phrase is a text with fmt placeholders. Comments in texts.toml name the arguments.
type Phrase string

// With returns the text with args in place of the placeholders.
func (p Phrase) With(args ...any) string { return fmt.Sprintf(string(p), args...) }

// Message is a text that follows the language of the screen that shows it. Nil means no message.
type Message func(Texts) string

// In returns the message in a language, or "" for nil.
func (m Message) In(texts Texts) string {
	if m == nil {
		return ""
	}
	return m(texts)
}

// Texts contains all texts of the console in one language; see [Load]. Copies share the same Words,
// which must not be changed. The zero Texts has none: reading a text panics.
type Texts struct {
	*Words
	Language string // Language code: "en", "fr" or "mg".
}

// Names maps the values of a type, such as statuses, to words.
type Names map[string]Text

// Of returns the word for a value. Without a word, it returns the value, cleaned by [clean.Text]
// and cut to 40 columns.
func (n Names) Of(value string) Text {
	return cmp.Or(n[value], clean.Text(value, 40))
}

// Sending is the key of [Words].Verdicts for an order that waits for its link.
const Sending payments.Verdict = "sending"

// Mark returns the warning of a demo or a test account, as a sentence and as one word. Both are
// empty for a live account.
func (f Frame) Mark(demo, test bool) (whole, short Text) {
	switch {
	case demo:
		return f.Demo, f.DemoShort
	case test:
		return f.Test, f.TestShort
	}
	return "", ""
}
