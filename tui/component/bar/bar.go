// Package bar draws shares as bars: one of them lying, many of them standing.
// It guarantees that a bar has the width it was given, that it is empty only
// when nothing is left, and full only when nothing is gone.
package bar

import (
	"strings"

	"github.com/charmbracelet/bubbles/progress"

	"checkout/till/tui/theme"
)

// Draw returns a bar of width columns of which share, 0 to 1, is full in the
// colour of style.
func Draw(styles theme.Theme, style theme.Style, share float64, width int) string {
	if width <= 0 {
		return ""
	}
	cell := 1 / float64(width)
	if share > 0 && width > 1 {
		share = max(share, cell)
	}
	if share < 1 && width > 1 {
		share = min(share, 1-cell)
	}
	// progress would colour each cell by itself, and a tick write it so.
	drawing := progress.New(progress.WithoutPercentage(), progress.WithColorProfile(theme.NoColors),
		progress.WithFillCharacters(theme.BarFull, theme.BarRest), progress.WithWidth(width), progress.WithSolidFill("")).ViewAs(share)
	full := strings.TrimRight(drawing, string(theme.BarRest))
	return style.Render(full) + styles.Muted.Render(drawing[len(full):])
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
		labels[i] = styles.Muted.Render(theme.Left(column.Label, wide))
		if column.Now {
			labels[i] = styles.Strong.Render(theme.Left(column.Label, wide))
		}
	}
	rows[height] = strings.Join(labels, " ")
	return rows
}
