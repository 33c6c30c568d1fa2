package sale

import (
	"slices"
	"strings"

	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// grid is the layout of the window: the header and the bar of keys are two rows
// of it.
func (m Model) grid() layout.Layout { return layout.Of(m.size.Width, m.size.Height+2) }

// WithStrip returns the screen with a row between the sale and the entry line,
// in a window that has no room for a pane beside them.
func (m Model) WithStrip(strip string) Model {
	m.strip = strip
	return m
}

// View draws the columns of the sale and of the favourites. The side column of
// the layout is left to others.
func (m Model) View() string {
	grid := m.grid()
	sale := strings.Join(m.column(grid), "\n")
	if grid.Favourites == 0 {
		return sale
	}
	return theme.Beside(sale, strings.Repeat(" ", layout.Gap), strings.Join(m.favouriteColumn(grid.Favourites), "\n"))
}

// The least rows of a pane: of the sale with its borders, and how many lines of
// it are worth more than tiles.
const (
	fewLines  = 5
	fewestRow = 3
)

// column stacks the sale, a question or the favourites, the strip and the entry
// line. The entry line and the total come first where rows are short.
func (m Model) column(grid layout.Layout) []string {
	entry := m.entry(grid)
	if grid.Strip {
		entry = append([]string{m.strip}, entry...)
	}
	room := max(0, m.size.Height-len(entry))
	var below []string
	asked := m.asked()
	switch {
	case asked.title != "" && grid.Frame != pane.Bare:
		below = m.inquire(asked, grid, room)
	case grid.Favourites == 0:
		// The rows of the sale: borders, air and heading, the total and its rule.
		least := 2 + grid.Air + 1 + fewLines + 1 + grid.Figures + grid.Air
		below = m.tiles(grid, room-least)
	}
	sale := m.sale(grid, max(0, room-len(below)), asked.title == "")
	return append(append(sale, below...), entry...)
}

// sale is the pane of the lines and, unless a question shows it, of the total.
func (m Model) sale(grid layout.Layout, height int, withTotal bool) []string {
	inner, room := grid.Frame.Inner(grid.Main, height)
	drawn := pane.Pane{Frame: grid.Frame, Title: m.Texts.Sale.Title, Right: m.cart.Name()}
	air := make([]string, grid.Air)
	if m.mode == resuming || m.mode == droppingHeld {
		drawn.Title, drawn.Right = m.Texts.Held.Title, ""
		rows, scroll, position := m.heldRows(inner, room-len(air))
		drawn.Rows, drawn.Scroll, drawn.Foot = slices.Concat(air, rows), scroll, position
		drawn.Scroll.Top += len(air)
		return drawn.Lines(m.Theme, grid.Main, height)
	}
	var foot []string
	if note := m.cart.Sale().Description; note != "" {
		foot = append(foot, " "+m.Theme.Accent.Render(theme.Truncate(m.Texts.Selling.Note.With(note), inner-1)))
	}
	foot = append(foot, m.offers(inner, room-len(foot)-grid.Figures-fewestRow)...)
	if withTotal {
		foot = append(foot, m.total(grid, inner)...)
	}
	room = max(0, room-len(air)-len(foot))
	var content []string
	if m.cart.Empty() {
		if drawn.Right == "" {
			drawn.Right = m.Texts.Sale.Fresh
		}
		content = theme.Clip(m.greeting(inner), inner, room)
	} else {
		content, drawn.Scroll = m.table(grid, inner, room)
		drawn.Scroll.Top += len(air)
	}
	for len(content) < room {
		content = append(content, "")
	}
	drawn.Rows = slices.Concat(air, content, foot)
	return drawn.Lines(m.Theme, grid.Main, height)
}

// wrapped breaks text into at most limit rows and dresses each; where it is
// longer it ends in an ellipsis.
func (m Model) wrapped(dress func(...string) string, text string, width, limit int) []string {
	rows := theme.Clip(strings.Split(theme.Wrap(text, width), "\n"), width, limit)
	for i, row := range rows {
		// Where a row is broken its blank may stand beyond the width.
		rows[i] = dress(strings.TrimRight(row, " "))
	}
	return rows
}

// greeting is what a sale without lines says: what to type, or, to somebody who
// has never seen the program, what this is as well.
func (m Model) greeting(inner int) []string {
	words := m.Texts.Sale
	if m.Welcome != "" {
		words := m.Texts.Welcome
		rows := m.wrapped(m.Theme.Strong.Render, words.What, inner-1, m.size.Height)
		rows = append(append(rows, ""), m.wrapped(m.Theme.Text.Render, words.Try, inner-1, m.size.Height)...)
		return indent(append(append(rows, ""), m.wrapped(m.Theme.Text.Render, words.Live.With(m.Welcome), inner-1, m.size.Height)...))
	}
	rows := append(m.wrapped(m.Theme.Text.Render, words.Empty, inner-1, m.size.Height), "")
	for _, example := range [][2]string{{"vary", words.ByName}, {"2*coca", words.TwoOfIt}, {words.Own, words.OwnAmount}} {
		const column = 13
		rows = append(rows, m.Theme.Accent.Render(theme.Left(example[0], column))+theme.Truncate(example[1], inner-1-column))
	}
	if m.stock.known() && len(m.favourites()) == 0 {
		rows = append(append(rows, ""), m.wrapped(m.Theme.Text.Render, words.NoFavourites, inner-1, m.size.Height)...)
	}
	return indent(rows)
}

// indent sets rows in by the column that tables and figures keep free.
func indent(rows []string) []string {
	for i, row := range rows {
		rows[i] = " " + row
	}
	return rows
}
