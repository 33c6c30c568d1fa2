// Package pane draws a part of a screen with a border, which can contain words. A pane has exactly
// the given size.
package pane

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
)

// Frame is the kind of border around a pane.
type Frame int

const (
	// FullBorder is a border on all sides, with a blank column inside it.
	FullBorder Frame = iota
	// TopRule is a line with the title above the content. From 40 columns on, a blank column is at
	// each side.
	TopRule
	// Bare is the content without a border.
	Bare
)

// Pane is a framed part of a screen. Draw makes an unstyled Title strong, and an unstyled Right or
// Foot muted.
type Pane struct {
	Frame Frame
	// Title and Right are in the upper border, Foot at the end of the lower one.
	Title, Right, Foot string
	// Texts about keys for the lower border, as many as fit. Without a lower border, they replace a
	// blank Title.
	Offers []fit.Part
	// Rows is the content; a row from [Rule] divides it. Last is at the bottom of the pane.
	Rows, Last []string
	// Keys means that the pane has the focus, Heavy that it is chosen, Demo that it belongs to the
	// demo, and Dashed that it is a free place for a favourite article. Close means that a row may
	// reach up to the right border.
	Keys, Heavy, Demo, Dashed, Close bool
	Scroll                           Scroll // Mark of the visible part, on the right border or in the title row.
}

// Scroll is the visible part of a list with Total rows: the rows with First <= row < End. They
// begin in row Top of the pane. Key is the name of the key for the next page, or blank for a mark
// that does not name it.
type Scroll struct {
	First, End, Total, Top int
	Key                    string
}

// rule is the prefix of a row from [Rule]. Texts from clean.Text cannot contain it.
const rule = "\x00"

// Rule returns a row that divides the content with a line, which has the title unless it is blank.
func Rule(title string) string { return rule + title }

// Space that a [FullBorder] takes.
const (
	Borders = 4 // Columns of the left and the right border.
	Edges   = 2 // Rows of the upper and the lower border.
)

// Inner returns the size of the content in a pane.
func (f Frame) Inner(width, height int) (int, int) {
	switch f {
	case TopRule:
		return width - 2*margin(width), max(0, height-1)
	case Bare:
		return width, height
	}
	return max(0, width-Borders), max(0, height-Edges)
}

// Air returns the number of blank rows around the content of an aired pane: one below the title and,
// if there is no lower border, one at the end.
func (f Frame) Air() int { return map[Frame]int{FullBorder: 1, TopRule: 2}[f] }

func margin(width int) int {
	const least = 40
	if width < least {
		return 0
	}
	return 1
}

// Aired returns the pane with a blank row below its title, if there is room. If there is no lower
// border, the blank row at the end comes first.
func (p Pane) Aired(height int) Pane {
	_, room := p.Frame.Inner(0, height)
	if len(p.Rows) > 0 && len(p.Rows)+max(1, p.Frame.Air()) <= room && p.Rows[0] != "" {
		p.Rows = append([]string{""}, p.Rows...)
	}
	return p
}

// Draw returns the pane, width columns wide and height rows high. What does not fit is cut.
func (p Pane) Draw(styles theme.Theme, width, height int) string {
	return strings.Join(p.Lines(styles, width, height), "\n")
}

// Lines returns the pane as rows. A pane that is too small for a border has none.
func (p Pane) Lines(styles theme.Theme, width, height int) []string {
	if width < 5 || height < 2 {
		p.Frame = Bare
	}
	pen := pen{theme: styles, glyph: theme.Thin(), line: styles.Rule}
	if p.Keys || p.Heavy {
		pen.line = styles.Line
	}
	if p.Demo {
		pen.line = styles.Ground(styles.DemoBlock)
	}
	if p.Heavy {
		pen.glyph = theme.Heavy()
	}
	if p.Dashed {
		pen.glyph = theme.Dashed()
	}
	inner, rows := p.Frame.Inner(width, height)
	lines := make([]string, 0, height)
	if line := pen.glyph.Top; p.Frame != FullBorder { // Without sides, the border has no corners.
		pen.glyph = theme.Border{Top: line, TopLeft: line, TopRight: line, MiddleLeft: line, MiddleRight: line}
	}
	if p.Frame != Bare {
		right := p.Right
		if hidden := p.Scroll.Hidden(); hidden != "" && (p.Frame == TopRule || p.Scroll.Key != "") { // A pane with TopRule has no right border for the mark.
			right = strings.TrimLeft(right+"  "+hidden, " ")
		}
		title := p.Title
		if p.Frame == TopRule && title == "" {
			title = pen.join(p.Offers, width-6)
		}
		lines = append(lines, pen.edge(pen.glyph.TopLeft, pen.glyph.TopRight, title, right, width))
	}
	left, right := pen.line.Render(pen.glyph.Left)+" ", " "+pen.line.Render(pen.glyph.Right)
	marked := " " + pen.line.Bold(true).Render(theme.Heavy().Right)
	from, to := p.Scroll.span()
	content := make([]string, max(0, rows))
	copy(content, p.Rows)
	copy(content[max(0, rows-len(p.Last)):], p.Last)
	for i, row := range content {
		title, parts := strings.CutPrefix(row, rule)
		switch {
		case parts:
			lines = append(lines, pen.edge(pen.glyph.MiddleLeft, pen.glyph.MiddleRight, title, "", width))
		case p.Frame == TopRule:
			blank := theme.AlignLeft("", margin(width))
			lines = append(lines, blank+theme.AlignLeft(row, inner)+blank)
		case p.Frame == Bare:
			lines = append(lines, theme.AlignLeft(row, inner))
		case i >= from && i < to:
			lines = append(lines, left+theme.AlignLeft(row, inner)+marked)
		case p.Close && theme.Width(row) > inner:
			lines = append(lines, left+theme.AlignLeft(row, inner+1)+right[1:])
		default:
			lines = append(lines, left+theme.AlignLeft(row, inner)+right)
		}
	}
	if p.Frame == FullBorder {
		room := width - 4
		if p.Foot != "" {
			room -= theme.Width(" "+p.Foot+" ") + 1
		}
		offers := pen.join(p.Offers, room-2)
		lines = append(lines, pen.edge(pen.glyph.BottomLeft, pen.glyph.BottomRight, offers, p.Foot, width))
	}
	return lines
}

