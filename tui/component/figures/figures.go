// Package figures draws amounts and words in large letters, which can be read from across the
// counter.
package figures

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"checkout/till/tui/theme"
)

// The heights of the sizes, in rows.
const (
	Small  = 3
	Large  = 5
	Medium = 8 // [Draw] has this size only for amounts; [Fit] does not use it.
)

// unit is the end of an amount, which is drawn in normal letters.
const unit = " Ar"

// Fit draws a text, such as "25 600 Ar" or "✓ PAYÉ", in the largest letters that fit width columns
// and height rows. All rows have the same width. Fit returns nil if [Draw] has no letters that fit.
func Fit(styles theme.Theme, text string, width, height int) []string {
	for high := height - height%Large; high >= 0; high -= Large {
		rows := Draw(styles, text, max(high, Small))
		if len(rows) > 0 && theme.Width(rows[0]) <= width && len(rows) <= height {
			return rows
		}
	}
	return nil
}

// Amount draws an amount like Fit, in the strong style. If Fit returns nil, the amount is one row
// of text.
func Amount(styles theme.Theme, text string, width, height int) []string {
	rows := Fit(styles, text, width, height)
	if rows == nil {
		rows = []string{text}
	}
	return theme.Dress(styles.Strong, rows)
}

// Draw draws a text in large letters. high is their height in rows: Small, Large, Medium or n times
// Large. Accents add a row above the letters, or n rows. Draw returns nil if it has no shape for a
// character; for Small without half blocks, it then returns the text itself between two blank rows.
func Draw(styles theme.Theme, text string, high int) []string {
	number, isAmount := strings.CutSuffix(strings.ReplaceAll(strings.ReplaceAll(text, "\u00a0", " "), "\u202f", " "), unit)
	var drawn []string
	switch {
	case high < Large && styles.HalfBlocks():
		drawn = lay(strings.ToUpper(number), Small, small)
	case high < Large:
		if !styles.ASCII() {
			drawn = lay(number, Small, thin)
		}
		if drawn == nil {
			blank := strings.Repeat(" ", theme.Width(text))
			return []string{blank, text, blank}
		}
	case high == Medium:
		if styles.HalfBlocks() {
			drawn = lay(number, Medium, medium)
		}
	default:
		drawn = scale(lay(strings.ToUpper(number), Large, large), high/Large)
		if drawn != nil && !styles.HalfBlocks() { // Upper half blocks become full blocks, lower ones are omitted.
			drawn = strings.Split(strings.NewReplacer("▀", "█", "▄", " ").Replace(strings.Join(drawn, "\n")), "\n")
		}
	}
	if isAmount && drawn != nil {
		for i := range drawn[:len(drawn)-1] {
			drawn[i] += strings.Repeat(" ", len(unit))
		}
		drawn[len(drawn)-1] += unit
	}
	return drawn
}

// lay puts the shapes of the characters next to each other, with accents in an additional row
// above. It returns nil if a character has no shape, or if the text is blank.
func lay(text string, high int, glyph func(rune) shape) []string {
	accents := map[rune]string{'\u0301': "▄▀", '\u0300': "▀▄", '\u0302': "▄▀▀▄", '\u0308': "▀  ▀"}
	rows := make([]string, high+1)
	blank := false
	gap := 0
	before := rune(0)
	for _, char := range norm.NFD.String(text) {
		if char == ' ' {
			blank = true
			continue
		}
		if mark := accents[char]; mark != "" && gap > 0 {
			at := theme.Width(rows[0]) - gap + max(0, (gap-theme.Width(mark))/2)
			rows[0] = theme.AlignLeft(theme.AlignLeft(strings.TrimRight(rows[0], " "), at)+mark, theme.Width(rows[1]))
			continue
		}
		parts := strings.Split(glyph(char), "/")
		if len(parts) != high {
			if char >= '\u0300' && char < '\u0370' {
				continue
			}
			return nil
		}
		if gap > 0 {
			space := (high + 1) / 3 // 1 column for small letters, 2 for large ones, 3 for medium ones.
			if blank && digit(before) && digit(char) {
				space *= 2
			} else if blank {
				space = max(Small, high-1)
			}
			between := strings.Repeat(" ", space)
			for i := range rows {
				rows[i] += between
			}
		}
		blank = false
		before = char
		gap = theme.Width(strings.Join(parts, "\n"))
		if digit(char) && char != '1' || char == '1' && high >= Large {
			gap = high + 1
		}
		rows[0] += strings.Repeat(" ", gap)
		for i, part := range parts {
			rows[i+1] += theme.AlignLeft(part, gap)
		}
	}
	if gap == 0 {
		return nil
	}
	if strings.TrimSpace(rows[0]) == "" {
		return rows[1:]
	}
	return rows
}

func digit(char rune) bool { return char >= '0' && char <= '9' }
