// Package bars draws amounts over time as vertical bars, and the parts of a sum as rows with a bar.
// Both fill the given width. Vertical bars have equal distances.
package bars

import (
	"slices"
	"strings"

	"checkout/till/tui/theme"
)

// gridLine is one cell of a horizontal line across the chart. The amount that the scale shows next
// to a row is at the top of the row, like ▔.
const gridLine = "▔"

// Bar is the amount of one period, such as an hour.
type Bar struct {
	Name    string // Text below the bar.
	Amount  int64
	Present bool // Whether the period contains the present time.
	Paid    bool // Whether the bar has the colour of PAID.
}

// Scale returns the amount of a bar of full height: the largest amount, unless that would make all
// other bars very low.
func Scale(all []Bar) int64 {
	const flattens = 3 // Among three or more bars that are not empty, the largest is cut if its amount is more than flattens times the second largest.
	amounts := []int64{0, 0}
	for _, bar := range all {
		amounts = append(amounts, bar.Amount)
	}
	slices.Sort(amounts)
	most, second, third := amounts[len(amounts)-1], amounts[len(amounts)-2], amounts[len(amounts)-3]
	if third > 0 && most > flattens*second {
		return second * 3 / 2
	}
	return most
}

// Draw draws bars in width × high cells, above a row of names. There must be at least one bar.
// scale is the amount of a bar with full height; see [Scale]. grid contains the rows, from 0 at the
// top, with a line across the chart. If there is no room, Draw omits empty bars at the end, old
// bars, and some of the names.
func Draw(styles theme.Theme, all []Bar, scale int64, width, high int, grid ...int) []string {
	cells := []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	steps := len(cells) - 1 // Number of heights that a bar can have within one cell.
	fit := max(1, (width+gap)/(leastWide+gap))
	for last := len(all) - 1; last >= fit && all[last].Amount == 0 && !all[last].Present; last-- {
		all = all[:last]
	}
	all = all[max(0, len(all)-fit):]
	step := (width + gap) / len(all)
	wide := max(leastWide, step-gap)
	edge := max(0, width-len(all)*step+gap) / 2 // Half of the columns that remain, because all distances are equal.
	start := func(i int) int { return edge + i*step }
	highest := max(1, scale)
	rows := make([]string, high+1)
	for i, bar := range all {
		ink, level := styles.FlowLow, int((bar.Amount*int64(high*steps)+highest-1)/highest)
		switch {
		case bar.Amount == 0:
			ink, level = styles.Rule, 1
		case bar.Paid:
			ink = styles.Paid.Bold(false)
		case 3*bar.Amount >= 2*highest:
			ink = styles.Flow
		case 3*bar.Amount >= highest:
			ink = styles.FlowMiddle
		}
		for y := range high {
			above := level - (high-1-y)*steps
			cell, style, apart := cells[max(0, min(above, steps))], ink, " "
			if y == 0 && bar.Amount > highest {
				cell = "▲"
			}
			switch {
			case slices.Contains(grid, y):
				apart = gridLine
			case y == high-1:
				apart = cells[1]
			}
			if cell == " " && apart == gridLine {
				cell, style = gridLine, styles.Rule
			}
			if i == 0 {
				rows[y] = styles.Rule.Render(strings.Repeat(apart, edge))
			}
			rows[y] += style.Render(strings.Repeat(cell, wide))
			next := start(i + 1)
			if i == len(all)-1 {
				next = width
			}
			rows[y] += styles.Rule.Render(strings.Repeat(apart, max(0, next-start(i)-wide)))
		}
	}
	rows[high] = names(styles, all, width, wide, start)
	return rows
}

const (
	gap       = 1 // Minimum number of columns between two bars.
	leastWide = 2 // Minimum width of a bar, in columns.
)

// names draws each name below its bar. wide is the width of the bars, start(i) the column in which
// bar i begins. Names are omitted so that the last bar keeps its name.
func names(styles theme.Theme, all []Bar, width, wide int, start func(i int) int) (row string) {
	widest := leastWide
	for _, bar := range all {
		widest = max(widest, theme.Width(bar.Name))
	}
	beside := max(0, (widest-wide+1)/2) // Columns by which a name extends beyond its bar on each side.
	every := 1
	for every*(width+gap)/len(all) <= widest+beside {
		every++
	}
	for i, bar := range all {
		at := min(start(i)+wide/2-(widest+1)/2, width-widest)
		if (len(all)-1-i)%every != 0 || at < 0 {
			continue
		}
		style := styles.Muted
		if bar.Present {
			style = styles.Strong
		}
		row = theme.AlignLeft(row, at) + style.Render(theme.AlignRight(bar.Name, widest)) // Right-aligned, so the 9 is in the same place as the last digit of 10.
	}
	return row
}
