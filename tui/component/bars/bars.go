// Package bars draws amounts over time as vertical bars, and the parts of a sum as rows with a
// bar.
package bars

import (
	"slices"
	"strings"

	"checkout/till/tui/theme"
)

// gridLine is one cell of a horizontal line across the chart. It is at the top of its row: the
// amount that the scale shows next to the row belongs to the row's upper edge.
const gridLine = "▔"

// Bar is the amount of one period, such as an hour.
type Bar struct {
	Name    string // Text below the bar.
	Value   string // Text above the bar; blank for none. It is omitted if the bar is narrower.
	Amount  int64
	Present bool // Whether the period contains the present time.
	Paid    bool // Whether the bar has the colour of PAID.
}

// Scale returns the amount of a bar of full height: the largest amount, unless that would make all
// other bars very low.
func Scale(all []Bar) int64 {
	const flattens = 3 // The largest of three or more bars is cut if its amount is more than flattens times the second largest.
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
// Without room for all, it omits some bars and names.
//
// scale is the amount of a bar with full height; see [Scale]. grid contains the rows, from 0 at
// the top, with a line across the chart.
func Draw(styles theme.Theme, all []Bar, scale int64, width, high int, grid ...int) []string {
	fit := max(1, (width+gap)/(leastWide+gap))
	for last := len(all) - 1; last >= fit && all[last].Amount == 0 && !all[last].Present; last-- {
		all = all[:last]
	}
	all = all[max(0, len(all)-fit):]
	step := (width + gap) / len(all)
	wide := max(leastWide, step-gap)
	edge := max(0, width-len(all)*step+gap) / 2 // Half of the columns that remain when all bars are equally far apart.
	start := func(i int) int { return edge + i*step }
	highest := max(1, scale)
	rows := make([]string, high+1)
	tall := high // Rows of a bar of full height.
	if high > 1 && slices.ContainsFunc(all, func(bar Bar) bool { return bar.Value != "" }) {
		tall--
	}
	for i, bar := range all {
		ink, level := look(styles, bar, highest, tall)
		for y := range high {
			above := level - (high-1-y)*steps // Steps of the bar in this row and above it.
			part, style, apart := cell(above), ink, " "
			if y == high-tall && bar.Amount > highest {
				part = "▲"
			}
			switch {
			case slices.Contains(grid, y):
				apart = gridLine
			case y == high-1:
				apart = cell(1)
			}
			if part == " " && apart == gridLine {
				part, style = gridLine, styles.Rule
			}
			if i == 0 {
				rows[y] = styles.Rule.Render(strings.Repeat(apart, edge))
			}
			drawn := style.Render(strings.Repeat(part, wide))
			if above <= 0 && above > -steps && bar.Value != "" && theme.Width(bar.Value) <= wide {
				drawn = theme.Center(style.Render(bar.Value), wide, 1)
			}
			rows[y] += drawn
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

// Width returns how many of width columns Draw fills with count bars, if there is room for all.
func Width(count, width int) int {
	return min(width, (width+gap)/count*count-gap)
}

// Dense draws amounts as bars without space between them in width × high cells, the largest amount
// bright. There must be at least one amount. Without room for all bars, each column is the largest
// of its amounts.
func Dense(styles theme.Theme, amounts []int64, width, high int) []string {
	all := make([]Bar, width)
	for x := range all {
		first, end := x*len(amounts)/width, (x+1)*len(amounts)/width
		all[x].Amount = slices.Max(amounts[first:max(first+1, end)])
	}
	scale, highest := max(1, Scale(all)), slices.Max(amounts)
	rows := make([]string, high)
	for _, bar := range all {
		_, level := look(styles, bar, scale, high)
		ink := styles.FlowMiddle
		if bar.Amount == highest {
			ink = styles.Flow
		}
		for y := range high {
			rows[y] += ink.Render(cell(level - (high-1-y)*steps))
		}
	}
	return rows
}

const steps = 8 // Steps of height in one cell.

func cell(above int) string {
	return string([]rune(" ▁▂▃▄▅▆▇█")[max(0, min(above, steps))])
}

// look returns the style and the height of a bar, in steps. A bar of the amount highest is high
// rows tall.
func look(styles theme.Theme, bar Bar, highest int64, high int) (ink theme.Style, level int) {
	level = int((min(bar.Amount, highest)*int64(high*steps) + highest - 1) / highest)
	switch {
	case bar.Amount == 0:
		return styles.Rule, 1
	case bar.Paid:
		return styles.Paid.Bold(false), level
	case 3*bar.Amount >= 2*highest:
		return styles.Flow, level
	case 3*bar.Amount >= highest:
		return styles.FlowMiddle, level
	}
	return styles.FlowLow, level
}

// names draws each name below its bar. wide is the width of the bars, start(i) the column in which
// bar i begins. Without room for all names, the last bar keeps its name.
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
		at := min(start(i)-beside+max(0, (wide-widest)/2), width-widest)
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
