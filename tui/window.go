package tui

import (
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
)

// window has the size of the terminal's window, and the room for a screen in it.
type window struct {
	size screen.Size
	room screen.Size // Inside the frame, below the rows that are above the screen.
}

// frame returns the border for panes in a window of this size.
func (w window) frame() pane.Frame { return layout.FrameOf(w.size.Width, w.size.Height) }

// inside returns the room for a screen if a number of rows is above it.
func (w window) inside(above int) screen.Size {
	return screen.Size{Width: w.size.Width, Height: max(0, w.size.Height-layout.FrameRows-above)}
}
