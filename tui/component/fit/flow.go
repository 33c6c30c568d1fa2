package fit

import (
	"slices"
	"strings"

	"checkout/till/tui/theme"
)

// Flow arranges words, such as keys with their labels, in as few rows of width columns as
// possible. gaps are the texts that may separate two words, the widest first; at least one is
// necessary.
func Flow(words []string, width int, gaps ...string) []string {
	least := len(pack(words, width, gaps[len(gaps)-1]))
	gap := gaps[0]
	for i := 1; len(pack(words, width, gap)) > least; i++ {
		gap = gaps[i]
	}
	rows := pack(words, width, gap)
	for narrow := width - 1; narrow > 0; narrow-- {
		shorter := pack(words, narrow, gap)
		if len(shorter) > least {
			break
		}
		rows = shorter
	}
	for i, row := range rows {
		rows[i] = theme.Truncate(row, width)
	}
	return rows
}

// Columns arranges words as a table with inRow words in each row, or returns nil if that is wider
// than width. blanks returns blanks in the style of the row.
func Columns(words []string, inRow, width int, blanks func(columns int) string) []string {
	const gap = 2
	widths := make([]int, inRow)
	sum := gap * (inRow - 1)
	for column := range widths {
		for i := column; i < len(words); i += inRow {
			widths[column] = max(widths[column], theme.Width(words[i]))
		}
		sum += widths[column]
	}
	if sum > width {
		return nil
	}
	var rows []string
	for row := range slices.Chunk(words, inRow) {
		text := ""
		for column, word := range row {
			text += word + blanks(widths[column]-theme.Width(word)+gap)
		}
		rows = append(rows, strings.TrimSuffix(text, blanks(gap)))
	}
	return rows
}

func pack(words []string, width int, gap string) []string {
	var rows []string
	for _, word := range words {
		if last := len(rows) - 1; last >= 0 && theme.Width(rows[last]+gap+word) <= width {
			rows[last] += gap + word
			continue
		}
		rows = append(rows, word)
	}
	return rows
}
