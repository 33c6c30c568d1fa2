package sale

import (
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
)

// Columns are the widths of the columns of the screen. A column with width 0 is not drawn. The console draws
// Side.
type Columns struct{ Main, Favourites, Side int }

// Columns divides the width of the screen. A window that is too low for borders has one column.
func (m Model) Columns() Columns {
	width := m.size.Width
	if m.frame() != pane.FullBorder {
		return Columns{Main: width}
	}
	main, favourites, side := fit.Need{Least: 76, Grow: 2}, fit.Need{Least: 34, Grow: 1}, fit.Need{Least: 48, Good: 60, Grow: 1}
	if of, whole := fit.Share(width-2*layout.Gap, main, favourites, side); whole {
		return Columns{of[0], of[1], of[2]}
	}
	if of, whole := fit.Share(width-layout.Gap, fit.Need{Least: 60, Grow: 1}, fit.Need{Least: 42}); whole {
		return Columns{Main: of[0], Side: of[1]}
	}
	return Columns{Main: width}
}

func (m Model) frame() pane.Frame {
	return layout.FrameOf(m.size.Width, m.size.Height+layout.FrameRows)
}

// form is a way to draw the column of the sale.
type form struct {
	figures int  // Maximum height of amounts, in rows.
	air     int  // Blank rows below a title and around the total.
	lines   int  // Fewest lines of the sale that are visible, if it has so many. They come before tiles.
	spaced  bool // A blank row is above each line.
	tiles   int  // Rows of favourites as tiles.
}

// forms returns the ways to draw a sale that has lines, the roomiest first.
func forms() []form {
	return []form{
		{figures: figures.Large, air: 1, lines: 11, tiles: 3, spaced: true},
		{figures: figures.Large, air: 1, lines: 5, tiles: 3},
		{figures: figures.Large, air: 1, lines: 5, tiles: 2},
		{figures: figures.Large, air: 1, lines: 5, tiles: 1},
		{figures: figures.Large, air: 1, lines: 8},
		{figures: figures.Small, lines: 3},
		{figures: 1, lines: 1},
	}
}

// emptyForms returns the forms for a sale without lines. Tiles are more useful there than a large 0.
func emptyForms() []form {
	return []form{
		{figures: figures.Large, air: 1, tiles: 3},
		{figures: figures.Large, air: 1, tiles: 2},
		{figures: figures.Small, tiles: 2},
		{figures: figures.Small, tiles: 1},
		{figures: figures.Small},
		{figures: 1},
	}
}

// cashForms returns the forms while the screen asks how much cash the customer gives. In the last ones
// there is no pane of the sale.
func cashForms() []form {
	return []form{
		{figures: figures.Large, air: 1, lines: 11, spaced: true},
		{figures: figures.Large, air: 1, lines: 5},
		{figures: figures.Small, lines: 2},
		{figures: figures.Small},
		{figures: 1},
	}
}

// plan is a form with the heights of the pane of the sale and of what is below it, in rows.
type plan struct {
	form
	Columns
	frame       pane.Frame
	sale, below int
}

// plan returns the first form that fits height rows, or the last form.
func (m Model) plan(height int) plan {
	of := plan{Columns: m.Columns(), frame: m.frame()}
	forms := forms()
	switch {
	case m.paidInCash() && of.frame != pane.Bare:
		forms = cashForms()
	case m.cart().Empty() && !m.inquires() && !m.listing():
		forms = emptyForms()
	}
	for _, of.form = range forms {
		if of.figures == figures.Small && !m.Theme.HalfBlocks() && !m.cart().Empty() {
			of.figures = figures.Large // Small figures would be normal letters.
			of.lines = min(of.lines, 2)
		}
		sale, below := m.needs(of)
		sizes, whole := fit.Share(height, sale, below)
		of.sale = sizes[0]
		of.below = sizes[1]
		if whole {
			return of
		}
	}
	of.below = min(of.below, height)
	of.sale = height - of.below
	return of
}

// needs returns how many rows a form needs.
func (m Model) needs(of plan) (sale, below fit.Need) {
	_, inside := of.frame.Inner(of.Main, maxSaid)
	edges := maxSaid - inside
	rows := edges + of.air + 1 + m.linesIn(of)
	switch {
	case m.listing():
	case m.cart().Empty():
		rows = edges + of.air + examples
	case m.cart().Sale.Description != "":
		rows++
	}
	if m.cart().Sale.Taken > 0 && !m.listing() {
		rows++
	}
	if !m.inquires() && !m.listing() {
		const rule = 1
		rows += rule + of.figures + of.air
	}
	rows += m.offered()
	sale = fit.Need{Least: rows, Grow: 1}
	switch {
	case of.frame == pane.Bare:
	case m.paidInCash():
		tiles := tileRows * rowsOf(len(drawer.Tendered(m.due())))
		asked := len(m.cashRows(of)) + edges + tiles
		below = fit.Need{Least: asked, Good: asked + 2*of.air}
		if of.lines == 0 {
			sale = fit.Need{}
			below.Grow = 1
		}
	case m.inquires():
		asked := len(m.askedRows(of, m.size.Height)) + edges
		below = fit.Need{Least: asked, Good: asked + 5*of.air}
	case of.Favourites == 0:
		drawn := min(of.tiles, m.tileRows())
		below.Least = tileRows * drawn
		sale.Least += tileRows * (of.tiles - drawn) // A shop with few favourites has the same forms.
	}
	return sale, below
}

// linesIn returns the height of the lines of the sale that a form must show. All lines come before tiles.
func (m Model) linesIn(of plan) int {
	lines := of.lines
	if of.tiles > 0 || of.spaced {
		lines = max(lines, len(m.items()))
	}
	if of.spaced {
		lines *= 2
	}
	return lines
}

// offered returns the fewest rows of the articles that are offered for choice, with their rule.
func (m Model) offered() int {
	const fewest = 3
	if best := len(m.choice.fit.Best); best > 1 {
		return 1 + min(best, fewest)
	}
	return 0
}

// tileRows returns how many rows of tiles the favourites need. Without a favourite, the free places show how to
// make one, but the welcome of a first start takes their room.
func (m Model) tileRows() int {
	favourites := m.Counter.Shelf().Favourites()
	switch {
	case len(favourites) > 0:
		return rowsOf(favourites[len(favourites)-1].Favourite)
	case m.Welcome != "":
		return 0
	}
	return rowsOf(allPlaces)
}

// rowsOf returns how many rows a number of tiles needs.
func rowsOf(tiles int) int { return (tiles + perRow - 1) / perRow }
