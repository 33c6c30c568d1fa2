// Package outcome draws the outcome of a payment over a whole window. Only PAID fills the window
// with colour. The outcomes also differ in shape, so that they can be distinguished without colour
// and from a distance:
//
//   - NOT PAID has a frame of full blocks (█).
//   - UNKNOWN has a frame of light shade (░).
//   - A cash sale has a frame of diagonal quarters (▚).
//   - CHECK has a band between stripes.
//   - Every other outcome, such as MARKED PAID, has a thin border.
package outcome

import (
	"slices"
	"strings"

	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/theme"
)

// View is the content of the window.
type View struct {
	// Badge determines the colours and the shape. Its sign and short word are drawn in the
	// largest size that fits.
	badge.Badge
	Amount string         // Drawn large if there is room.
	About  string         // Description of the sale, or a thank-you text; drawn in a separate row.
	Facts  string         // The verdict in words, the reference and the time.
	Says   string         // Explains the outcome.
	Change string         // Cash to give back; drawn larger than the word, below Says. It may be blank.
	Advice []string       // Paragraphs that say what to do.
	Keys   []keybar.Entry // Possible actions, the likeliest first.
	// Held means that the keys are not drawn yet. Their rows stay blank, so that nothing
	// moves when the keys appear.
	Held bool
	// News is a message that does not concern the outcome, such as the mark of the demo; it may be
	// blank. It is drawn in the last row of a window of any size.
	News string
}

const (
	minWidth  = 40 // Narrower windows have no frame and no band.
	minHeight = 12 // Lower windows have no frame and no band.
	maxText   = 60 // Largest width of a sentence, in columns.
	between   = 5  // Blank columns between two keys.
)

// Draw returns the outcome in exactly width columns and height rows.
func (o View) Draw(styles theme.Theme, width, height int) string {
	p := painter{View: o, theme: styles, grid: layout.Of(width, height), width: width, height: height}
	p.text, p.block = o.Kind.Styles(styles)
	p.plain = styles.Text
	p.strong = styles.Strong
	p.muted = styles.Muted
	if o.Kind == badge.Paid {
		p.text = p.block
		p.plain = p.block
		p.strong = p.block
		p.muted = p.block.Bold(false)
		p.filled = p.block
	}
	if p.whole = width >= minWidth && height >= minHeight; p.whole {
		p.frame = frameOf(o.Kind)
	}
	p.columns, p.rows = max(0, width-2*p.frame.columns), max(0, height-2*p.frame.rows)
	return strings.Join(p.framed(p.content()), "\n")
}

type painter struct {
	View
	theme         theme.Theme
	grid          layout.Layout
	width, height int
	whole         bool // The window is large enough for a frame or a band.
	frame         frame
	columns, rows int // Size within the frame.
	text, block   theme.Style
	// The styles of a row. filled is for the blanks around the row's text.
	plain, strong, muted, filled theme.Style
}

// content returns the rows within the frame: the word, the amount and the texts in the middle, and
// the keys and [View].News at the end.
func (p painter) content() []string {
	end := p.end()
	free := max(0, p.rows-len(end))
	var rows []string
	for _, try := range []struct{ high, gap int }{
		{p.height, p.grid.Part}, {p.height, 1}, {figures.Large, 1}, {figures.Small, 1}, {figures.Small, 0}, {1, 0},
	} {
		if rows = p.story(try.high, try.gap); len(rows) <= free {
			break
		}
	}
	rows = theme.Clip(rows, p.columns, free)
	above := 0
	if p.Kind != badge.Check {
		above = (free - len(rows)) / 2
	}
	if p.Change != "" {
		above = (free - len(rows) + 1) / 2 // Keep the word apart from the frame.
	}
	below := free - len(rows) - above
	rows = slices.Concat(make([]string, above), rows, make([]string, below), end[max(0, len(end)-p.rows):])
	for i, row := range rows {
		row = theme.Truncate(row, p.columns)
		left := (p.columns - theme.Width(row)) / 2
		rows[i] = p.filled.Render(theme.AlignLeft("", left)) + row + p.filled.Render(theme.AlignLeft("", p.columns-left-theme.Width(row)))
	}
	return rows
}

