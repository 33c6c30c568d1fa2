package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
)

// press gives the filter a key, and handles what the filter makes of it.
func (m *model) press(stroke keyboard.Stroke) tea.Cmd {
	m.filter.Press(stroke)
	return m.filtered(stroke.At)
}

// quieted handles the keys that the filter kept. On a slow machine the keys that follow may still be
// unread: then quieted waits again.
func (m *model) quieted() tea.Cmd {
	if m.keyboard.Waiting() {
		return keyboard.Wait(keyboard.Again)
	}
	return m.filtered(m.Service.Now())
}

// filtered handles the keys and scans that the filter gives until now. After each one the counter's
// facts go to the screens, because they may change what the next key means.
func (m *model) filtered(now time.Time) tea.Cmd {
	var cmds []tea.Cmd
	for {
		switch next := m.filter.Next(m.meaning(), m.sale.Knows, now).(type) {
		case tea.KeyMsg:
			m.status = status{}
			cmds = append(cmds, m.act(next), m.settle())
		case keyboard.Scan:
			m.status = status{}
			cmds = append(cmds, m.scanned(next), m.settle())
		default:
			return tea.Batch(append(cmds, keyboard.Wait(m.filter.Wait()))...)
		}
	}
}

// meaning returns what keys mean now.
func (m *model) meaning() keyboard.Meaning {
	switch {
	case m.quitting():
		return keyboard.Meaning{Asked: m.counter.Answerable()}
	case m.helping:
		return keyboard.Meaning{}
	}
	return m.table()[m.route].Meaning()
}

// scanned handles a scan. Unless the open screen uses codes itself, that screen takes back what the
// scanner typed, and the article goes to the sale. While an order is being sent, it goes nowhere,
// because it may belong to this sale or to the next one.
func (m *model) scanned(scan keyboard.Scan) tea.Cmd {
	var cmd tea.Cmd
	if !m.covered() {
		cmd = m.table()[m.route].Update(scan)
	}
	switch {
	case m.meaning().Codes:
		return cmd
	case m.route != routeSale && m.route != routePay:
		scan.Typed = "" // The sale did not get these keys.
	}
	if m.counter.Stage() == counter.Sending {
		m.say(m.Texts.Sale.ScanLater)
		return cmd
	}
	atCode := m.route == routePay
	sold, says := m.sale.Scan(scan, atCode)
	m.sale = sold
	if atCode && m.counter.NextBegun() && m.sale.UnknownCode() == "" && m.counter.Shown().Live(m.state().Now) {
		says += " " + m.Texts.Sale.TakesBack
	}
	if m.route != routeSale || m.covered() { // The sale screen shows the same text, unless something covers the screen.
		m.say(says)
	}
	return cmd
}
