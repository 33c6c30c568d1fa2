// Package pager shows a text that is longer than its pane. It guarantees the
// keys of every list: one row, a page, an end. bubbles' viewport fills each row up
// with blanks, which a rule of a pane cannot have.
package pager

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// Pager is a text, and the part of it that is in view. The zero Pager has no text.
type Pager struct {
	rows        []string
	top, height int // The first row in view, and how many there is room for.
}

// Show gives the pager its text and its room; the part in view stays where it is.
func (p Pager) Show(rows []string, width, height int) Pager {
	p.rows, p.height = theme.Clip(rows, width, len(rows)), max(0, height)
	return p.scroll(0)
}

func (p Pager) scroll(by int) Pager {
	p.top = max(0, min(p.top+by, len(p.rows)-p.height))
	return p
}

// Update takes a key, and tells whether it is one of the pager's.
func (p Pager) Update(msg tea.KeyMsg) (Pager, bool) {
	by, taken := map[tea.KeyType]int{
		tea.KeyUp: -1, tea.KeyDown: 1, tea.KeyPgUp: -p.height, tea.KeyPgDown: p.height,
		tea.KeyHome: -len(p.rows), tea.KeyEnd: len(p.rows),
	}[msg.Type]
	return p.scroll(by), taken
}

// Rows returns the rows in view, and blank ones where the text ends above the room.
func (p Pager) Rows() []string {
	rows := make([]string, p.height)
	copy(rows, p.rows[p.top:])
	return rows
}

// Scroll returns the mark in the border of a pane whose content begins with the
// text.
func (p Pager) Scroll() pane.Scroll {
	return pane.Scroll{First: p.top, End: min(len(p.rows), p.top+p.height), Total: len(p.rows)}
}
