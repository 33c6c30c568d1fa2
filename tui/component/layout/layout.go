// Package layout is the grid of the console: which panes stand beside each
// other in a window, and how high they are. It guarantees that every screen
// changes its form at the same sizes.
package layout

import (
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/pane"
)

// Gap is how many columns lie between two panes, and Readable how wide a row is
// at most whose end belongs to its beginning.
const (
	Gap      = 1
	Readable = 116
)

// FrameRows is how many rows of a window the header and the bar of keys take.
const FrameRows = 2

// Layout is the grid of a window.
type Layout struct {
	// Left is how many columns are left blank before the first pane.
	Left int
	// Main, Favourites and Side are the widths of the columns of the sale; 0
	// where there is none.
	Main, Favourites, Side int
	// List and Detail are those of master and detail; 0 where Enter opens it.
	List, Detail int
	// Frame is how much of a border the panes have.
	Frame pane.Frame
	// Figures is how high the amounts are: 5 rows, 3, or 1 for a row of text.
	Figures int
	// Air is how many blank rows stand under a title, and Part how many between
	// two blocks of one screen.
	Air, Part int
	// Roomy says that lines stand in every second row while they fit.
	Roomy bool
	// Tiles is how many rows of three tiles there may be, Strip whether what is
	// awaited stands in one row.
	Tiles int
	Strip bool
}

// The columns and rows from which on a window is larger.
const (
	columnsPane, columnsSide, columnsDetail, columnsThree = 60, 100, 120, 160
	rowsPane, rowsTall, rowsRoomy                         = 20, 28, 40
	// NarrowFigures is the width of a column under which figures have 3 rows.
	NarrowFigures = 45
)

// Of returns the grid of a window.
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
	if width < columnsPane && l.Frame == pane.Whole {
		l.Frame = pane.Open
	}
	l.Strip = width < columnsSide && height >= rowsPane
	if width >= columnsDetail {
		l.Detail = (width - Gap) * 2 / 5
		l.List = width - Gap - l.Detail
	}
	if height < rowsPane || width < columnsSide {
		return l
	}
	switch {
	case width < columnsThree:
		l.Side = 42
		l.Main = width - Gap - l.Side
	default:
		l.Favourites = 34
		rest := width - l.Favourites - 2*Gap
		l.Side = min(rest-76, 60) // It grows before the sale does.
		l.Main = min(rest-l.Side, 90)
		l.Left = (rest - l.Side - l.Main) / 2
	}
	return l
}

// FiguresIn returns how high amounts are in a column of width columns.
func (l Layout) FiguresIn(width int) int {
	if width < NarrowFigures {
		return min(l.Figures, figures.Small)
	}
	return l.Figures
}
