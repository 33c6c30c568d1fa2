// Package i18n holds what the console says, in English, French and Malagasy.
// It guarantees that every language has every text with the same placeholders:
// a gap is an error when the texts are loaded, never an English word on a
// Malagasy screen.
package i18n

import (
	"cmp"
	"fmt"

	"checkout/till/payments"
)

//go:generate go test ./internal/generate -update

// Text is a text without placeholders, ready to be shown.
type Text = string

// Phrase is a text with fmt placeholders. The comment above each phrase names
// its arguments.
type Phrase string

// With fills in the placeholders.
func (p Phrase) With(args ...any) string { return fmt.Sprintf(string(p), args...) }

// Message is what a screen says until something else happens: a function of the
// texts, so that it changes its language with the screen. Nil says nothing.
type Message func(Texts) string

// In returns the message in a language; blank for none.
func (m Message) In(texts Texts) string {
	if m == nil {
		return ""
	}
	return m(texts)
}

// Texts is everything that the console says in one language. It is a value:
// copies are cheap, and share words that nobody changes. One without words says
// nothing, and asking it for a text panics: Load makes them.
type Texts struct {
	*Words
	Language string // Its code: "en", "fr" or "mg".
}

// Names are the words for the values of a type.
type Names map[string]Text

// Of returns the word for a value, and the value itself, cleaned, where there is
// none: the service may send an event of any kind.
func (n Names) Of(value string) Text {
	return cmp.Or(n[value], payments.Clean(value, 40))
}

// Verdicts are the words for an order's verdict. Where that is not paid, why is in
// the words for its status, and there are more for one that is being sent.
type Verdicts map[payments.Verdict]Text

// Reaches are texts for what is known of the way in.
type Reaches map[payments.Reach]Text

// What an order that waits has words of its own for.
const (
	NotSent payments.Verdict = "not_sent"
	Sending payments.Verdict = "sending"
)

// Help is what --help says: of a command by its name, as "order list", of one
// of its flags as "order list --since", and of a flag that several commands have
// as "--json". The first line of a command's text stands in lists. What has no
// text here says it in English, in every language: it is for programmers.
type Help map[string]Text

// Rules say what the value of a setting must be, by the name of its check.
type Rules map[string]Text

// Asked is what "till setup" asks, by the name of the setting: its name and, behind
// a line break, a sentence about it. Under "NAME VALUE" stands what can be chosen,
// and under "step NAME" the heading of a step.
type Asked map[string]Text

// Mark returns what every screen says where no money moves, whole and in one
// word; nothing in a shop with a live account.
func (f Frame) Mark(demo, test bool) (whole, short Text) {
	switch {
	case demo:
		return f.Demo, f.DemoShort
	case test:
		return f.Test, f.TestShort
	}
	return "", ""
}
