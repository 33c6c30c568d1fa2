package sale

import (
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
)

// Columns contains the widths of the screen's columns, or 0 for a column that is not drawn. The
// console draws Side.
type Columns struct{ Main, Favourites, Side int }

type area struct{ size screen.Size }

// Columns divides the width of the screen. A window too small for full borders has one column.
func (a area) Columns() Columns {
	width := a.size.Width
	if a.frame() != pane.FullBorder {
		return Columns{Main: width}
	}
	main := fit.Need{Least: 76, Grow: 2}
	favourites := fit.Need{Least: 34, Grow: 1}
	side := fit.Need{Least: 48, Good: 60, Grow: 1}
	if of, whole := fit.Share(width-2*layout.Gap, main, favourites, side); whole {
		return Columns{of[0], of[1], of[2]}
	}
	if of, whole := fit.Share(width-layout.Gap, fit.Need{Least: 60, Grow: 1}, fit.Need{Least: 42, Good: 46}); whole {
		return Columns{Main: of[0], Side: of[1]}
	}
	return Columns{Main: width}
}

func (a area) frame() pane.Frame {
	return layout.FrameOf(a.size.Width, a.size.Height+layout.FrameRows)
}

type form struct {
	figures int  // Maximum height of amounts, in rows.
	air     int  // Blank rows below a title and above the total.
	lines   int  // Minimum number of visible lines of the sale, or of rows for the greeting.
	spaced  bool // Whether a blank row precedes each line.
	whole   bool // Whether all lines must be visible.
	tiles   int  // Rows of tiles with favourites.
}

// forms returns the ways to draw a sale with lines, the largest first.
func forms() []form {
	return []form{
		{figures: figures.Large, air: 1, lines: 11, tiles: 3, spaced: true},
		{figures: figures.Large, air: 1, lines: 5, tiles: 3},
		{figures: figures.Large, air: 1, lines: 5, tiles: 2},
		{figures: figures.Large, air: 1, lines: 5, tiles: 1},
		{figures: figures.Large, air: 1, lines: 8},
		{figures: figures.Large, air: 1, lines: 5, whole: true},
		{figures: figures.Small, lines: 3},
		{figures: 1, lines: 1},
	}
}

// emptyForms returns the forms for a sale without lines, the largest first. A large 0 and the
// longest greeting are dropped before the tiles.
func emptyForms() []form {
	const greeting = 30 // Rows of the longest greeting.
	return []form{
		{figures: figures.Large, air: 1, lines: greeting, tiles: 3},
		{figures: 1, air: 1, tiles: 3},
		{figures: 1, air: 1, tiles: 2},
		{figures: 1, air: 1, tiles: 1},
		{figures: 1, air: 1},
		{figures: 1},
	}
}

// askForms returns the forms while the screen asks a question. With the last two, a question for
// cash hides the sale.
func askForms() []form {
	return []form{
		{figures: figures.Large, air: 1, lines: 11, spaced: true},
		{figures: figures.Large, air: 1, lines: 5},
		{figures: figures.Large, air: 1, lines: 2},
		{figures: figures.Small, lines: 2},
		{figures: figures.Small},
		{figures: 1},
	}
}

// plan is the chosen form, with the heights in rows of the pane with the sale and of the part below
// it.
type plan struct {
	form
	Columns
	frame       pane.Frame
	sale, below int
}

type painter struct {
	Model
	of plan
}

func (m Model) painter() painter {
	return painter{m, plan{Columns: m.Columns(), frame: m.frame()}}
}

// planned returns the painter with the first form that fits height rows, or else the last one.
func (p painter) planned(height int) painter {
	forms := forms()
	switch {
	case p.inquires() && p.of.frame != pane.Bare:
		forms = askForms()
	case p.Counter.Cart().Empty() && !p.inquires() && !p.mode.listing():
		forms = emptyForms()
	}
	for _, p.of.form = range forms {
		if p.of.figures == figures.Small && p.Theme.ASCII() && !p.Counter.Cart().Empty() {
			p.of.figures = figures.Large // In ASCII, small digits look like normal text.
			p.of.lines = min(p.of.lines, 2)
		}
		sale, below := p.needs()
		sizes, whole := fit.Share(height, sale, below)
		p.of.sale = sizes[0]
		p.of.below = sizes[1]
		if whole {
			return p
		}
	}
	p.of.below = min(p.of.below, height)
	p.of.sale = height - p.of.below
	return p
}

