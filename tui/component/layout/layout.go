// Package layout contains the sizes that all screens share: the gap between panes, and which
// borders a window has room for.
package layout

import (
	"checkout/till/tui/component/pane"
)

// Gap is the number of columns between two panes.
const Gap = 1

// Halves is the minimum width, in columns, of a window with two panes next to each other.
const Halves = 80

// Split divides a width between two panes with a gap between them. An odd column goes to the left
// pane.
func Split(width int) (left, right int) { return (width - Gap + 1) / 2, (width - Gap) / 2 }

// FrameRows is the number of rows that the header and the key bar take together.
const FrameRows = 2

// Minimum width in columns, and minimum height in rows, of a window that has borders around its
// panes.
const columnsPane, rowsPane = 60, 20

// FrameOf returns the kind of border for the panes in a window of width columns and height rows. A
// border takes two rows and four columns, which a small window needs for its content.
func FrameOf(width, height int) pane.Frame {
	if height < rowsPane {
		return pane.Bare
	}
	return FrameAt(width)
}

// FrameAt returns the kind of border for a pane with a title, in a window of width columns that is
// high enough for borders.
func FrameAt(width int) pane.Frame {
	if width < columnsPane {
		return pane.TopRule
	}
	return pane.FullBorder
}
