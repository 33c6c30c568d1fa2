package tui

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// A scanner types the digits of a code and Enter, faster than a person does.
const (
	scanGap    = 100 * time.Millisecond // Less than this lies between its keys.
	scanDigits = 4                      // So many digits a code has at least.
	codeDigits = 8                      // So many make a number a code on a screen that takes other numbers too.
)

// scanner listens for the keys of a barcode scanner among those of a person.
type scanner struct {
	digits string
	last   time.Time // When the last digit came.
}

// take listens to a key. Upon the Enter that ends a code it returns the code.
// What the terminal says is a paste comes from no scanner.
func (s scanner) take(msg tea.KeyMsg, now time.Time) (scanner, string) {
	digits, fast := s.digits, now.Sub(s.last) < scanGap
	s = scanner{last: now}
	switch {
	case msg.Type == tea.KeyRunes && !msg.Alt && !msg.Paste && allDigits(msg.Runes):
		if s.digits = string(msg.Runes); fast {
			s.digits = digits + s.digits
		}
	case key.Matches(msg, key.NewBinding(key.WithKeys("enter"))) && fast && len(digits) >= scanDigits:
		return s, digits
	}
	return s, ""
}

func allDigits(runes []rune) bool {
	return strings.Trim(string(runes), "0123456789") == ""
}

// scans tells whether the Enter behind a code is the scanner's alone. It never
// answers a question and never acknowledges an outcome; in a screen that takes
// text it is one like any other.
func (m *model) scans(code string) bool {
	switch {
	case m.overlay == quitting, m.route == routePay:
		return true
	case m.route == routeSale:
		return m.sale.Scans(code)
	case m.route == routeCatalog:
		return false // There a code finds an article, or becomes one's.
	case m.table()[m.route].Typing():
		return false
	}
	return len(code) >= codeDigits || m.sale.Knows(code)
}

// scanned adds the article of a code to the sale, and says so on whatever
// screen is open. While an order is being sent nobody knows to which sale the
// article belongs.
func (m *model) scanned(code string) (cmd tea.Cmd) {
	text := m.Texts.Selling.ScanLater
	if !m.pay.Sending() {
		m.sale, cmd, text = m.sale.Scan(code)
	}
	if m.route != routeSale || m.overlay != noOverlay { // The sale says it itself.
		m.say(text)
	}
	return cmd
}
