package tui

import (
	"strings"

	"checkout/till/tui/board"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
)

// desk is the sale with what stands beside it: who still has to pay, and the day;
// in a narrow window a strip of the first above the entry line.
type desk struct {
	slot[sale.Model]
	*screens
}

// Resize gives the sale its room, and remembers it for the neighbours.
func (d desk) Resize(width, height int) {
	d.room = size{width, height}
	d.slot.Resize(width, height)
}

// View draws the sale and its neighbours.
func (d desk) View() string {
	width, height := d.room.width, d.room.height
	grid := layout.Of(width, height+2)
	if grid.Side == 0 {
		return d.sale.WithStrip(d.board.Strip(width)).View()
	}
	waiting := d.board.PaneHeight(height / 2)
	side := d.board.Pane(grid.Side, waiting) + "\n" + d.today.Pane(grid.Side, height-waiting)
	gap := strings.Repeat(" ", layout.Gap)
	return theme.Beside(strings.Repeat(" ", grid.Left), d.slot.View(), gap, side)
}

// wall is the board with the last outcomes of the day below it, where both fit.
type wall struct {
	slot[board.Model]
	*screens
}

// outcomes is how many rows the last outcomes have below the board.
func (w wall) outcomes(width, height int) int {
	if grid := layout.Of(width, height+2); grid.Side > 0 && grid.Air > 0 {
		return max(0, height-board.RowsIn(height))
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
