package tui

import (
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// dialog draws a question of the console in a box that takes the place of the screen. It does not
// cover a screen in part, because cut frames and figures could not be read.
type dialog struct {
	styles theme.Theme
	room   screen.Size
}

func (d dialog) width() int { return min(64, d.room.Width) }

func (d dialog) inner() int { return d.width() - 6 }

// draw draws the rows of a question in a box in the middle of the room.
func (d dialog) draw(title string, asks []string) string {
	rows := append([]string{""}, theme.Indent(asks, 1)...)
	box := pane.Pane{Title: d.styles.Accent.Render(title), Rows: append(rows, ""), Keys: true}
	if d.room.Height < len(rows)+3 {
		box = pane.Pane{Rows: rows[1:], Frame: pane.Bare}
	}
	height := min(d.room.Height, len(box.Rows)+2)
	return theme.Center(box.Draw(d.styles, d.width(), height), d.room.Width, d.room.Height)
}
