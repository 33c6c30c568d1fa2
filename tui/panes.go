package tui

import (
	"strings"

	"checkout/till/tui/board"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
)

// saleScreen is the sale with the panes of waiting orders and of the day beside it.
// In a narrow window the waiting orders are a strip above the entry line.
type saleScreen struct {
	holder[sale.Model]
	*screens
}

// SetSize sets the size of the sale, and keeps it for the panes beside it.
func (d saleScreen) SetSize(width, height int) {
	d.room = size{width, height}
	d.holder.SetSize(width, height)
}

// View draws the sale and the panes.
func (d saleScreen) View() string {
	width, height := d.room.width, d.room.height
	grid := layout.Of(width, height+2)
	if grid.Side == 0 {
		return d.sale.WithStrip(d.board.Strip(width)).View()
	}
	waiting := d.board.PaneHeight(height / 2)
	side := d.board.Pane(grid.Side, waiting) + "\n" + d.today.Pane(grid.Side, height-waiting)
	gap := strings.Repeat(" ", layout.Gap)
	return theme.Beside(strings.Repeat(" ", grid.Left), d.holder.View(), gap, side)
}

// boardScreen is the board, with the last outcomes of the day below it where both fit.
type boardScreen struct {
	holder[board.Model]
	*screens
}

// outcomes is how many rows the last outcomes have below the board.
func (w boardScreen) outcomes(width, height int) int {
	if grid := layout.Of(width, height+2); grid.Side > 0 && grid.Air > 0 {
		return max(0, height-board.RowsIn(height))
	}
	return 0
}

// SetSize sets the size of the board.
func (w boardScreen) SetSize(width, height int) {
	w.holder.SetSize(width, height-w.outcomes(width, height))
}

// View draws the board and the last outcomes.
func (w boardScreen) View() string {
	rows := w.outcomes(w.room.width, w.room.height)
	if rows == 0 {
		return w.holder.View()
	}
	return w.holder.View() + "\n" + w.today.Last(w.room.width, rows)
}
