package tui

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/screen"
)

// The times of a burst of keys, of a scanner or of quick fingers.
const (
	burstGap   = 150 * time.Millisecond // The most between two keys of a burst.
	scannerGap = 60 * time.Millisecond  // The mean gap of a scanner's keys is less.
	letterWait = 300 * time.Millisecond // A letter at a code or at an outcome waits so long for another one.
)

// The least lengths of codes that no article has, in characters.
const (
	minScan   = 6  // Of a burst.
	minFrench = 8  // Of the signs that a French keyboard has in place of digits.
	minNumber = 12 // Of digits in a field, where fewer may be a phone number.
)

// burst is text whose keys came quickly one after the other. The zero burst has no keys.
type burst struct {
	text        string
	began, last time.Time
	before      screens // As they were before its first key.
}

// scanned reports whether an ending key that comes now makes the burst a scan.
func (b burst) scanned(knows func(code string) bool, now time.Time) bool {
	count := utf8.RuneCountInString(b.text)
	switch {
	case count == 0, now.Sub(b.last) > burstGap:
		return false
	case knows(b.code()):
		return true
	}
	return count >= minScan && b.quick(now)
}

// quick reports whether the keys until now came as fast as a scanner's.
func (b burst) quick(now time.Time) bool {
	return now.Sub(b.began) < time.Duration(utf8.RuneCountInString(b.text))*scannerGap
}

// code returns the code that the keys type. A scanner with the keys of an American
// keyboard types the signs of the digits' row on a French one.
func (b burst) code() string {
	const french = `&é"'(-è_çà`
	if utf8.RuneCountInString(b.text) < minFrench || strings.Trim(b.text, french) != "" {
		return b.text
	}
	digits := strings.NewReplacer("&", "1", "é", "2", `"`, "3", "'", "4", "(", "5", "-", "6", "è", "7", "_", "8", "ç", "9", "à", "0")
	return digits.Replace(b.text)
}

// held are keys that wait, where letters are commands, until it is known whether they
// are the beginning of a text.
type held struct {
	keys []tea.KeyMsg
	last time.Time
}

// ends reports whether a key ends a scan, as scanners are set up.
func ends(msg tea.KeyMsg) bool {
	return key.Matches(msg, screen.Bind("", "", "enter", "tab", "ctrl+j"))
}

// press takes a key that was read at a time. A scan is none of the keys that it was
// typed with.
func (m *model) press(msg tea.KeyMsg, at time.Time) tea.Cmd {
	m.status = status{}
	if screen.Types(msg) && !msg.Paste {
		return m.typed(msg, at)
	}
	scan := m.burst
	m.burst = burst{}
	if ends(msg) && scan.scanned(m.sale.Knows, at) && m.scans(scan.code()) {
		if m.held.keys != nil { // Its keys did nothing yet.
			m.held.keys = nil
			scan.before = m.screens
		}
		return m.scanned(scan)
	}
	return tea.Batch(m.release(), m.tap(msg, at))
}

// typed takes a key that types text.
func (m *model) typed(msg tea.KeyMsg, at time.Time) tea.Cmd {
	if m.burst.text == "" || at.Sub(m.burst.last) > burstGap {
		m.burst = burst{began: at, before: m.screens}
	}
	m.burst.text += string(msg.Runes)
	m.burst.last = at
	wait := m.letterWait()
	if wait == 0 {
		return m.tap(msg, at)
	}
	var cmd tea.Cmd
	if m.held.keys != nil && at.Sub(m.held.last) >= wait {
		cmd = m.release()
	}
	m.held = held{append(m.held.keys, msg), at}
	if len(m.held.keys) > 1 && m.route == routePay && !m.burst.quick(at) {
		return tea.Batch(cmd, m.release())
	}
	return tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return quiet{} }))
}

// letterWait is how long a letter waits for another one before it is a command; 0 where
// letters are text.
func (m *model) letterWait() time.Duration {
	switch {
	case m.overlay != noOverlay:
		return burstGap
	case m.route == routePay:
		return letterWait
	case m.route == routeSale && m.sale.Commands():
		return burstGap
	case m.route == routeSale, m.route == routeCatalog, m.table()[m.route].Typing():
		return 0
	}
	return burstGap
}

// release handles the keys that wait. One that is a command is carried out, as are
// several of the same on a list. Anything else is text, which at a code or at an outcome
// begins the next sale.
func (m *model) release() tea.Cmd {
	keys := m.held.keys
	m.held.keys = nil
	if len(keys) == 0 {
		return nil
	}
	var text string
	same := true
	for _, key := range keys {
		text += string(key.Runes)
		same = same && key.String() == keys[0].String()
	}
	commands := slices.Concat(slices.Concat(m.pay.FullHelp()...), m.keys.common(), []key.Binding{m.keys.Question})
	atCode := m.route == routePay && m.overlay == noOverlay
	switch {
	case atCode && (len(keys) > 1 || !key.Matches(keys[0], commands...)):
		return m.act(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
	case !same:
		return nil
	}
	var cmds []tea.Cmd
	for _, key := range keys {
		cmds = append(cmds, m.act(key))
	}
	return tea.Batch(cmds...)
}

// quiet says that for some time no key came.
type quiet struct{}

// quieted handles what waited for that.
func (m *model) quieted() tea.Cmd {
	if m.keyboard.Waiting() { // A slow machine has keys to come.
		return tea.Tick(Repeat, func(time.Time) tea.Msg { return quiet{} })
	}
	var cmd tea.Cmd
	if m.Service.Now().Sub(m.held.last) >= m.letterWait() {
		cmd = m.release()
	}
	return tea.Batch(cmd, m.tapped())
}

// scans reports whether a burst is a scan on the open screen. A field keeps what may be
// text.
func (m *model) scans(code string) bool {
	isNumber := len(code) >= minNumber && strings.Trim(code, "0123456789") == ""
	looksLikeCode := strings.ContainsAny(code, "0123456789") && !strings.Contains(code, " ")
	switch {
	case m.overlay != noOverlay, m.route == routePay:
		return true
	case m.route == routeCatalog:
		return looksLikeCode || m.sale.Knows(code)
	case m.route == routeSale && m.sale.Fills(), m.route != routeSale && m.table()[m.route].Typing():
		return isNumber || m.sale.Knows(code)
	}
	return true
}

// scanned adds the article of a scan to the sale, and says so on whatever screen is
// open. While an order is being sent nobody knows to which sale the article belongs.
func (m *model) scanned(scan burst) tea.Cmd {
	if m.route == routeCatalog && m.overlay == noOverlay {
		m.catalog = m.catalog.Scan(scan.code(), scan.before.catalog)
		return nil
	}
	if m.pay.Sending() {
		m.say(m.Texts.Sale.ScanLater)
		return nil
	}
	if m.route == routePay && m.sale.Cart().Untouched() {
		m.scannedAt = m.pay.Order().Sale
	}
	sold, cmd, text := m.sale.Scan(scan.code(), scan.before.sale, m.route == routePay)
	m.sale = sold
	if m.route == routePay && m.scannedAt != "" && m.pay.Order().Live(m.state.Now) {
		text += " " + m.Texts.Sale.TakesBack
	}
	if m.route != routeSale || m.overlay != noOverlay { // The sale says it itself.
		m.say(text)
	}
	return cmd
}