// end returns the last rows: the keys, then blank rows, then [View].News.
func (p painter) end() []string {
	var end []string
	for i, entry := range p.Keys {
		block := p.strong.Reverse(!p.strong.GetReverse()).Bold(false)
		if i == 0 && p.Kind != badge.Paid {
			block = p.block
		}
		word := block.Render(" "+entry.Key+" ") + p.plain.Render(" "+entry.Label)
		last := len(end) - 1
		if last < 0 || theme.Width(end[last])+between+theme.Width(word) > p.columns-2 {
			end = append(end, word)
			continue
		}
		end[last] += p.plain.Render(strings.Repeat(" ", between)) + word
	}
	if p.Held {
		clear(end)
	}
	if len(end) > 0 && p.height >= minHeight {
		end = append(append([]string{""}, end...), make([]string, p.frame.below)...)
		if p.News != "" && p.frame.below > 1 {
			end = end[:len(end)-1] // The row of the news replaces the last blank row.
		}
	}
	if p.News != "" {
		end = append(end, p.News)
	}
	return end
}

// facts returns [View].Facts in as many rows as they need, with a break only between two
// facts.
func (p painter) facts() []string {
	const dot = " · "
	var rows []string
	for fact := range strings.SplitSeq(p.Facts, dot) {
		last := len(rows) - 1
		if last < 0 || theme.Width(rows[last]+dot+fact) > p.columns-2 {
			rows = append(rows, fact)
			continue
		}
		rows[last] += dot + fact
	}
	return theme.Dress(p.muted, rows)
}

// story returns the rows of the word, the amount and the texts. high is the maximum height of the
// letters of the word and the amount, in rows. gap is the number of blank rows between two parts.
func (p painter) story(high, gap int) []string {
	word, signed := p.word(high)
	if p.Kind == badge.Check && p.whole {
		word = p.band(word)
	}
	about := theme.Paragraph(p.strong, theme.Truncate(p.About, p.columns), p.columns, 0)
	amount := p.amount(high, signed)
	money, facts := p.strong.Render(p.Amount), p.facts()
	switch { // An amount in normal letters shares a row with the facts if both fit.
	case len(amount) > 0, p.Amount == "":
		about = append(about, facts...)
	case len(facts) > 1 || theme.Width(money)+3+theme.Width(p.Facts) > p.columns:
		about = append(append(about, money), facts...)
	default:
		about = append(about, money+p.plain.Render("   ")+facts[0])
	}
	var change []string
	if p.Change != "" {
		word, _ = p.word(min(high, p.grid.Figures+1)) // An accent takes one row.
		word = append(word, about...)
		about = nil
		change = figures.Amount(p.theme, p.Change, p.columns-2, min(high, p.height/2))
	}
	var advice []string
	for _, text := range p.Advice {
		advice = append(advice, p.paragraph(p.plain, text)...)
	}
	var rows []string
	for _, part := range [][]string{word, amount, about, p.paragraph(p.strong, p.Says), change, advice} {
		if len(rows) > 0 && len(part) > 0 {
			rows = append(rows, make([]string, gap)...)
		}
		rows = append(rows, part...)
	}
	return rows
}

// paragraph wraps a text into rows. If the last row would have one word, the rows are narrower.
func (p painter) paragraph(style theme.Style, text string) []string {
	width := min(p.columns-2, maxText)
	rows := theme.Paragraph(style, text, width, 0)
	lastWord := text[strings.LastIndexByte(text, ' ')+1:]
	for last := len(rows) - 1; last > 0 && width > 1 && theme.Bare(rows[last]) == lastWord; {
		width--
		narrower := theme.Paragraph(style, text, width, 0)
		if len(narrower) > len(rows) {
			break
		}
		rows = narrower
	}
	return rows
}
