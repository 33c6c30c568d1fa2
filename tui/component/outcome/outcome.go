// Package outcome draws what came of a payment over a whole window. It
// guarantees that PAID alone fills it, and that the outcomes differ by their
// geometry, so that they are told apart without colour and from afar: NOT PAID
// has a frame of full blocks, CHECK a band between stripes, UNKNOWN a frame of
// light shade, and what is no answer of the service a thin border.
package outcome

import (
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/theme"
)

// Kind is the geometry of an outcome.
type Kind int

// The kinds; Marked is what a person found, Over a time that ended without an
// answer.
const (
	Paid Kind = iota
	NotPaid
	Check
	Unknown
	Marked
	Over
)

// Outcome is what is shown.
type Outcome struct {
	Kind Kind
	// Sign and Word are drawn as large as they fit.
	Sign, Word string
	// Amount is drawn large where there is room, About in a row of its own.
	Amount, About string
	// Facts are the small print: the word as text, the reference, the time.
	Facts string
	// Says is the finding, and Advice what to do, a paragraph each.
	Says   string
	Advice []string
	// Keys are what can be done, the likeliest first.
	Keys []keybar.Entry
	// News is what is said in any case, in the last row.
	News string
}

// The smallest window in which an outcome has a geometry.
const (
	minWidth  = 40
	minHeight = 12
)

// Draw returns the outcome in exactly width columns and height rows.
func (o Outcome) Draw(styles theme.Theme, width, height int) string {
	p := painter{Outcome: o, theme: styles, grid: layout.Of(width, height), width: width, height: height}
	p.text, p.block = p.styles()
	p.edge = edges(o.Kind)
	if width < minWidth || height < minHeight {
		p.edge = edge{}
	}
	canvas := p.content()
	return strings.Join(p.framed(canvas), "\n")
}

// painter draws one outcome in one window.
type painter struct {
	Outcome
	theme         theme.Theme
	grid          layout.Layout
	text, block   theme.Style
	edge          edge
	width, height int
}

// edge is how much of a window its frame takes, and how many rows are blank below
// the keys.
type edge struct{ columns, rows, below int }

func edges(kind Kind) edge {
	switch kind {
	case NotPaid:
		return edge{2, 1, 2}
	case Unknown:
		return edge{3, 2, 2}
	case Marked, Over:
		return edge{1, 1, 1}
	}
	return edge{0, 0, 1}
}

// styles are how the outcome looks as text, and as a ground.
func (p painter) styles() (text, block theme.Style) {
	switch p.Kind {
	case Paid:
		return p.theme.PaidBlock, p.theme.PaidBlock
	case NotPaid:
		return p.theme.Danger, p.theme.DangerBlock
	case Check:
		return p.theme.Warning, p.theme.WarningBlock
	case Unknown:
		return p.theme.Unknown, p.theme.UnknownBlock
	case Over:
		return p.theme.Warning, p.theme.Selected
	}
	return p.theme.Accent, p.theme.Selected
}

// inner is the room within the frame.
func (p painter) inner() (width, height int) {
	return max(0, p.width-2*p.edge.columns), max(0, p.height-2*p.edge.rows)
}

// content returns the rows within the frame: the word and what belongs to it in
// the middle, the keys and the news at the end.
func (p painter) content() []string {
	width, height := p.inner()
	end := p.end(width)
	room := max(0, height-len(end))
	var rows []string
	for _, try := range []struct{ word, gap int }{{p.height, p.grid.Part}, {p.height, 1}, {figures.Large, 1}, {figures.Small, 1}, {figures.Small, 0}, {1, 0}} {
		if rows = p.story(try.word, try.gap); len(rows) <= room {
			break
		}
	}
	rows = theme.Clip(rows, width, room)
	top := 0
	if p.Kind != Check {
		top = (room - len(rows)) / 2
	}
	canvas := make([]string, height)
	for i, row := range rows {
		canvas[top+i] = row
	}
	copy(canvas[height-min(height, len(end)):], end)
	for i, row := range canvas {
		canvas[i] = p.centered(row, width)
	}
	return canvas
}

