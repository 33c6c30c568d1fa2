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
	Left int // Blank columns before the first pane.
	// Main, Favourites and Side are the widths of the three columns of the sale screen. A
	// column with width 0 is not drawn.
	Main, Favourites, Side int
	// List and Detail are the widths of a list and of the pane with the details of a row.
	// Detail is 0 if there is no room for both.
	List, Detail int
	Frame        pane.Frame
	Figures      int  // Height of amounts: 5 rows, 3, or 1 for a row of text.
	Air          int  // Blank rows below a title.
	Part         int  // Blank rows between two blocks of a screen.
	Roomy        bool // A blank row separates the lines of a sale while they fit.
	Tiles        int  // Maximum number of rows of tiles with favourites.
	Strip        bool // The waiting orders are in one row above the entry line, instead of in a side pane.
}

// The widths (in columns) and heights (in rows) from which a window gets a larger layout.
const (
	columnsPane, columnsSide, columnsDetail, columnsThree = 60, 100, 120, 160
	rowsPane, rowsTall, rowsRoomy                         = 20, 28, 40
	columnsFigures                                        = 45 // In a narrower pane, amounts have at most 3 rows.
)

// Of returns the grid of a window of width columns and height rows.
func Of(width, height int) Layout {
	l := Layout{Main: width, List: width, Figures: figures.Large, Air: 1, Part: 2, Roomy: height >= rowsRoomy, Tiles: 3}
	switch {
	case height < rowsPane:
		l.Frame = pane.Bare
		l.Figures = 1
		l.Air = 0
		l.Part = 0
		l.Tiles = 0
	case height < rowsTall:
		l.Figures = figures.Small
		l.Air = 0
		l.Part = 1
		l.Tiles = 0
	}
	if width < columnsPane && l.Frame == pane.FullBorder {
		l.Frame = pane.TopRule
	}
	l.Strip = width < columnsSide && height >= rowsPane
	if width >= columnsDetail {
		l.Detail = (width - Gap) * 2 / 5
		l.List = width - Gap - l.Detail
	}
	if height < rowsPane || width < columnsSide {
		return l
	}
	if width < columnsThree {
		l.Side = 42
		l.Main = width - Gap - l.Side
		return l
	}
	l.Favourites = 34
	rest := width - l.Favourites - 2*Gap
	l.Side = min(rest-76, 60) // A wider window widens Side first, up to 60 columns, and then Main.
	l.Main = min(rest-l.Side, 90)
	l.Left = (rest - l.Side - l.Main) / 2
	return l
}

// FiguresIn returns the height, in rows, of an amount's digits in a pane of width columns.
func (l Layout) FiguresIn(width int) int {
	if width < columnsFigures {
		return min(l.Figures, figures.Small)
	}
	return l.Figures
}
