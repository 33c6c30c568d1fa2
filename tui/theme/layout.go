package theme

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/spinner"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

const (
	barFull = "━"
	barRest = "─"
)

// Border contains the characters for the sides and corners of a frame.
type Border = lipgloss.Border

// Thin returns the usual border of a pane: a thin line with round corners.
func Thin() Border { return lipgloss.RoundedBorder() }

// Heavy returns the border of a chosen pane: a thick line.
func Heavy() Border { return lipgloss.ThickBorder() }

// Dashed returns the border of an empty place for a favourite article.
func Dashed() Border {
	dashed := lipgloss.RoundedBorder()
	dashed.Top, dashed.Bottom = "╌", "╌"
	dashed.Left, dashed.Right = "╎", "╎"
	return dashed
}

// Rule returns a horizontal line.
func Rule(columns int) string { return strings.Repeat(barRest, max(0, columns)) }

// Bar returns a bar of width columns, of which a share from 0 to 1 is in the colour of style. A bar
// of two columns or more is empty only for 0, and full only for 1.
func (t Theme) Bar(style Style, share float64, width int) string {
	if width <= 0 {
		return ""
	}
	full := int(math.Round(share * float64(width)))
	if share > 0 && share < 1 && width > 1 {
		full = max(1, min(full, width-1))
	}
	full = max(0, min(full, width))
	return style.Render(strings.Repeat(barFull, full)) + t.Rule.Render(strings.Repeat(barRest, width-full))
}

// Spinner returns the animation during an order call.
func Spinner() spinner.Spinner {
	return spinner.Spinner{Frames: spinner.MiniDot.Frames, FPS: 100 * time.Millisecond}
}

// Width returns the width of the widest line of text, in columns, without escape sequences.
func Width(text string) int {
	width := 0
	for _, r := range text {
		if !isSimple(r) {
			return lipgloss.Width(text)
		}
		width++
	}
	return width
}

// isSimple reports whether a character takes one column next to any other simple one.
// [lipgloss.Width] takes ten times longer.
func isSimple(r rune) bool {
	return ' ' <= r && r <= '~' || 'À' <= r && r <= 'ÿ' || '─' <= r && r <= '▟' || r == '·' || r == '…'
}

// Bare returns text without escape sequences. A row with a style of its own needs it, because a
// style inside would end the row's style.
func Bare(text string) string { return ansi.Strip(text) }

// Truncate cuts each line of text to at most width columns. A cut line ends in "…". Escape
// sequences are kept.
func Truncate(text string, width int) string {
	if width <= 0 {
		return ""
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if Width(line) > width {
			lines[i] = ansi.Truncate(line, width, "…")
		}
	}
	return strings.Join(lines, "\n")
}

// TruncateList shortens a list of articles to at most width columns. It keeps the first articles
// and counts the others, such as "Eau vive +2". If even the first one is too wide, it is cut.
func TruncateList(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	articles := strings.Split(text, ", ")
	for kept := len(articles) - 1; kept > 0; kept-- {
		short := strings.Join(articles[:kept], ", ") + " +" + strconv.Itoa(len(articles)-kept)
		if Width(short) <= width {
			return short
		}
	}
	if dense := strings.ReplaceAll(text, " × ", "× "); Width(dense) <= width {
		return dense
	}
	return Truncate(text, width)
}

// Clip returns at most height rows of at most width columns. If rows are omitted, the last one ends
// in "…".
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

// AlignLeft returns a line of exactly width columns, with text at its left.
func AlignLeft(text string, width int) string {
	text = Truncate(text, width)
	return text + gap(text, width)
}

// AlignRight returns a line of exactly width columns, with text at its right.
func AlignRight(text string, width int) string {
	text = Truncate(text, width)
	return gap(text, width) + text
}

// Spread returns a line of exactly width columns with left at the beginning and right at the end.
// If there is too little room, Spread cuts left first.
func Spread(left, right string, width int) string {
	right = Truncate(right, width)
	rest := width - Width(right)
	if rest > 1 && right != "" {
		return AlignLeft(left, rest-1) + " " + right
	}
	return AlignLeft(left, rest) + right
}

// Dress returns the rows with a style. A row that already contains styles needs [Bare] first.
func Dress(style Style, rows []string) []string {
	dressed := make([]string, len(rows))
	for i, row := range rows {
		dressed[i] = style.Render(row)
	}
	return dressed
}

// Indent indents each row by a number of columns.
func Indent(rows []string, columns int) []string {
	indented := make([]string, len(rows))
	for i, row := range rows {
		indented[i] = strings.Repeat(" ", max(0, columns)) + row
	}
	return indented
}

// Beside joins blocks horizontally, without a gap and aligned at the top.
func Beside(blocks ...string) string { return lipgloss.JoinHorizontal(lipgloss.Top, blocks...) }

// Center centers block in an area of width columns and height rows. A larger block is not cut.
func Center(block string, width, height int) string {
	return lipgloss.Place(width, height, lipgloss.Center, lipgloss.Center, block)
}

func gap(text string, width int) string { return strings.Repeat(" ", max(0, width-Width(text))) }