// span returns the rows of the pane in which the right border has the scroll mark, or 0, 0 if no
// mark is needed.
func (s Scroll) span() (from, to int) {
	shown := s.End - s.First
	if shown <= 0 || shown >= s.Total {
		return 0, 0
	}
	length := max(1, shown*shown/s.Total)
	from = s.First * (shown - length) / max(1, s.Total-shown)
	return s.Top + from, s.Top + from + length
}

// Hidden says how many rows are above and below the visible part: "↑ 3 ↓ 12" or "↑ 3 PgDn ↓ 12". It
// is "" if there is no mark.
func (s Scroll) Hidden() string {
	if _, to := s.span(); to == 0 {
		return ""
	}
	var hidden []string
	if s.First > 0 {
		hidden = append(hidden, "↑ "+strconv.Itoa(s.First))
	}
	if below := s.Total - s.End; below > 0 {
		hidden = append(hidden, strings.TrimLeft(s.Key+" ↓ ", " ")+strconv.Itoa(below))
	}
	return strings.Join(hidden, " ")
}

type pen struct {
	theme theme.Theme
	glyph theme.Border
	line  theme.Style
}

// edge draws a horizontal border with words in it. If there is no room, it omits the right words
// and cuts the left ones.
func (p pen) edge(first, last, left, right string, width int) string {
	words := func(style theme.Style, text string) string {
		if text = dress(style, text); text != "" {
			text = " " + text + " "
		}
		return text
	}
	room := width - 4 // Without the corners, and a piece of border next to each.
	left = words(p.theme.Strong, theme.Truncate(left, room-2))
	row, _ := fit.Line(room-1, fit.Fixed(left), fit.Drop(1, words(p.theme.Muted, right)))
	line := p.fill(room - theme.Width(row[0]+row[1]))
	if row[0] == "" {
		line = first + p.fill(1) + line
	} else {
		row[0] = p.line.Render(first+p.fill(1)) + row[0]
	}
	if row[1] == "" {
		return row[0] + p.line.Render(line+p.fill(1)+last)
	}
	return row[0] + p.line.Render(line) + row[1] + p.line.Render(p.fill(1)+last)
}

func (p pen) join(words []fit.Part, width int) string {
	between := func(columns int) string { return " " + p.line.Render(p.fill(columns)) + " " }
	joined := fit.Join(width, between(1), words...)
	if roomy := strings.ReplaceAll(joined, between(1), between(2)); theme.Width(roomy) <= width {
		return roomy
	}
	return joined
}

func (p pen) fill(columns int) string { return strings.Repeat(p.glyph.Top, max(0, columns)) }

func dress(style theme.Style, text string) string {
	switch ansi.Strip(text) {
	case "":
		return ""
	case text:
		return style.Render(text)
	}
	return text
}

// Tile draws what a key such as Alt+1 chooses, for example a favourite article. A chosen tile has
// a heavy border.
func Tile(styles theme.Theme, digit, name, price string, chosen bool, width, height int) []string {
	inner, rows := FullBorder.Inner(width, height)
	content := make([]string, max(2, rows))
	if theme.Width(name) > inner+1 {
		name = theme.Truncate(name, inner)
	}
	content[0] = styles.Strong.Render(name)
	content[len(content)-1] = styles.Muted.Render(theme.AlignRight(price, inner))
	return Pane{Title: styles.Accent.Render(digit), Rows: content, Heavy: chosen, Close: true}.Lines(styles, width, height)
}

// FreeTile draws a place without a favourite. says tells how to fill the place.
func FreeTile(styles theme.Theme, digit, says string, width, height int) []string {
	inner, _ := FullBorder.Inner(width, height)
	free := Pane{Title: styles.Muted.Render(digit), Rows: theme.Paragraph(styles.Muted, says, inner, 0), Dashed: true}
	return free.Lines(styles, width, height)
}
