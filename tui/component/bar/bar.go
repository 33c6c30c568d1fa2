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
	eighths := []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	most := int64(1)
	for _, column := range columns {
		most = max(most, column.Value)
	}
	rows, labels := make([]string, height+1), make([]string, len(columns))
	for i, column := range columns {
		steps := int64(height * len(eighths))
		level := int((column.Value*steps + most - 1) / most)
		style := styles.Line
		if column.Value == 0 {
			level, style = 1, styles.Muted
		}
		for y := range height {
			above := level - (height-1-y)*len(eighths)
			cell := " "
			if above > 0 {
				cell = eighths[min(above, len(eighths))-1]
			}
			if i > 0 {
				rows[y] += " "
			}
			rows[y] += style.Render(strings.Repeat(cell, wide))
		}
		label := styles.Muted
		if column.Now {
			label = styles.Strong
		}
		labels[i] = label.Render(theme.Center(column.Label, wide, 1))
	}
	rows[height] = strings.Join(labels, " ")
	return rows
}
