// Package pager scrolls a text that is longer than its pane. It replaces the viewport of
// charmbracelet/bubbles, which pads each row with blanks and so would hide the lines from
// [pane.Rule].
package pager

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// Pager is a text and its visible part. The zero Pager has no text.
type Pager struct {
	rows        []string
	top, height int // First visible row, and number of rows that fit.
}

// Show sets the text and the size. It keeps the scroll position.
func (p Pager) Show(rows []string, width, height int) Pager {
	p.rows, p.height = theme.Clip(rows, width, len(rows)), max(0, height)
	return p.scroll(0)
}

func (p Pager) scroll(by int) Pager {
	p.top = max(0, min(p.top+by, len(p.rows)-p.height))
	return p
}

// Update handles a key, and reports whether the pager uses that key.
func (p Pager) Update(msg tea.KeyMsg) (Pager, bool) {
	by, taken := map[tea.KeyType]int{
		tea.KeyUp: -1, tea.KeyDown: 1, tea.KeyPgUp: -p.height, tea.KeyPgDown: p.height,
		tea.KeyHome: -len(p.rows), tea.KeyEnd: len(p.rows),
	}[msg.Type]
	return p.scroll(by), taken
}

// Rows returns the visible rows, padded with blank rows.
func (p Pager) Rows() []string {
	rows := make([]string, p.height)
	copy(rows, p.rows[p.top:])
	return rows
}

// Scroll returns the scroll mark for a pane in which the text begins in the first row.
func (p Pager) Scroll() pane.Scroll {
	return pane.Scroll{First: p.top, End: min(len(p.rows), p.top+p.height), Total: len(p.rows)}
}
