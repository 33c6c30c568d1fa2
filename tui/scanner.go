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
	// letterWait is how long the payment screen waits after a letter. If another letter follows in
	// that time, both begin a text; otherwise the letter is a command.
	letterWait = 300 * time.Millisecond
	// minNumber is the fewest digits that count as a scan while a text field has the
	// focus. A shorter number may be a phone number.
	minNumber = 12
)

// burst is text that is typed quickly, possibly by a scanner. before has the screens as they were
// before the burst. With it, the keys of a scan are undone.
type burst struct {
	keyboard.Burst
	before screens
}

// held has the letters that no screen has received yet, because each may be a command or
// the start of a text.
type held []tea.KeyMsg

func (h held) text() string {
	var text strings.Builder
	for _, msg := range h {
		text.WriteString(string(msg.Runes))
	}
	return text.String()
}

// press handles a key. at is the time at which the key was read. If the key ends a scan, press
// handles all keys of the scan as one code.
func (m *model) press(msg tea.KeyMsg, at time.Time) tea.Cmd {
	if keyboard.Ends(msg) && m.burst.Text == "" && at.Sub(m.scanEnd) < keyboard.ScannerGap {
		return nil // Ignore the second end key that some scanners send.
	}
	m.status = status{}
	if msg.Type == tea.KeyCtrlCloseBracket { // The separator of a GS1 code, as scanners type it.
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
		if m.held != nil { // No screen has received the held letters, so there is nothing to undo.
			// After a pause within the code, the burst has only the end of the code. The held
			// letters have the whole code.
			if whole := m.held.text(); m.sale.Knows(whole) {
				code = whole
			}
			m.held = nil
			scan.before = m.screens
		}
		return m.scanned(code, scan.before)
	}
	return tea.Batch(m.release(), m.tap(msg, at))
}

func (m *model) typed(msg tea.KeyMsg, at time.Time) tea.Cmd {
	text, last := string(msg.Runes), m.burst.Last
	if m.burst.Burst = m.burst.Add(text, at); m.burst.Text == text {
		m.burst.before = m.screens
	}
	wait := m.letterWait()
	if wait == 0 {
		return m.tap(msg, at)
	}
	var cmd tea.Cmd
	if m.held != nil && at.Sub(last) >= wait {
		cmd = m.release()
	}
	m.held = append(m.held, msg)
	if len(m.held) > 1 && m.route == routePay && !m.burst.Quick(at) {
		return tea.Batch(cmd, m.release())
	}
	return tea.Batch(cmd, tea.Tick(wait, func(time.Time) tea.Msg { return quiet{} }))
}

// letterWait returns how long a letter is held back. If no other letter follows in this time, the
// letter is a command. letterWait returns 0 where letters are text.
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

// release handles the held letters. On the payment screen a single letter may be a command, and any
// other text begins the next sale. On other screens a single or repeated letter is a command, and
// any other text is dropped.
func (m *model) release() tea.Cmd {
	keys := m.held
	m.held = nil
	if len(keys) == 0 {
		return nil
	}
	different := func(msg tea.KeyMsg) bool { return msg.String() != keys[0].String() }
	commands := append(m.keys.common(), m.keys.Question)
	for _, group := range m.pay.FullHelp() {
		commands = append(commands, group.Keys...)
	}
	atCode := m.route == routePay && !m.covered()
	switch {
	case atCode && (len(keys) > 1 || !key.Matches(keys[0], commands...)):
		return m.act(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(keys.text()), Paste: true})
	case slices.ContainsFunc(keys, different):
		return nil
	}
	var cmds []tea.Cmd
	for _, msg := range keys {
		cmds = append(cmds, m.act(msg))
	}
	return tea.Batch(cmds...)
}

// quiet is sent when a held letter, or a held key that answers a question, has waited long enough
// for a scan.
type quiet struct{}

// quieted handles the held letters and the held tap if no key followed them.
func (m *model) quieted() tea.Cmd {
	if m.keyboard.Waiting() { // On a slow machine keys may still be unread: wait again.
		return tea.Tick(Repeat, func(time.Time) tea.Msg { return quiet{} })
	}
	var cmd tea.Cmd
	if m.Service.Now().Sub(m.burst.Last) >= m.letterWait() {
		cmd = m.release()
	}
	return tea.Batch(cmd, m.tapped())
}

// scans reports whether the open screen treats a burst as a scan. While a text field has
// the focus, a burst that a person may have typed is not a scan.
func (m *model) scans(code string) bool {
	isNumber := len(code) >= minNumber && strings.Trim(code, "0123456789") == ""
	looksLikeCode := strings.ContainsAny(code, "0123456789") && !strings.Contains(code, " ")
	switch {
	case m.covered(), m.route == routePay:
		return true
	case m.route == routeCatalog:
		return looksLikeCode || m.sale.Knows(code)
	case m.route == routeSale && m.sale.Fills(), m.route != routeSale && m.table()[m.route].Typing():
		answers := m.table()[m.route].Asked() != "" // Enter would submit the code as the answer: a reason, a PIN or an amount of cash.
		return isNumber || m.sale.Knows(code) || answers && looksLikeCode
	}
	return true
}

// scanned adds the article of a code to the sale and shows a message on the open screen. If the
// catalogue screen is open, that screen handles the code instead. before has the screens as they
// were before the keys of the scan. While an order is being sent, scanned adds nothing, because the
// article may belong to this sale or to the next one.
func (m *model) scanned(code string, before screens) tea.Cmd {
	if m.route == routeCatalog && !m.covered() {
		m.catalog = m.catalog.Scan(code, before.catalog)
		return nil
	}
	var cmd tea.Cmd
	switch m.route {
	case routeOrders:
		m.orders, cmd = m.orders.Untyped(before.orders)
	case routeToday:
		m.today = m.today.Untyped(before.today)
	}
	if m.counter.Stage() == counter.Sending {
		m.say(m.Texts.Sale.ScanLater)
		return cmd
	}
	atCode := m.route == routePay
	sold, text := m.sale.Scan(code, before.sale, atCode)
	m.sale = sold
	if atCode && m.counter.NextBegun() && m.sale.UnknownCode() == "" && m.counter.Shown().Live(m.state().Now) {
		text += " " + m.Texts.Sale.TakesBack
	}
	if m.route != routeSale || m.covered() { // The sale screen shows the same text, unless something covers the screen.
		m.say(text)
	}
	return cmd
}
