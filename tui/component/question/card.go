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
	Warning string
	Answers []keybar.Entry // The first one is highlighted, so it must be one that loses nothing.
	Spaced  bool           // A blank row separates two rows of answers.
}

// Rows draws the question in rows of at most width columns, with a blank row before the answers if
// height allows it.
func (c Card) Rows(styles theme.Theme, width, height int) []string {
	rows := theme.Dress(styles.Strong, theme.Spoken(c.Prompt, width))
	for _, note := range c.Notes {
		rows = append(rows, theme.Paragraph(styles.Text, note, width, 0)...)
	}
	if c.Warning != "" {
		rows = append(rows, theme.Paragraph(styles.Warning, c.Warning, width, 0)...)
	}
	answers := fit.Flow(keybar.Blocks(styles, c.Answers), width, "    ", "  ")
	if c.Spaced {
		answers = strings.Split(strings.Join(answers, "\n\n"), "\n")
	}
	if len(rows)+1+len(answers) <= height {
		rows = append(rows, "")
	}
	return append(rows, answers...)
}

// Input returns the card with a field as its last note. The field is as wide as the prompt, but at
// least 32 columns if there is room.
func (c Card) Input(f field.Field, width int) Card {
	const fewest = 32
	c.Notes = append(slices.Clip(c.Notes), f.Box(min(width, max(fewest, theme.Width(c.Prompt)))))
	return c
}

// Middle indents all rows, so that the widest one is in the middle of width columns.
func Middle(rows []string, width int) []string {
	return theme.Indent(rows, max(0, width-theme.Width(strings.Join(rows, "\n")))/2)
}
