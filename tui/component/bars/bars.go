// Package bars draws amounts over time as vertical bars. It guarantees that the last bars
// stay visible if not all fit. The module charmbracelet/bubbles has no vertical bars.
package bars

import (
	"slices"
	"strings"

	"checkout/till/tui/theme"
)

// gridLine is a cell of a line across the chart, which the bars cover. It is at the upper edge of a row, where the amount of the scale is.
const gridLine = "▔"

// Bar is the amount of one period, such as an hour.
type Bar struct {
	Name    string // Text below the bar, such as the hour.
	Amount  int64
	Present bool // The period contains the present time.
}

// Scale returns the amount that a bar of full height stands for. It is the largest amount, unless
// that would make all other bars very low.
func Scale(all []Bar) int64 {
	const flattens = 3 // The largest bar is cut if its amount is above flattens times the second largest.
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

// Draw draws the bars in width columns and high rows, above a row of names. scale is the amount of
// a bar with the full height; see [Scale]. most is the maximum width of one bar, in columns. If not
// all bars fit, Draw first omits empty bars of the future, then the oldest bars. grid are the rows, from 0 at the
// top, that have a line across the chart.
func Draw(styles theme.Theme, all []Bar, scale int64, most, width, high int, grid ...int) []string {
	cells := []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	steps := len(cells) - 1 // Number of heights that a bar can have within one cell.
	wide := max(2, min(most, (width+1)/len(all)-1))
	fit := max(1, (width+1)/(wide+1))
	for last := len(all) - 1; last >= fit && all[last].Amount == 0 && !all[last].Present; last-- {
		all = all[:last]
	}
	all = all[max(0, len(all)-fit):]
	highest := max(1, scale)
	apart := make([]string, high+1) // The column between two bars.
	for _, y := range grid {
		apart[y] = styles.Rule.Render(gridLine)
	}
	between := strings.Join(apart, "\n")
	var blocks []string
	for _, bar := range all {
		ink, level := styles.FlowLow, int((bar.Amount*int64(high*steps)+highest-1)/highest)
		switch {
		case bar.Amount == 0:
			ink, level = styles.Rule, 1
		case 3*bar.Amount >= 2*highest:
			ink = styles.Flow
		case 3*bar.Amount >= highest:
			ink = styles.FlowMiddle
		}
		name := styles.Muted
		if bar.Present {
			name = styles.Strong
		}
		var rows []string
		for y := range high {
			above := level - (high-1-y)*steps
			cell := cells[max(0, min(above, steps))]
			if y == 0 && bar.Amount > highest {
				cell = "▲"
			}
			row := ink.Render(strings.Repeat(cell, wide))
			if cell == " " && slices.Contains(grid, y) {
				row = styles.Rule.Render(strings.Repeat(gridLine, wide))
			}
			rows = append(rows, row)
		}
		label := theme.AlignRight(bar.Name, max(2, theme.Width(bar.Name))) // The 9 is where the 0 of 10 is.
		rows = append(rows, name.Render(theme.Center(label, wide, 1)))
		blocks = append(blocks, strings.Join(rows, "\n"), between)
	}
	return strings.Split(theme.Beside(blocks[:len(blocks)-1]...), "\n")
}
