package tui

import (
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
)

type window struct {
	size screen.Size
	room screen.Size // The window without the rows above and below a screen.
}

func (w window) frame() pane.Frame { return layout.FrameOf(w.size.Width, w.size.Height) }

// inside returns the size of a screen with a number of rows between the header and the screen.
func (w window) inside(above int) screen.Size {
	return screen.Size{Width: w.size.Width, Height: max(0, w.size.Height-layout.FrameRows-above)}
}
