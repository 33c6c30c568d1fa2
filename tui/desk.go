package tui

import (
	"strings"

	"checkout/till/tui/board"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
)

// desk is the sale with what stands beside it: who still has to pay, and the day;
// in a narrow window a strip of the first below it.
type desk struct {
	slot[sale.Model]
	*screens
}

func (d desk) grid() layout.Layout { return layout.Of(d.room.width, d.room.height+2) }

// Resize gives the sale what its neighbours leave.
func (d desk) Resize(width, height int) {
	d.room = size{width, height}
	grid := d.grid()
	switch {
	case grid.Strip:
		height--
	case grid.Favourites > 0:
		width = grid.Main + layout.Gap + grid.Favourites
	case grid.Side > 0:
		width = grid.Main
	}
	d.slot.Resize(width, max(0, height))
}

// View draws the sale and its neighbours.
func (d desk) View() string {
	grid, sale := d.grid(), d.slot.View()
	switch {
	case grid.Strip:
		return sale + "\n" + d.board.Strip(d.room.width)
	case grid.Side == 0:
		return sale
	}
	width, height := d.room.width-2*grid.Left-layout.Gap-grid.Side, d.room.height
	rows := strings.Split(sale, "\n")
	for i, row := range rows {
		rows[i] = theme.Left(strings.Repeat(" ", grid.Left)+row, grid.Left+width+layout.Gap)
	}
	waiting := d.board.PaneHeight(height / 2)
	side := d.board.Pane(grid.Side, waiting) + "\n" + d.today.Pane(grid.Side, height-waiting)
	return theme.Beside(strings.Join(rows, "\n"), side)
}

// wall is the board with the last outcomes of the day below it, where both fit.
type wall struct {
	slot[board.Model]
	*screens
}

// outcomes is how many rows the last outcomes have below the board.
func (w wall) outcomes(width, height int) int {
	if grid := layout.Of(width, height+2); grid.Side > 0 && grid.Air > 0 {
		return max(0, height-board.BoardRows(height))
	}
	return 0
}

// Resize gives the board its room.
func (w wall) Resize(width, height int) { w.slot.Resize(width, height-w.outcomes(width, height)) }

// View draws the board and the last outcomes.
func (w wall) View() string {
	rows := w.outcomes(w.room.width, w.room.height)
	if rows == 0 {
		return w.slot.View()
	}
	return w.slot.View() + "\n" + w.today.Last(w.room.width, rows)
}