func (p painter) needs() (sale, below fit.Need) {
	_, inside := p.of.frame.Inner(p.of.Main, maxSaid)
	edges := maxSaid - inside
	rows := edges + p.of.air + 1 + p.linesIn()
	switch {
	case p.mode.listing():
	case p.Counter.Cart().Empty():
		inner, _ := p.of.frame.Inner(p.of.Main, 0)
		rows = edges + p.of.air + max(examples, p.of.lines, 1+len(greeter{p.Greeting, p.Console, inner, 0}.typing(false)))
	case p.Counter.Cart().Sale.Description != "":
		rows++
	}
	if p.Counter.Cart().Sale.Taken > 0 && !p.mode.listing() {
		rows++
	}
	if !p.inquires() && !p.mode.listing() {
		const rule = 1
		rows += rule + p.of.figures + p.of.air + p.below()
	}
	if !p.chosenOnTiles() {
		rows += p.offerRows()
	}
	sale = fit.Need{Least: rows, Grow: 1}
	switch {
	case p.of.frame == pane.Bare && !p.owners.Open():
	case p.way().Given:
		cash := p.cash()
		sums := drawer.LikelySums(cash.due)
		inRow := cash.inRow(sums, p.of.Main)
		asked := p.cashHeight() + edges + tileHeight*rowsOf(len(sums), inRow)
		below = fit.Need{Least: asked, Good: asked + 2*p.of.air}
		if p.of.lines == 0 {
			sale = fit.Need{}
			below.Grow = 1
		}
	case p.inquires():
		asked := len(p.askedRows(p.size.Height)) + edges
		below = fit.Need{Least: asked, Good: asked + max(1, 5*p.of.air)}
		if p.of.figures > 1 && p.inquiry().amount != "" {
			below.Least++ // A blank row separates the digits from the border.
		}
	case p.of.Favourites == 0:
		drawn := min(p.of.tiles, p.rowsOfTiles())
		below.Least = tileHeight * drawn
		sale.Least += tileHeight * (p.of.tiles - drawn) // A shop with few favourites gets the same form as one with many.
	}
	return sale, below
}

// linesIn returns the height of the lines of the sale that must be visible in a form.
func (p painter) linesIn() int {
	lines := p.of.lines
	if p.of.tiles > 0 || p.of.spaced || p.of.whole {
		lines = max(lines, len(p.Counter.Cart().Items()))
	}
	if p.of.spaced {
		lines *= 2
	}
	return lines
}

// offerRows returns the minimum number of rows for suggested articles and the rule above them, or 0
// for fewer than two articles.
func (p painter) offerRows() int {
	const fewest = 3
	if best := len(p.choice.fit.Best); best > 1 {
		return 1 + min(best, fewest)
	}
	return 0
}

// chosenOnTiles reports whether the tiles show the favourite that Tab has chosen, so that no list
// of suggested articles is needed.
func (p painter) chosenOnTiles() bool {
	if !p.line.Empty() || !p.choice.offered() {
		return false
	}
	if p.of.Favourites > 0 {
		favourites := p.Counter.Shelf().Favourites()
		return favourites[len(favourites)-1].Favourite <= p.size.Height/tileHeight
	}
	return p.of.frame != pane.Bare && p.of.tiles > 0
}

// firstTiles returns the first row of tiles to draw, so that the chosen favourite is visible.
func (p painter) firstTiles(drawn int) int {
	next, named := p.choice.next()
	if !named || !p.line.Empty() {
		return 0
	}
	return max(0, rowsOf(next.Favourite, perRow)-drawn)
}

// rowsOfTiles returns how many rows of tiles are needed. Without favourites, empty tiles show how
// to make one, unless the welcome text has their place.
func (p painter) rowsOfTiles() int {
	favourites := p.Counter.Shelf().Favourites()
	switch {
	case len(favourites) > 0:
		return rowsOf(favourites[len(favourites)-1].Favourite, perRow)
	case p.Welcome != "":
		return 0
	}
	return rowsOf(allPlaces, perRow)
}

func rowsOf(tiles, inRow int) int { return (tiles + inRow - 1) / inRow }
