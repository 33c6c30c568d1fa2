package tui

import (
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// dialog draws a question in a box over a screen.
type dialog struct {
	styles theme.Theme
	room   screen.Size
}

func (d dialog) width() int { return min(64, d.room.Width) }

// inner returns the width of the rows of the question.
func (d dialog) inner() int { return d.width() - 6 }

// over draws the rows of a question in a box over behind, the view of a screen. In a window that is
// too low, the box has no border and no title.
func (d dialog) over(behind, title string, asks []string) string {
	rows := append([]string{""}, theme.Indent(asks, 1)...)
	box := pane.Pane{Title: d.styles.Accent.Render(title), Rows: append(rows, ""), Keys: true}
	if d.room.Height < len(rows)+3 {
		box = pane.Pane{Rows: rows[1:], Frame: pane.Bare}
	}
	height := min(d.room.Height, len(box.Rows)+2)
	return d.styles.Over(behind, box.Draw(d.styles, d.width(), height), d.room.Width, d.room.Height)
}
