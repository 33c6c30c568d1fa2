// Package errortext contains the table of errors: the text for an error on each [Face], and the
// exit code of a command.
package errortext

import (
	"cmp"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// Exit is the exit code of a command; see package cli.
type Exit int

// The exit codes, from 0 to 5.
const (
	Done Exit = iota
	Failed
	Usage
	Refused // The payment service refused the order.
	Unknown // It is unknown whether the change was made.
	Unpaid  // With --wait, the order ended unpaid.
)

// Face is how a person uses till. It determines what the text says to do.
type Face int

// The faces. An error may have a different text on each of them.
const (
	Screens Face = iota
	Lines
	Commands
)

// Place is where a person reads the text. The zero Place is a screen in the local time zone.
type Place struct {
	Face Face
	Zone *time.Location // Nil for the local time zone.
}

// Words are the texts for an error.
type Words struct {
	Text   string // Blank if the table has no text for the error.
	Advice string // What to do; blank if Text says it.
	Exit   Exit
}

// Or returns the text with the advice, or other if there is no text.
func (w Words) Or(other string) string {
	if w.Text == "" {
		return other
	}
	return strings.TrimSpace(w.Text + " " + w.Advice)
}

// Of returns the words for an error from the table [Rows].
func Of(texts i18n.Texts, err error, place Place) Words { return Find(Rows(texts, place), err) }

// Find returns the words of the first row that matches the error. Without one, it returns only the
// exit code Failed.
func Find(rows []Row, err error) Words {
	for _, row := range rows {
		if text, matches := row.text(err); matches {
			return Words{text, row.advice, row.exit}
		}
	}
	return Words{Exit: Failed}
}

// NotDone returns the message of a screen about a change that was not made, or may not have been
// made.
func NotDone(err error) i18n.Message {
	return func(t i18n.Texts) string { return Of(t, err, Place{}).Or(t.Hints.StoreFailed) }
}

// Sentence returns the text with a capital letter at its beginning, for a text that stands alone.
func Sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// NotEntered returns the text of a screen for an entry that was not understood.
func NotEntered(texts i18n.Texts, err error) string {
	return Of(texts, err, Place{}).Or(texts.Hints.NotUnderstood)
}

// Row is a rule of the table: which errors it matches, and the words for them.
type Row struct {
	exit   Exit
	advice string
	text   func(err error) (text string, matches bool)
}

// Is returns a row for an error that [errors.Is] finds. With arguments, text is an [i18n.Phrase]. A
// blank text leaves the text to the caller.
func Is[T ~string](target error, exit Exit, text T, arguments ...any) Row {
	return When(func(err error) bool { return errors.Is(err, target) }, exit, func(error) string {
		if len(arguments) == 0 {
			return string(text)
		}
		return i18n.Phrase(text).With(arguments...)
	})
}

// As returns a row for all errors of a type.
func As[E error](exit Exit, text func(err E) string) Row {
	return Row{exit: exit, text: func(err error) (string, bool) {
		found, matches := errors.AsType[E](err)
		if !matches {
			return "", false
		}
		return text(found), true
	}}
}

// When returns a row for the errors that the function matches accepts.
func When(matches func(error) bool, exit Exit, text func(error) string) Row {
	return Row{exit: exit, text: func(err error) (string, bool) {
		if !matches(err) {
			return "", false
		}
		return text(err), true
	}}
}

// Named returns a row whose text contains the name that [About] has added to the error. Without
// such a name, the text is blank.
func Named(target error, exit Exit, text i18n.Phrase) Row {
	return When(func(err error) bool { return errors.Is(err, target) }, exit, func(err error) string {
		about, is := errors.AsType[*named](err)
		if !is {
			return ""
		}
		return text.With(about.name)
	})
}

// About adds the name that a person typed, such as an order's reference, to an error. For nil it
// returns nil.
func About(name string, err error) error {
	if err == nil {
		return nil
	}
	return &named{error: err, name: clean.Text(name, payments.MaxLabelWidth)}
}

// AboutSale is like [About], for a name that may be that of an order or of a cash sale.
func AboutSale(name string, err error) error {
	if err == nil {
		return nil
	}
	return &named{err, clean.Text(name, payments.MaxLabelWidth), true}
}

type named struct {
	error
	name string
	sale bool // Whether the name may be that of a cash sale.
}

func (n *named) Unwrap() error { return n.error }

func (r Row) withAdvice(advice string) Row {
	r.advice = advice
	return r
}

func (p Place) zone() *time.Location { return cmp.Or(p.Zone, time.Local) }
