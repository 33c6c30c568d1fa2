// Package layout is the grid of the console: which panes a window shows side by side, and
// how high they are. Every screen changes its layout at the same window sizes.
package layout

import (
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/pane"
)

// Gap is the number of columns between two panes.
const Gap = 1

// Halves is the smallest width, in columns, at which two panes share a window.
const Halves = 80

// FrameRows is the number of rows for the header and the key bar.
const FrameRows = 2

// Layout is the grid of a window.
type Layout struct {
	// List and Detail are the widths of a list and of the pane with the details of a row.
	// Detail is 0 if there is no room for both.
	List, Detail int
	Frame        pane.Frame
	Figures      int // Height of amounts: 5 rows, 3, or 1 for a row of text.
	Air          int // Blank rows below a title.
	Part         int // Blank rows between two blocks of a screen.
}

// The widths (in columns) and heights (in rows) from which a window gets a larger layout.
const (
	columnsPane, columnsDetail = 60, 120
	rowsPane, rowsTall         = 20, 28
)

// FrameOf returns the kind of border that panes have in a window of width columns and height rows. A border
// costs two rows and four columns, which a small window needs for its content.
func FrameOf(width, height int) pane.Frame {
	switch {
	case height < rowsPane:
		return pane.Bare
	case width < columnsPane:
		return pane.TopRule
	}
	return pane.FullBorder
}

// Of returns the grid of a window of width columns and height rows.
func Of(width, height int) Layout {
	l := Layout{List: width, Frame: FrameOf(width, height), Figures: figures.Large, Air: 1, Part: 2}
	switch {
	case height < rowsPane:
		l.Figures = 1
		l.Air = 0
		l.Part = 0
	case height < rowsTall:
		l.Figures = figures.Small
		l.Air = 0
		l.Part = 1
	}
	if width >= columnsDetail {
		l.Detail = (width - Gap) * 2 / 5
		l.List = width - Gap - l.Detail
	}
	return l
}
