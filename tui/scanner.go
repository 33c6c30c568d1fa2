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
	scanDigits = 3                      // So many digits a code has at least.
	codeDigits = 8                      // So many make a number a code on a screen that takes other numbers too.
)

// scanner listens for the keys of a barcode scanner among those of a person.
type scanner struct {
	digits string
	typed  bool      // Text came as fast before the digits: they are a price, of a slow terminal or a script.
	last   time.Time // When the last key came.
}

// take listens to a key. Upon the Enter that ends a code it returns the code.
// What the terminal says is a paste comes from no scanner.
func (s scanner) take(msg tea.KeyMsg, now time.Time) (scanner, string) {
	digits, fast, typed := s.digits, now.Sub(s.last) < scanGap, s.typed
	s = scanner{last: now}
	switch {
	case msg.Type == tea.KeyRunes && !msg.Alt && !msg.Paste && strings.Trim(string(msg.Runes), "0123456789") == "":
		if s.digits = string(msg.Runes); fast {
			s.digits, s.typed = digits+s.digits, typed
		}
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		s.typed = true
	case typed:
	case key.Matches(msg, key.NewBinding(key.WithKeys("enter"))) && fast && len(digits) >= scanDigits:
		return s, digits
	}
	return s, ""
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
	text := m.Texts.Sale.ScanLater
	if !m.pay.Sending() {
		m.sale, cmd, text = m.sale.Scan(code)
	}
	if m.route != routeSale || m.overlay != noOverlay { // The sale says it itself.
		m.say(text)
	}
	return cmd
}
