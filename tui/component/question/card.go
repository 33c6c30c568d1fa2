package question

import (
	"strings"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/theme"
)

// Card is the text of a question and its answers, ready to be drawn.
type Card struct {
	Prompt  string
	Notes   []string       // What changes if the answer is yes.
	Warning string         // What could be lost if the answer is yes; may be blank.
	Answers []keybar.Entry // The first one is highlighted, so it must be one that loses nothing.
	Spaced  bool           // A blank row separates two rows of answers.
}

// Rows draws the question in rows of at most width columns. All answers are drawn, in several rows
// if necessary. A blank row is before the answers, unless the rows then exceed height.
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
