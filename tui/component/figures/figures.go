// Package figures draws amounts and words in large letters, which can be read from across the
// counter. The letters are 3 rows, 5 rows or a multiple of 5 rows high. Digits can also be 8 rows
// high.
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
	Medium = 8 // Only for amounts, and only if [Draw] is called with this height.
)

// unit is the end of an amount. It is drawn in normal letters, even after large digits.
const unit = " Ar"

// Fit draws a text in the largest letters that fit width columns and height rows: an amount ("25
// 600 Ar"), a time ("8:47") or words with a sign ("✓ PAYÉ"). It returns nil if the text does not
// fit or has a character that cannot be drawn large. All rows have the same width.
func Fit(styles theme.Theme, text string, width, height int) []string {
	for high := height - height%Large; high >= 0; high -= Large {
		rows := Draw(styles, text, max(high, Small))
		if len(rows) > 0 && theme.Width(rows[0]) <= width && len(rows) <= height {
			return rows
		}
	}
	return nil
}

// Amount draws an amount like Fit, in the strong style. If the large letters do not fit,
// Amount returns the text in one row.
func Amount(styles theme.Theme, text string, width, height int) []string {
	rows := Fit(styles, text, width, height)
	if rows == nil {
		rows = []string{text}
	}
	return theme.Dress(styles.Strong, rows)
}

// Draw draws a text in large letters. high is their height in rows: Small, Large, Medium or n times
// Large. Accents add one row above the letters, or n rows for n times Large. On a terminal that
// draws lines but no half blocks, Small numbers have thin strokes, and other Small texts are the
// terminal's normal letters. On an ASCII terminal, all Small texts are normal letters. Otherwise
// Draw returns nil for a text with a character that has no large shape and, on a terminal without
// half blocks, for Medium.
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
		if !styles.HalfBlocks() { // Draw upper half blocks as full blocks, and omit lower half blocks.
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

// lay puts the shapes of the characters next to each other, in rows of cells. Acute, grave and
// circumflex accents and diaereses are in an additional row above. Other marks, such as a cedilla,
// are omitted. lay returns nil if a character has no shape, or if the text is blank.
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
			space := (high + 1) / 3 // 1 column for small letters, 2 for large ones, and 3 for medium ones.
			if blank && digit(before) && digit(char) {
				space++
			} else if blank {
				space = high
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
