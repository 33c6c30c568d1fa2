package keyboard

import (
	"slices"
	"strings"
	"time"
)

// Keys says how a screen uses the printable keys.
type Keys int

const (
	// Commands are keys that the screen does not show as text.
	Commands Keys = iota
	// Starts are keys while a QR code or an outcome is shown. A single letter may be a command;
	// other text begins the next sale.
	Starts
	// Line are keys while a line of the sale is chosen. A single letter may be a command; other text
	// goes to the entry line.
	Line
	// Text is the entry line of the sale.
	Text
	// Field is another text field, such as a search or the note of a sale.
	Field
	// Answer is a text field that Enter submits, such as a reason, a PIN or an amount.
	Answer
)

// Meaning is what keys mean now. The zero Meaning is for a screen that has commands and asks
// nothing.
type Meaning struct {
	Keys   Keys
	Typing bool // The key "?" is text, not the key of the help.
	Codes  bool // The open screen handles scanned codes, not the console.
	// A change is under way. Keys wait until it has ended.
	Busy bool
	// When the screen began to show what the keys act on. Earlier keys are dropped.
	Since time.Time
	// Signs and letters that count several times while they are held down, such as "+-".
	Repeats string
	// Letters that are commands in [Starts] or [Line].
	Letters string
	// Identifies the question or outcome that Enter, Tab, Delete or Ctrl+C would answer now; ""
	// without one.
	Asked string
}

func (m Meaning) same(other Meaning) bool { return m.Keys == other.Keys && m.Asked == other.Asked }

// starts reports whether typed text begins a new entry.
func (m Meaning) starts() bool { return m.Keys == Starts || m.Keys == Line }

// wait returns how long a character is kept before it is delivered.
func (m Meaning) wait() time.Duration {
	switch m.Keys {
	case Commands, Line:
		return burstGap
	case Starts:
		return LetterWait
	case Text, Field, Answer:
	}
	return 0
}

// scans reports whether a burst counts as a scan, and not as typed text. In a [Field], an unknown
// code counts only if it is a number of at least 12 digits: a shorter one may be a phone number. In
// an [Answer], an unknown code counts only with a digit and without blanks.
func (m Meaning) scans(code string, knows func(code string) bool) bool {
	const digits, minNumber = "0123456789", 12
	number := len(code) >= minNumber && strings.Trim(code, digits) == ""
	switch m.Keys {
	case Field:
		return number || knows(code)
	case Answer:
		return knows(code) || strings.ContainsAny(code, digits) && !strings.Contains(code, " ")
	case Commands, Starts, Line, Text:
	}
	return true
}

func (m Meaning) command(letter string) bool {
	switch {
	case letter == "":
		return false
	case m.starts():
		return strings.Contains(m.Letters, letter) || letter == "?" && !m.Typing
	}
	return m.Keys == Commands
}

// kept is a key that is held back, with its meaning when it was read.
type kept struct {
	Stroke
	meaning Meaning
	only    bool // The key counts only if its meaning stays the same.
}

type keys []kept

func (k keys) text() string {
	var text strings.Builder
	for _, key := range k {
		text.WriteString(string(key.Key.Runes))
	}
	return text.String()
}

// letter returns the letter that all keys type, or "" if they type different letters.
func (k keys) letter() string {
	different := func(key kept) bool { return key.Key.String() != k[0].Key.String() }
	if len(k) == 0 || slices.ContainsFunc(k, different) {
		return ""
	}
	return string(k[0].Key.Runes)
}

// taps returns the keys of one letter that count: each tap, and the first key of each long press. A
// long press that continues an earlier one does not count. before is the time of the last earlier
// key.
func (k keys) taps(before time.Time) (taps keys) {
	for len(k) > 0 {
		held := 1
		for held < len(k) && k[held].At.Sub(k[held-1].At) < Repeat {
			held++
		}
		if held == 1 || k[0].At.Sub(before) >= repeatDelay {
			taps = append(taps, k[0])
		}
		before = k[held-1].At
		k = k[held:]
	}
	return taps
}

// held reports whether two of the keys are too close together for two taps.
func (k keys) held() bool {
	for i := 1; i < len(k); i++ {
		if k[i].At.Sub(k[i-1].At) < Repeat {
			return true
		}
	}
	return false
}
