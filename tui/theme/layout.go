package theme

import (
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/spinner"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// The characters that pictures are made of. [Theme.Encode] puts others in their
// place where the terminal lacks them.
const (
	barFull = "━" // The share of a bar.
	barRest = "─" // What is missing of it, and a rule.
)

// Border is the set of characters that a frame is made of.
type Border = lipgloss.Border

// Thin is the border of a pane.
func Thin() Border { return lipgloss.RoundedBorder() }

// Heavy is the border of a pane that is chosen.
func Heavy() Border { return lipgloss.ThickBorder() }

// Rule is a rule of so many columns.
func Rule(columns int) string { return strings.Repeat(barRest, max(0, columns)) }

// Bar returns a bar of width columns of which share, 0 to 1, is full in the colour of
// style: empty only when nothing is left, and full only when nothing is gone.
func (t Theme) Bar(style Style, share float64, width int) string {
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
	return style.Render(strings.Repeat(barFull, full)) + t.Muted.Render(strings.Repeat(barRest, width-full))
}

// Spinner moves while something is waited for.
func Spinner() spinner.Spinner {
	return spinner.Spinner{Frames: spinner.MiniDot.Frames, FPS: 100 * time.Millisecond}
}

// Width is the number of columns of the widest line of text; escape sequences
// count as nothing.
func Width(text string) int { return lipgloss.Width(text) }

// Bare is text without its escape sequences, for a row that is dressed as a
// whole: a style within would end the one around it.
func Bare(text string) string { return ansi.Strip(text) }

// Truncate cuts each line of text to at most width columns; a line that was
// cut ends in "…". Escape sequences survive.
func Truncate(text string, width int) string {
	if width <= 0 {
		return ""
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, "…")
	}
	return strings.Join(lines, "\n")
}

// Clip gives at most height rows of at most width columns. Where rows are left
// out the last one that stays ends in "…".
func Clip(rows []string, width, height int) []string {
	clipped := make([]string, 0, len(rows))
	for i, row := range rows[:max(0, min(len(rows), height))] {
		if i == height-1 && len(rows) > height {
			row += "…"
		}
		clipped = append(clipped, Truncate(row, width))
	}
	return clipped
}

// Left gives one line of exactly width columns that begins with text.
func Left(text string, width int) string {
	text = Truncate(text, width)
	return text + gap(text, width)
}

// Right gives one line of exactly width columns that ends with text, as columns
// of numbers do.
func Right(text string, width int) string {
	text = Truncate(text, width)
	return gap(text, width) + text
}

// Spread gives one line of exactly width columns with left at its beginning and
// right at its end. Where both do not fit, left is cut first.
func Spread(left, right string, width int) string {
	right = Truncate(right, width)
	rest := width - Width(right)
	if rest > 1 && right != "" {
		return Left(left, rest-1) + " " + right
	}
	return Left(left, rest) + right
}

// Wrap breaks text into lines of at most width columns, between words where it
// can, and never before a mark that French sets a blank before.
func Wrap(text string, width int) string {
	if width <= 0 {
		return ""
	}
	bound := strings.NewReplacer(" ?", "\u00a0?", " !", "\u00a0!", " :", "\u00a0:", " ;", "\u00a0;").Replace(text)
	free := strings.NewReplacer("\u00a0?", " ?", "\u00a0!", " !", "\u00a0:", " :", "\u00a0;", " ;")
	return free.Replace(ansi.Wrap(bound, width, ""))
}

// Paragraph wraps a text into at most limit rows, if that is not 0, of at most
// width columns, each in a style; a blank text has none. Where rows are left out
// the last one that stays ends in "…".
func Paragraph(style Style, text string, width, limit int) []string {
	if text == "" {
		return nil
	}
	rows := strings.Split(Wrap(text, width), "\n")
	if limit > 0 {
		rows = Clip(rows, width, limit)
	}
	for i, row := range rows {
		// Where a row is broken its blank may stand beyond the width.
		rows[i] = style.Render(strings.TrimRight(row, " "))
	}
	return rows
}

// Dress returns rows in a style.
func Dress(style Style, rows []string) []string {
	dressed := make([]string, 0, len(rows))
	for _, row := range rows {
		dressed = append(dressed, style.Render(row))
	}
	return dressed
}

// Indent returns rows behind so many blank columns.
func Indent(rows []string, columns int) []string {
	indented := make([]string, 0, len(rows))
	for _, row := range rows {
		indented = append(indented, strings.Repeat(" ", max(0, columns))+row)
	}
	return indented
}

// Beside puts blocks next to each other, their tops at one height.
func Beside(blocks ...string) string {
	return lipgloss.JoinHorizontal(lipgloss.Top, blocks...)
}

// Center puts block into the middle of width columns and height rows. A block
// that is larger stays as it is.
func Center(block string, width, height int) string {
	return lipgloss.Place(width, height, lipgloss.Center, lipgloss.Center, block)
}

// gap is the blank that is missing from text to width columns.
func gap(text string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(text)))
}
