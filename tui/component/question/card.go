package question

import (
	"slices"
	"strings"

	"checkout/till/tui/component/field"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/theme"
)

// Card is the text of a question and its answers.
type Card struct {
	Prompt  string
	Notes   []string
	Fields  []string       // What the cashier types or chooses; each may have several rows.
	Warning string         // Below the last field.
	Answers []keybar.Entry // The first one is highlighted, so it must be one that loses nothing.
	Spaced  bool           // A blank row separates two rows of answers.
}

// Rows draws the question in rows of at most width columns. A blank row is before each field and
// before the answers; if height is too small, the first of these rows are left out.
func (c Card) Rows(styles theme.Theme, width, height int) (rows []string) {
	head := theme.Dress(styles.Strong, theme.Spoken(c.Prompt, width))
	for _, note := range c.Notes {
		head = append(head, theme.Paragraph(styles.Text, note, width, 0)...)
	}
	parts := [][]string{head}
	for _, field := range c.Fields {
		parts = append(parts, strings.Split(field, "\n"))
	}
	last := len(parts) - 1
	parts[last] = append(parts[last], theme.Paragraph(styles.Warning, c.Warning, width, 0)...)
	answers := fit.Flow(keybar.Blocks(styles, c.Answers), width, "    ", "  ")
	if c.Spaced {
		answers = strings.Split(strings.Join(answers, "\n\n"), "\n")
	}
	parts = append(parts, answers)
	room := height - len(slices.Concat(parts...)) // Blank rows that fit.
	for i, part := range parts {
		if i > 0 && len(parts)-i <= room {
			rows = append(rows, "")
		}
		rows = append(rows, part...)
	}
	return rows
}

// Input returns the card with a field. The field is as wide as the prompt, but at least 32 columns if
// there is room.
func (c Card) Input(f field.Field, width int) Card {
	const fewest = 32
	c.Fields = append(slices.Clip(c.Fields), f.Box(min(width, max(fewest, theme.Width(c.Prompt)))))
	return c
}

// Middle indents all rows, so that the widest one is in the middle of width columns.
func Middle(rows []string, width int) []string {
	return theme.Indent(rows, max(0, width-theme.Width(strings.Join(rows, "\n")))/2)
}
