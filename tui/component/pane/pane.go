// Package pane frames a subject: the sale, the board, an article. It guarantees
// that what it draws has exactly the size it was given, whatever stands in it.
// lipgloss draws borders, and none with words in them.
package pane

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/tui/theme"
)

// Frame is how much of a border a pane has.
type Frame int

const (
	// Whole is a border on all sides, and a blank column inside of it.
	Whole Frame = iota
	// Open is a rule with the title above the content, and no sides.
	Open
	// Bare is the content alone.
	Bare
)

// Pane is a framed part of a screen. Title, Right and Foot may be dressed; the
// title is strong, and the others muted, where they are not.
type Pane struct {
	Frame Frame
	// Title stands in the border from its third column on, Right at the border's
	// other end, and Foot at the end of the lower border.
	Title, Right, Foot string
	// Rows are the content. A row that [Rule] made parts it. Last stand at its end.
	Rows, Last []string
	// Keys says that the pane has the keys, Heavy that it is chosen.
	Keys, Heavy bool
	// Scroll marks on the right border which part of the content is in view.
	Scroll Scroll
}

// Scroll says which part of a list is in view: the rows from First to End, of
// Total. Top is the row of the pane, from 0, in which they begin.
type Scroll struct{ First, End, Total, Top int }

// rule begins a row that is a rule; no text has it, since texts are cleaned.
const rule = "\x00"

// Rule returns a row that parts the content from border to border, with a title
// in it unless it is blank.
func Rule(title string) string { return rule + title }

// Inner returns the room for content in a pane of a size.
func (f Frame) Inner(width, height int) (int, int) {
	switch f {
	case Open:
		return width, max(0, height-1)
	case Bare:
		return width, height
	}
	return max(0, width-4), max(0, height-2)
}

// Draw returns the pane, width columns wide and height rows high. Rows that do
// not fit are left out, and longer ones cut.
func (p Pane) Draw(styles theme.Theme, width, height int) string {
	return strings.Join(p.Lines(styles, width, height), "\n")
}

// Lines returns the pane's rows.
func (p Pane) Lines(styles theme.Theme, width, height int) []string {
	if width < 5 || height < 2 {
		p.Frame = Bare
	}
	pen := pen{theme: styles, glyph: theme.Thin(), line: styles.Muted}
	if p.Keys || p.Heavy {
		pen.line = styles.Line
	}
	if p.Heavy {
		pen.glyph = theme.Heavy()
	}
	inner, rows := p.Frame.Inner(width, height)
	lines := make([]string, 0, height)
	if line := pen.glyph.Top; p.Frame != Whole { // A border that has no sides has no corners.
		pen.glyph.TopLeft = line
		pen.glyph.TopRight = line
		pen.glyph.MiddleLeft = line
		pen.glyph.MiddleRight = line
	}
	if p.Frame != Bare {
		lines = append(lines, pen.edge(pen.glyph.TopLeft, pen.glyph.TopRight, p.Title, p.Right, width))
	}
	left, right := pen.line.Render(pen.glyph.Left)+" ", " "+pen.line.Render(pen.glyph.Right)
	marked := " " + pen.line.Bold(true).Render(theme.Heavy().Right)
	from, to := p.Scroll.span()
	if free := max(0, rows-len(p.Last)); len(p.Last) > 0 {
		p.Rows = slices.Concat(p.Rows[:min(len(p.Rows), free)], make([]string, max(0, free-len(p.Rows))), p.Last)
	}
	for i := range rows {
		row := ""
		if i < len(p.Rows) {
			row = p.Rows[i]
		}
		title, parts := strings.CutPrefix(row, rule)
		switch {
		case parts:
			lines = append(lines, pen.edge(pen.glyph.MiddleLeft, pen.glyph.MiddleRight, title, "", width))
		case p.Frame != Whole:
			lines = append(lines, theme.Left(row, inner))
		case i >= from && i < to:
			lines = append(lines, left+theme.Left(row, inner)+marked)
		default:
			lines = append(lines, left+theme.Left(row, inner)+right)
		}
	}
	if p.Frame == Whole {
		lines = append(lines, pen.edge(pen.glyph.BottomLeft, pen.glyph.BottomRight, "", p.Foot, width))
	}
	return lines
}

// span returns the rows of the pane that the scroll mark takes; none where all
// of the list is in view.
func (s Scroll) span() (from, to int) {
	shown := s.End - s.First
	if shown <= 0 || shown >= s.Total {
		return 0, 0
	}
	length := max(1, shown*shown/s.Total)
	from = s.First * (shown - length) / max(1, s.Total-shown)
	return s.Top + from, s.Top + from + length
}

// pen draws the border of a pane.
type pen struct {
	theme theme.Theme
	glyph theme.Border
	line  theme.Style
}

// edge draws a border from one corner to the other, with words in it where they
// fit: the right ones give way first.
func (p pen) edge(first, last, left, right string, width int) string {
	left, right = theme.Truncate(dress(p.theme.Strong, left), width-6), dress(p.theme.Muted, right)
	if taken(left)+taken(right) > width-5 {
		right = ""
	}
	row, line := "", first+p.fill(1) // The line that is not drawn yet.
	if left != "" {
		row = p.line.Render(line) + " " + left + " "
		line = ""
	}
	line += p.fill(width - 4 - taken(left) - taken(right))
	if right != "" {
		row += p.line.Render(line) + " " + right + " "
		line = ""
	}
	return row + p.line.Render(line+p.fill(1)+last)
}

// fill returns a part of the border.
func (p pen) fill(columns int) string { return strings.Repeat(p.glyph.Top, max(0, columns)) }

// taken returns how many columns of a border a word takes.
func taken(word string) int {
	if word == "" {
		return 0
	}
	return theme.Width(word) + 2
}

func dress(style theme.Style, text string) string {
	switch ansi.Strip(text) {
	case "": // Dressed or not.
		return ""
	case text:
		return style.Render(text)
	}
	return text
}

// Tile returns a favourite: its digit in the border, the name, and the price at
// the right of the last row. The chosen one is heavy.
func Tile(styles theme.Theme, digit, name, price string, chosen bool, width, height int) []string {
	inner, rows := Whole.Inner(width, height)
	content := make([]string, max(2, rows))
	content[0] = styles.Strong.Render(theme.Truncate(name, inner))
	content[len(content)-1] = theme.Right(price, inner)
	return Pane{Title: styles.Accent.Render(digit), Rows: content, Heavy: chosen}.Lines(styles, width, height)
}
