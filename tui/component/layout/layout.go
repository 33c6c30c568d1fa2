// Package layout has the sizes that all screens share: the gap between panes, and the borders that a
// window has room for.
package layout

import (
	"checkout/till/tui/component/pane"
)

// Gap is the number of columns between two panes.
const Gap = 1

// Halves is the smallest width, in columns, at which two panes share a window.
const Halves = 80

// Split divides a width between two panes with a gap between them.
func Split(width int) (left, right int) { return (width - Gap + 1) / 2, (width - Gap) / 2 }

// FrameRows is the number of rows for the header and the key bar.
const FrameRows = 2

// The smallest width, in columns, and the smallest height, in rows, of a window in which panes have borders.
const columnsPane, rowsPane = 60, 20

// FrameOf returns the kind of border that panes have in a window of width columns and height rows. A border
// costs two rows and four columns, which a small window needs for its content.
func FrameOf(width, height int) pane.Frame {
	if height < rowsPane {
		return pane.Bare
	}
	return FrameAt(width)
}

// FrameAt returns the kind of border that a titled pane has in a window of width columns that has the rows for it.
func FrameAt(width int) pane.Frame {
	if width < columnsPane {
		return pane.TopRule
	}
	return pane.FullBorder
}
