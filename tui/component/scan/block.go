package scan

import (
	"strconv"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/theme"
)

// Block is a subject of its own beside a code.
type Block struct {
	// Label names it; blank for a block that goes without saying.
	Label string
	// Figures are an amount or a time, drawn large where there is room, in at most
	// High rows.
	Figures string
	High    int
	// Bar draws how much is left, in width columns.
	Bar func(width int) string
	// Rows are the rest, none wider than the words.
	Rows []string
	// Loose rows stand in every second row where there is room.
	Loose bool
}

// form is how roomy blocks are drawn: how high figures may be, how many blank rows
// stand below a label, and how many between blocks.
type form struct{ figures, air, part int }

// forms are the forms of a grid, the roomiest first.
func forms(grid layout.Layout) []form {
	return []form{
		{grid.Figures, grid.Air, grid.Part}, {grid.Figures, 0, 1}, {figures.Small, 0, 1}, {1, 0, 1}, {1, 0, 0},
	}
}

// Rows returns blocks without a code, as roomy as they fit width columns and
// height rows.
func Rows(styles theme.Theme, grid layout.Layout, blocks []Block, width, height int) []string {
	var rows []string
	for _, form := range forms(grid) {
		if rows = form.draw(styles, blocks, width); len(rows) <= height {
			break
		}
	}
	return theme.Clip(rows, width, height)
}

// Steps returns what to do one after the other, numbered, in rows of width columns.
func Steps(styles theme.Theme, grid layout.Layout, width int, steps ...string) []string {
	var rows []string
	for i, step := range steps {
		indent := 2 + grid.Air
		for j, row := range strings.Split(theme.Wrap(step, max(1, width-indent)), "\n") {
			number := ""
			if j == 0 {
				number = styles.Accent.Render(strconv.Itoa(i + 1))
			}
			rows = append(rows, theme.Left(number, indent)+row)
		}
	}
	return rows
}

// draw returns the blocks below each other.
func (f form) draw(styles theme.Theme, blocks []Block, width int) []string {
	var rows []string
	for i, block := range blocks {
		if i > 0 {
			rows = append(rows, make([]string, f.part)...)
		}
		rows = append(rows, f.block(styles, block, width)...)
	}
	return rows
}

func (f form) block(styles theme.Theme, block Block, width int) []string {
	var rows []string
	label, air := styles.Accent.Render(block.Label), make([]string, f.air)
	large := figures.Fit(styles, block.Figures, width, min(f.figures, block.High))
	switch {
	case block.Figures == "":
		if block.Label != "" {
			rows = append([]string{label}, air...)
		}
	case large == nil:
		rows = []string{f.line(styles, block, label, width)}
	default:
		rows = append([]string{label}, air...)
		for _, row := range large {
			rows = append(rows, styles.Strong.Render(row))
		}
		rows = f.withBar(rows, block, theme.Width(large[0])+1, width)
		if len(block.Rows) > 0 {
			rows = append(rows, air...)
		}
	}
	for i, row := range block.Rows {
		if i > 0 && block.Loose {
			rows = append(rows, air...)
		}
		rows = append(rows, row)
	}
	return rows
}

// line is a block of one row.
func (f form) line(styles theme.Theme, block Block, label string, width int) string {
	row := label + "  " + styles.Strong.Render(block.Figures)
	if rest := width - theme.Width(row) - 2; block.Bar != nil && rest >= minBar {
		row += "  " + block.Bar(rest)
	}
	return row
}

// minBar is how many columns a bar takes at least.
const minBar = 8

// withBar puts the bar below figures, or behind their last row, in its column at,
// where rows are few.
func (f form) withBar(rows []string, block Block, at, width int) []string {
	switch {
	case block.Bar == nil:
	case f.air > 0:
		rows = append(append(rows, make([]string, f.air)...), block.Bar(width))
	case width-at >= minBar:
		rows[len(rows)-1] = theme.Left(rows[len(rows)-1], at) + block.Bar(width-at)
	}
	return rows
}
