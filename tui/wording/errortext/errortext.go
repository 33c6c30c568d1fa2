// Package errortext is the table of errors: what till says about an error on its screens, in the line
// mode and after a command, and the exit code of a command that fails with it.
//
// The rows are in [Rows]. Package cli adds the rows of the errors that only commands meet. A test of
// package cli fails for an exported error that neither has.
package errortext

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// Exit is the exit code of a command. The operator's guide lists the codes.
type Exit int

// The exit codes.
const (
	Done Exit = iota
	Failed
	Usage // What the person typed is wrong.
	Refused
	Unknown // It is not known whether the change was made.
	Unpaid
)

// Face is how a person uses till. It decides how a text says what to do.
type Face int

// The faces.
const (
	Screens Face = iota
	Lines        // The line mode.
	Commands
)

// Place is where a person reads the words. The zero Place is a screen in the local time zone.
type Place struct {
	Face Face
	Zone *time.Location // Nil for the local time zone.
}

// Words are what till says about an error.
type Words struct {
	Text   string // Blank if the table has no text for the error.
	Advice string // What to do, if the text does not say it.
	Exit   Exit
}

// Or returns the text with the advice, or other if there is no text.
func (w Words) Or(other string) string {
	if w.Text == "" {
		return other
	}
	return strings.TrimSpace(w.Text + " " + w.Advice)
}

// Of returns the words for an error that every face may meet; see [Rows].
func Of(texts i18n.Texts, err error, place Place) Words { return Find(Rows(texts, place), err) }

// Find returns the words of the first row that matches the error.
func Find(rows []Row, err error) Words {
	for _, row := range rows {
		if text, matches := row.text(err); matches {
			return Words{text, row.advice, row.exit}
		}
	}
	return Words{Exit: Failed}
}

// NotDone returns the message of a screen that a change was not made, or that it may be made.
func NotDone(err error) i18n.Message {
	return func(t i18n.Texts) string { return Of(t, err, Place{}).Or(t.Hints.StoreFailed) }
}

// NotEntered returns the text of a screen for an entry that was not understood.
func NotEntered(texts i18n.Texts, err error) string {
	return Of(texts, err, Place{}).Or(texts.Hints.NotUnderstood)
}

// Row has the words for one error. It builds a text only for an error that it matches.
type Row struct {
	exit   Exit
	advice string
	text   func(err error) (text string, matches bool)
}

// Is returns the row of an error that [errors.Is] compares. If there are arguments, text is a phrase.
// A blank text means that the error's own text in English is the best one.
func Is[T ~string](target error, exit Exit, text T, arguments ...any) Row {
	return When(func(err error) bool { return errors.Is(err, target) }, exit, func(error) string {
		if len(arguments) == 0 {
			return string(text)
		}
		return i18n.Phrase(text).With(arguments...)
	})
}

// As returns the row of an error type.
func As[E error](exit Exit, text func(err E) string) Row {
	return Row{exit: exit, text: func(err error) (string, bool) {
		found, matches := errors.AsType[E](err)
		if !matches {
			return "", false
		}
		return text(found), true
	}}
}

// When returns the row of the errors that a function accepts.
func When(matches func(error) bool, exit Exit, text func(error) string) Row {
	return Row{exit: exit, text: func(err error) (string, bool) {
		if !matches(err) {
			return "", false
		}
		return text(err), true
	}}
}

// Named returns the row of an error. Its text contains the name that [About] added to the error.
func Named(target error, exit Exit, text i18n.Phrase) Row {
	return When(func(err error) bool { return errors.Is(err, target) }, exit, func(err error) string {
		about, is := errors.AsType[*named](err)
		if !is {
			return ""
		}
		return text.With(about.name)
	})
}

// About adds what a person named, such as an order's reference, to an error. It returns nil for nil.
func About(name string, err error) error {
	if err == nil {
		return nil
	}
	return &named{err, clean.Text(name, payments.MaxLabelWidth)}
}

type named struct {
	error
	name string
}

func (n *named) Unwrap() error { return n.error }

// withAdvice returns the row with a separate advice.
func (r Row) withAdvice(advice string) Row {
	r.advice = advice
	return r
}

func (p Place) zone() *time.Location { return cmp.Or(p.Zone, time.Local) }
