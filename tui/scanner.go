package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
)

const (
	// letterWait is how long a letter at a code or at an outcome waits for another one.
	letterWait = 300 * time.Millisecond
	// minNumber is how many digits in a field are a scan. Fewer may be a phone number.
	minNumber = 12
)

// burst is quick text, and the screens as they were before its first key.
type burst struct {
	keyboard.Burst
	before screens
}

// held are letters that wait, because each may be a command or the beginning of a text.
type held struct {
	keys []tea.KeyMsg
	last time.Time
}

// text is what the keys type.
func (h held) text() string {
	var text strings.Builder
	for _, msg := range h.keys {
		text.WriteString(string(msg.Runes))
	}
	return text.String()
}

// press takes a key, and when it was read. The keys of a scan are handled as one code.
func (m *model) press(msg tea.KeyMsg, at time.Time) tea.Cmd {
	if keyboard.Ends(msg) && m.burst.Text == "" && at.Sub(m.scanEnd) < keyboard.ScannerGap {
		return nil // Some scanners end a code with two keys.
	}
	m.status = status{}
	if msg.Type == tea.KeyCtrlCloseBracket { // The separator of a GS1 code.
		msg = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'\x1d'}}
	}
	if screen.Types(msg) && !msg.Paste {
		return m.typed(msg, at)
	}
	scan := m.burst
	m.burst = burst{}
	if keyboard.Ends(msg) && scan.Scanned(m.sale.Knows, at) && m.scans(scan.Code()) {
		m.scanEnd = at
		code := scan.Code()
		if m.held.keys != nil { // No screen has seen them.
			if whole := m.held.text(); m.sale.Knows(whole) { // The scan paused.
				code = whole
			}
			m.held.keys = nil
			scan.before = m.screens
		}
		m.scanned(code, scan.before)
		return nil
	}
	return tea.Batch(m.release(), m.tap(msg, at))
}

// typed takes a key that types text.
func (m *model) typed(msg tea.KeyMsg, at time.Time) tea.Cmd {
	text := string(msg.Runes)
	if m.burst.Burst = m.burst.Add(text, at); m.burst.Text == text {
		m.burst.before = m.screens
	}
	wait := m.letterWait()
	if wait == 0 {
		return m.tap(msg, at)
	}
	var cmd tea.Cmd
	if m.held.keys != nil && at.Sub(m.held.last) >= wait {
		cmd = m.release()
	}
	m.held = held{append(m.held.keys, msg), at}
	if len(m.held.keys) > 1 && m.route == routePay && !m.burst.Quick(at) {
		return tea.Batch(cmd, m.release())
	}
	return tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return quiet{} }))
}

// letterWait is how long a letter waits for another one before it is a command; 0 where
// letters are text.
func (m *model) letterWait() time.Duration {
	switch {
	case m.covered():
		return keyboard.BurstGap
	case m.route == routePay:
		return letterWait
	case m.route == routeSale && m.sale.Commands():
		return keyboard.BurstGap
	case m.route == routeSale, m.route == routeCatalog, m.table()[m.route].Typing():
		return 0
	}
	return keyboard.BurstGap
}

// release handles the keys that wait. One that is a command is carried out, as are
// several of the same on a list. Anything else is text, which at a code or at an outcome
// begins the next sale.
func (m *model) release() tea.Cmd {
	keys, text := m.held.keys, m.held.text()
	m.held.keys = nil
	if len(keys) == 0 {
		return nil
	}
	different := func(msg tea.KeyMsg) bool { return msg.String() != keys[0].String() }
	commands := slices.Concat(slices.Concat(m.pay.FullHelp()...), m.keys.common(), []key.Binding{m.keys.Question})
	atCode := m.route == routePay && !m.covered()
	switch {
	case atCode && (len(keys) > 1 || !key.Matches(keys[0], commands...)):
		return m.act(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
	case slices.ContainsFunc(keys, different):
		return nil
	}
	var cmds []tea.Cmd
	for _, msg := range keys {
		cmds = append(cmds, m.act(msg))
	}
	return tea.Batch(cmds...)
}

// quiet says that no key came for some time.
type quiet struct{}

// quieted handles the keys that waited for [quiet].
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
	case m.covered(), m.route == routePay:
		return true
	case m.route == routeCatalog:
		return looksLikeCode || m.sale.Knows(code)
	case m.route == routeSale && m.sale.Fills(), m.route != routeSale && m.table()[m.route].Typing():
		return isNumber || m.sale.Knows(code)
	}
	return true
}

// scanned adds the article of a code to the sale, and says so on whatever screen is
// open. before is the screens without the scan's keys. While an order is being sent the
// scan is put off, for its sale is not known.
func (m *model) scanned(code string, before screens) {
	if m.route == routeCatalog && !m.covered() {
		m.catalog = m.catalog.Scan(code, before.catalog)
		return
	}
	if m.counter.Stage() == counter.Sending {
		m.say(m.Texts.Sale.ScanLater)
		return
	}
	atCode := m.route == routePay
	sold, text := m.sale.Scan(code, before.sale, atCode)
	m.sale = sold
	if atCode && m.counter.NextBegun() && m.sale.UnknownCode() == "" && m.counter.Shown().Live(m.state().Now) {
		text += " " + m.Texts.Sale.TakesBack
	}
	if m.route != routeSale || m.covered() { // The sale says it itself.
		m.say(text)
	}
}