// end is the last rows: keys, blank ones, and the news.
func (p painter) end(width int) []string {
	end := p.keys(width)
	below := p.edge.below
	if len(end) > 0 && p.height >= minHeight {
		end = append([]string{""}, append(end, make([]string, below)...)...)
	}
	if p.News == "" {
		return end
	}
	if len(end) > below && below > 1 && p.height >= minHeight {
		end[len(end)-1] = p.News
		return end
	}
	return append(end, p.News)
}

// centered puts a row into the middle, on the outcome's ground where it fills the
// window.
func (p painter) centered(row string, width int) string {
	row = theme.Truncate(row, width)
	before := (width - theme.Width(row)) / 2
	left, right := theme.Left("", before), theme.Left("", width-before-theme.Width(row))
	switch {
	case p.Kind == Paid && theme.Bare(row) == row:
		return p.block.Render(left + row + right)
	case p.Kind == Paid:
		return p.block.Render(left) + row + p.block.Render(right)
	}
	return left + row + right
}

// story is the word and what belongs to it, in rows that are centred later.
func (p painter) story(high, gap int) []string {
	blank := make([]string, gap)
	word, signed := p.word(high)
	amount := p.amount(high, signed)
	var rows []string
	add := func(more ...string) {
		if len(more) == 0 {
			return
		}
		if len(rows) > 0 {
			rows = append(rows, blank...)
		}
		rows = append(rows, more...)
	}
	if p.Kind == Check && p.edge == edges(Check) && p.height >= minHeight && p.width >= minWidth {
		rows = p.band(word)
	} else {
		add(word...)
	}
	about := p.strong(p.About)
	switch {
	case len(amount) > 0:
		add(amount...)
		add(append(about, p.muted(p.Facts)...)...)
	default:
		add(append(about, p.row(p.theme.Strong.Render(p.Amount), p.theme.Muted.Render(p.Facts))...)...)
	}
	width, _ := p.inner()
	wide := min(width-2, maxText)
	add(p.wrapped(p.Says, wide, p.strong)...)
	var advice []string
	for _, paragraph := range p.Advice {
		advice = append(advice, p.wrapped(paragraph, wide, plain)...)
	}
	add(advice...)
	return rows
}

// maxText is how many columns a sentence takes at most.
const maxText = 60

// row puts an amount before the small print, or above it where it is narrow.
func (p painter) row(amount, facts string) []string {
	width, _ := p.inner()
	switch {
	case theme.Width(amount) == 0:
		return []string{facts}
	case theme.Width(amount)+3+theme.Width(facts) > width:
		return []string{amount, facts}
	}
	return []string{amount + "   " + facts}
}

func (p painter) wrapped(text string, width int, dress func(string) []string) []string {
	var rows []string
	if text == "" {
		return nil
	}
	for row := range strings.SplitSeq(theme.Wrap(text, width), "\n") {
		rows = append(rows, dress(row)...)
	}
	return rows
}

func plain(text string) []string { return []string{text} }

func (p painter) strong(text string) []string {
	switch {
	case text == "":
		return nil
	case p.Kind == Paid:
		return []string{text}
	}
	return []string{p.theme.Strong.Render(text)}
}

func (p painter) muted(text string) []string {
	switch {
	case text == "":
		return nil
	case p.Kind == Paid:
		return []string{p.block.Bold(false).Render(text)}
	}
	return []string{p.theme.Muted.Render(text)}
}

// keys are the keys as blocks, in as many rows as they need.
func (p painter) keys(width int) []string {
	var rows []string
	row := ""
	for i, entry := range p.Keys {
		block := p.theme.Strong.Reverse(true)
		text := p.theme.Text
		switch {
		case p.Kind == Paid:
			block, text = p.block.Reverse(!p.block.GetReverse()), p.block
		case i == 0:
			block = p.block
		}
		word := block.Render(" "+entry.Key+" ") + text.Render(" "+entry.Label)
		switch {
		case row == "":
			row = word
		case theme.Width(row)+between+theme.Width(word) <= width:
			row += text.Render(strings.Repeat(" ", between)) + word
		default:
			rows, row = append(rows, row), word
		}
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows
}

// between is how many columns are blank between two keys.
const between = 5
