// Package bar draws shares as bars: one of them lying, many of them standing.
// It guarantees that a bar has the width it was given, that it is empty only
// when nothing is left, and full only when nothing is gone.
package bar

import (
	"math"
	"strings"

	"checkout/till/tui/theme"
)

// Draw returns a bar of width columns of which share, 0 to 1, is full in the
// colour of style.
func Draw(styles theme.Theme, style theme.Style, share float64, width int) string {
	if width <= 0 {
		return ""
	}
	full := max(0, min(width, int(math.Round(share*float64(width)))))
	if share > 0 && width > 1 {
		full = max(full, 1)
	}
	if share < 1 && width > 1 {
		full = min(full, width-1)
	}
	rest := strings.Repeat(string(theme.BarRest), width-full)
	return style.Render(strings.Repeat(string(theme.BarFull), full)) + styles.Muted.Render(rest)
}

// Column is one standing bar.
type Column struct {
	Value int64
	Label string
	Now   bool // It is the present one.
}

// Columns returns bars of height rows, each wide columns wide and one apart,
// above a row of their labels. bubbles has no standing bars.
func Columns(styles theme.Theme, columns []Column, wide, height int) []string {
	cells := []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	steps, most := len(cells)-1, int64(1) // The steps are those of a cell.
	for _, column := range columns {
		most = max(most, column.Value)
	}
	blocks := make([]string, 0, 2*len(columns))
	for _, column := range columns {
		ink, level := styles.Line, int((column.Value*int64(height*steps)+most-1)/most)
		if column.Value == 0 {
			ink, level = styles.Muted, 1
		}
		label := styles.Muted
		if column.Now {
			label = styles.Strong
		}
		var rows []string
		for y := range height {
			above := level - (height-1-y)*steps
			rows = append(rows, ink.Render(strings.Repeat(cells[max(0, min(above, steps))], wide)))
		}
		rows = append(rows, label.Render(theme.Center(column.Label, wide, 1)))
		blocks = append(blocks, strings.Join(rows, "\n"), " ")
	}
	return strings.Split(theme.Beside(blocks[:len(blocks)-1]...), "\n")
}
