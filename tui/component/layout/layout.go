// Package layout contains the sizes that all screens share.
package layout

import (
	"checkout/till/tui/component/pane"
)

// Gap is the number of columns between two panes.
const Gap = 1

// Halves is the minimum width, in columns, of a window with two panes next to each other.
const Halves = 80

// Split divides a width between two panes. An odd column goes to the left pane.
func Split(width int) (left, right int) { return (width - Gap + 1) / 2, (width - Gap) / 2 }

// FrameRows is the height of the header and the key bar together.
const FrameRows = 2

// Minimum size of a window with borders around its panes.
const columnsPane, rowsPane = 60, 20

// FrameOf returns the kind of border for the panes in a window. A small window needs the space of a
// border for its content.
func FrameOf(width, height int) pane.Frame {
	if height < rowsPane {
		return pane.Bare
	}
	return FrameAt(width)
}

// FrameAt returns the kind of border for a pane in a window that is high enough for borders.
func FrameAt(width int) pane.Frame {
	if width < columnsPane {
		return pane.TopRule
	}
	return pane.FullBorder
}
