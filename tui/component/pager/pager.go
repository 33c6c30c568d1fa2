// Package pager shows a text that is longer than its pane. It guarantees the
// keys of every list: one row, a page, an end. It stands on bubbles/viewport.
package pager

import (
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// Pager is a text, and the part of it that is in view. The zero Pager has no text.
type Pager struct{ view viewport.Model }

// Show gives the pager its text and its room; the part in view stays where it is.
func (p Pager) Show(rows []string, width, height int) Pager {
	p.view.Width, p.view.Height = width, height
	p.view.SetContent(strings.Join(theme.Clip(rows, width, len(rows)), "\n"))
	p.view.SetYOffset(p.view.YOffset)
	return p
}

// Update takes a key, and tells whether it is one of the pager's.
func (p Pager) Update(msg tea.KeyMsg) (Pager, bool) {
	switch msg.Type {
	case tea.KeyUp:
		p.view.ScrollUp(1)
	case tea.KeyDown:
		p.view.ScrollDown(1)
	case tea.KeyPgUp:
		p.view.PageUp()
	case tea.KeyPgDown:
		p.view.PageDown()
	case tea.KeyHome:
		p.view.GotoTop()
	case tea.KeyEnd:
		p.view.GotoBottom()
	default:
		return p, false
	}
	return p, true
}

// Rows returns the rows in view.
func (p Pager) Rows() []string {
	rows := strings.Split(p.view.View(), "\n")
	for i, row := range rows {
		if strings.HasPrefix(row, pane.Rule("")) {
			rows[i] = strings.TrimRight(row, " ") // The viewport fills each up with blanks.
		}
	}
	return rows
}

// Scroll returns the mark in the border of a pane whose content begins with the
// text.
func (p Pager) Scroll() pane.Scroll {
	first := p.view.YOffset
	return pane.Scroll{First: first, End: first + p.view.VisibleLineCount(), Total: p.view.TotalLineCount()}
}
