package receipt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"checkout/till/tui/theme"
)

// Style is how a line is printed, as the argument of ESC !.
type Style byte

const (
	// Plain is the normal print.
	Plain Style = 0x00
	// Bold is thicker print.
	Bold Style = 0x08
	// Tall is bold print of double height and normal width.
	Tall Style = 0x18
	// Large is bold print of double height and width. [Paper.View] draws it in normal width.
	Large Style = 0x38
)

// Line is one line of paper. Text contains only characters of the paper's code page.
type Line struct {
	Text  string
	Style Style
	code  string // Content of a QR code, which is printed instead of Text; may be empty.
}

// Paper is a strip of printed lines, such as a receipt or the closing of a day.
type Paper struct {
	columns int
	page    CodePage
	lines   []Line
}

// minColumns is the width of the narrowest paper, in columns.
const minColumns = 16

// NewPaper returns empty paper. columns is its width in characters; a value below 16 counts as 16.
// page is the code page of the printer.
func NewPaper(columns int, page CodePage) *Paper {
	return &Paper{columns: max(columns, minColumns), page: page}
}

// Lines returns the lines of text from the top, without the QR code.
func (p *Paper) Lines() []Line {
	return slices.DeleteFunc(slices.Clone(p.lines), func(line Line) bool { return line.code != "" })
}

// Text adds a text, and wraps it between words if possible.
func (p *Paper) Text(text string, style Style) {
	rest := []rune(strings.TrimRight(p.page.printable(text), " "))
	for len(rest) > p.columns {
		end := p.columns
		for end > 0 && rest[end] != ' ' {
			end--
		}
		if end == 0 {
			end = p.columns
		}
		p.add(string(rest[:end]), style)
		rest = []rune(strings.TrimLeft(string(rest[end:]), " "))
	}
	p.add(string(rest), style)
}

// Center adds a text in the middle of the paper.
func (p *Paper) Center(text string, style Style) {
	first := len(p.lines)
	p.Text(text, style)
	for i, line := range p.lines[first:] {
		p.lines[first+i].Text = strings.Repeat(" ", (p.columns-width(line.Text))/2) + line.Text
	}
}

// Title adds a text in the middle of the paper, large if it fits in a line, else tall.
func (p *Paper) Title(text string) {
	text = p.page.printable(text)
	if width(text) > p.columns/2 {
		p.Center(text, Tall)
		return
	}
	p.add(strings.Repeat(" ", (p.columns/2-width(text))/2)+text, Large)
}

// Code adds a QR code, which only the printer draws.
func (p *Paper) Code(text string) {
	p.lines = append(p.lines, Line{code: text})
}

// Row adds a text with an amount at the right edge. If both do not fit in a line, the amount is in
// the next one.
func (p *Paper) Row(text, amount string, style Style) {
	p.Text(text, style)
	amount = p.page.printable(amount)
	if width(p.lines[len(p.lines)-1].Text)+1+width(amount) > p.columns {
		p.add("", style)
	}
	last := &p.lines[len(p.lines)-1]
	last.Text += strings.Repeat(" ", max(0, p.columns-width(last.Text)-width(amount))) + amount
}

// Rule adds a row of hyphens.
func (p *Paper) Rule() { p.Text(strings.Repeat("-", p.columns), Plain) }

// View returns the paper as rows of the screen, two columns wider than its lines. around is the
// style of the area around the paper.
func (p *Paper) View(styles theme.Theme, around theme.Style) []string {
	paper := styles.Paper
	edge := around.Foreground(paper.GetBackground()).UnsetBold()
	// Without colours, the paper is in reverse video. Next to an area in reverse video, it is plain
	// text.
	if around.GetReverse() {
		paper, edge = styles.Text, around
	}
	halves := p.columns/2 + 1
	rows := []string{edge.Render(strings.Repeat("▟▙", halves))}
	for _, line := range p.Lines() {
		style := paper
		if line.Style != Plain && !paper.GetReverse() { // The Linux console changes the colour of bold text in reverse video.
			style = paper.Bold(true)
		}
		text := theme.AlignLeft(line.Text, p.columns)
		if line.Style == Large {
			text = theme.Center(strings.TrimSpace(line.Text), p.columns, 1)
		}
		rows = append(rows, style.Render(" "+text+" "))
	}
	return append(rows, edge.Render(strings.Repeat("▜▛", halves)))
}

func (p *Paper) add(text string, style Style) {
	p.lines = append(p.lines, Line{Text: text, Style: style})
}

func width(text string) int { return utf8.RuneCountInString(text) }

// printable replaces the characters that the page lacks, usually by the letter without its accent
// or by a question mark. It removes control characters, which could be commands to the printer.
func (c CodePage) printable(text string) string {
	ascii := theme.Theme{Charset: theme.ASCII}
	words := strings.NewReplacer("œ", "oe", "Œ", "OE", "…", "...", "\u00a0", " ", "\u202f", " ")
	var out strings.Builder
	for _, r := range words.Replace(norm.NFC.String(text)) {
		_, known := c.encode(r)
		switch {
		case !unicode.IsPrint(r):
			continue
		case known:
			out.WriteRune(r)
		default:
			out.WriteString(ascii.Encode(string(r)))
		}
	}
	return out.String()
}
