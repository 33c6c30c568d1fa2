// Package scan draws a QR code and the words around it: in panes next to the code or, in a narrow
// window, above and below it. The position of the code does not depend on the words, so the code
// does not move while a customer scans it.
package scan

import (
	"slices"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
)

const (
	minWords = 28 // Minimum width of the panes next to a code.
	maxWords = 98 // Maximum width of the panes next to a code.
	gutter   = 3  // Minimum number of blank columns: one at each end of a row, and one between the code and the panes.
	around   = 3  // Minimum number of rows above and below a code together, in a narrow window.

	airedTop   = 6 // Rows above a code, with a blank row above the large figures.
	underAired = 7 // Minimum number of rows below such a code.
)

// Place is the position of a code and its words; see [Put].
type Place struct {
	// Columns for the texts around the code.
	Words int
	// Whether the words are next to the code, and not above and below it.
	Beside bool
	// Columns for the rows of [Words.Last].
	Last int

	code          qr.Model
	width, height int
	left, top     int
	below         bool // Whether [Words.Last] is below the code, although the other words are next to it.
	panesAt, wide int
}

// Put places a code in width columns and height rows, as large as possible. It prefers to place
// the words next to the code. below is the height of a pane that the caller would like below the
// code.
func Put(code qr.Model, width, height, below int) Place {
	p := Place{code: code.SetSize(width-minWords-gutter, height), width: width, height: height}
	if p.Beside = p.code.Fits(); !p.Beside {
		p.code = code.SetSize(width, height-around)
		columns, rows := p.code.Size()
		p.Words = width - 2*p.margin()
		p.Last = p.Words
		p.left = (width - columns) / 2
		p.top = 1
		switch spare := height - rows; {
		case spare >= airedTop+underAired:
			p.top = airedTop
		case spare > 2*around+1:
			p.top = around + 2
		}
		return p
	}

	for _, spare := range []int{below + 2, 2} { // Rows to keep free above and below the code.
		airy := code.Edged().SetSize(width-minWords-gutter, height-spare)
		if airy.Scale() == p.code.Scale() {
			p.code = airy
			p.below = spare > 2
			break
		}
	}
	columns, rows := p.code.Size()
	margin := min((width-columns-minWords)/gutter, 2+width/160)
	p.wide = min(maxWords, width-columns-3*margin)
	p.Words = inner(p.wide)
	p.Last = p.wide
	p.left = (width - columns - margin - p.wide) / 2
	p.panesAt = p.left + columns + margin
	if p.below {
		p.Last = p.panesAt + p.wide - p.left
		height -= below + 1
	}
	p.top = (height - rows + 1) / 2
	return p
}

// Fits reports whether the window has room for the code.
func (p Place) Fits() bool { return p.code.Fits() }

// Box returns the part of the window with the code.
func (p Place) Box() motion.Box {
	columns, rows := p.code.Size()
	return motion.Box{Left: p.left, Top: p.top, Width: columns, Height: rows}
}

// margin returns the blank columns on each side of the words above and below a code.
func (p Place) margin() int {
	const least = 40
	if p.width < least {
		return 0
	}
	return 1
}

func (p Place) indented(rows ...string) []string { return theme.Indent(rows, p.margin()) }

// Under returns the number of rows below the code. If no words are next to the code, the last of
// these rows shows the keys.
func (p Place) Under() int {
	_, rows := p.code.Size()
	return p.height - p.top - rows
}

// Needs returns the size of the smallest window for a code, with the words next to it if width
// columns are enough for that.
func Needs(code qr.Model, width int) (columns, rows int) {
	columns, rows = code.Needs()
	if beside := columns + minWords + gutter; width >= beside {
		return beside, rows
	}
	return columns, rows + around
}

// Words are the texts around a code.
type Words struct {
	// Message that does not concern the order, such as an alarm; may be blank.
	News string
	// Blocks are drawn one below the other. There must be at least two, the first with the amount
	// to pay.
	Blocks []Block
	// Rows between Blocks and Foot or, if there is room, below the code.
	Last []string
	// Whether Last may be omitted if the blocks need its rows.
	Idle bool
	// Row below the blocks, or blank.
	Foot string
}

// Draw returns the code and the words in the size that was passed to Put. The code must fit; see
// [Place.Fits].
func (p Place) Draw(styles theme.Theme, words Words) string {
	canvas := make([]string, p.height)
	for y, row := range strings.Split(p.code.View(), "\n") {
		canvas[p.top+y] = theme.AlignLeft("", p.left) + row
	}
	if p.Beside {
		p.drawBeside(styles, words, canvas)
	} else {
		p.drawStacked(styles, words, canvas)
	}
	for i, row := range canvas {
		canvas[i] = theme.AlignLeft(row, p.width)
	}
	return strings.Join(canvas, "\n")
}

func (p Place) drawBeside(styles theme.Theme, words Words, canvas []string) {
	_, rows := p.code.Size()
	first := p.top
	if words.News != "" && p.top == 0 {
		first = 1
	}
	if words.Idle && p.panes(styles, Words{Blocks: words.Blocks}, p.top+rows-first, form.roomy) == nil {
		words.Last = nil
	}
	under := 0
	if p.below {
		under = len(words.Last)
	}
	if last := len(canvas) - 1; words.News != "" && p.top > 0 && p.top+rows+under <= last {
		canvas[last] = words.News + styles.Header.Render(theme.AlignLeft("", p.width-theme.Width(words.News)))
		canvas = canvas[:last]
		words.News = ""
	}
	free := p.below && len(words.Last) == 0
	if p.below && !free {
		at := min(p.top+rows+1, len(canvas)-len(words.Last))
		for i, row := range words.Last {
			canvas[at+i] = theme.AlignLeft("", p.left) + row
		}
		canvas = canvas[:p.top+rows]
		words.Last = nil
	}
	panes := p.panes(styles, words, p.top+rows-first, form.roomy)
	if panes == nil && free {
		panes = p.panes(styles, words, len(canvas)-1-first, form.roomy)
	}
	if panes == nil {
		panes = p.panes(styles, words, p.top+rows-first, anyForm)
	}
	if panes == nil {
		panes = p.panes(styles, words, len(canvas)-first, anyForm)
	}
	if panes == nil {
		panes = p.bare(styles, words, len(canvas)-first)
	}
	for i, row := range panes {
		canvas[first+i] = theme.AlignLeft(canvas[first+i], p.panesAt) + row
	}
	if p.top > 0 && words.News != "" {
		canvas[0] = words.News
	} else if first > 0 {
		canvas[0] = theme.AlignLeft(canvas[0], p.panesAt) + words.News
	}
}

// head returns one row with the texts of the panes' borders, for a window without panes.
func (w Words) head(width int) Block {
	return Block{Rows: []string{theme.Spread(w.Blocks[1].Right, w.Blocks[0].Right, width)}}
}

func anyForm(form) bool { return true }

// panes draws the words as panes, in the largest form that allowed accepts and that fits into
// height rows, or returns nil.
func (p Place) panes(styles theme.Theme, words Words, height int, allowed func(form) bool) []string {
	last := words.Last
	if words.Foot != "" {
		last = append(slices.Clip(last), words.Foot)
	}
	for _, form := range forms() {
		if !allowed(form) {
			continue
		}
		if rows := form.panes(styles, words.Blocks, p.wide, height-len(last)); rows != nil {
			return append(rows, last...)
		}
	}
	return nil
}

// bare draws the words in exactly height rows, without room for borders.
func (p Place) bare(styles theme.Theme, words Words, height int) []string {
	keys := keybar.Row(styles, words.Blocks[len(words.Blocks)-1].Keys, p.wide)
	foot := slices.DeleteFunc([]string{words.Foot, keys}, isBlank)
	height -= len(foot)
	rows := Rows(styles, append([]Block{words.head(p.wide)}, words.Blocks...), p.wide, height)
	return slices.Concat(rows, make([]string, height-len(rows)), foot)
}

func (p Place) drawStacked(styles theme.Theme, words Words, canvas []string) {
	due, others := words.Blocks[0], words.Blocks[1:]
	canvas[0] = p.indented(theme.Spread(others[0].Right, styles.Strong.Render(due.Figures), p.Words))[0]
	if large := figures.Fit(styles, due.Figures, p.width, figures.Small); p.top > 1 && large != nil {
		canvas[0] = p.indented(words.head(p.Words).Rows...)[0]
		for i, row := range large {
			canvas[p.top-len(large)-1+i] = theme.Center(styles.Strong.Render(row), p.width, 1)
		}
		if goods := slices.DeleteFunc(slices.Concat(due.Rows, due.Least), isBlank); len(goods) > 0 {
			canvas[p.top-1] = p.indented(goods[0])[0]
		}
	}
	_, rows := p.code.Size()
	below := canvas[p.top+rows:]
	keys := keybar.Row(styles, others[len(others)-1].Keys, p.Words-theme.Width(words.Foot))
	if foot := theme.Spread(keys, words.Foot, p.Words); !isBlank(strings.TrimSpace(foot)) && len(below) > 0 {
		below[len(below)-1] = p.indented(foot)[0]
		below = below[:len(below)-1]
	}
	copy(below, p.indented(p.under(styles, words, len(below))...))
}

// under draws the words below a code, in at most height rows. Without room for all of them, it
// omits the least important ones.
func (p Place) under(styles theme.Theme, words Words, height int) []string {
	type part struct {
		alert                                 []string
		air, blank, labels, rows, last, apart bool // air is for a blank row below the code.
	}
	due, others := words.Blocks[0], slices.Clone(words.Blocks[1:])
	alerts := append([][]string{due.Alert}, due.Shorter[:max(0, len(due.Shorter)-1)]...) // Without the last form of Shorter: it and Block.Brief omit the same text.
	parts := []part{
		{alert: due.Alert, air: true, blank: true, labels: true, rows: true, last: true, apart: len(words.Last) > 0},
		{alert: due.Alert, air: true, rows: true, last: true, apart: true},
		{alert: due.Alert, air: true, last: true, apart: true},
	}
	for _, alert := range alerts[1:] {
		parts = append(parts, part{alert: alert, air: true, last: true, apart: true})
	}
	parts = append(parts, part{alert: due.Alert, labels: true, rows: true, last: true}, part{alert: due.Alert, last: true, apart: true})
	for _, alert := range alerts {
		parts = append(parts, part{alert: alert, last: true, apart: true}, part{alert: alert, rows: true, last: true})
	}
	if len(words.Last) > 0 {
		parts = append(parts, part{alert: alerts[len(alerts)-1], last: true})
		for _, alert := range alerts {
			parts = append(parts, part{alert: alert, rows: true})
		}
	}
	var head, rows []string
	for _, part := range parts {
		for i, other := range words.Blocks[1:] {
			if !part.labels && other.Figures == "" {
				other.Label = ""
			}
			if !part.rows && other.Brief != nil {
				other.Rows = other.Brief
			}
			others[i] = other
		}
		head = slices.DeleteFunc(slices.Concat([]string{theme.Truncate(words.News, p.Words)}, part.alert), isBlank)
		drawn := form{figures: 1, blank: part.blank}
		if part.apart && len(words.Last) == 0 {
			drawn.part = 1
		}
		rows = slices.Concat(head, drawn.draw(styles, others, p.Words))
		if part.air {
			rows = append([]string{""}, rows...)
		}
		if part.apart && len(words.Last) > 0 {
			rows = append(rows, "")
		}
		if part.last {
			rows = append(rows, words.Last...)
		}
		if len(rows) <= height {
			return rows
		}
	}
	if words.News != "" && len(head) == height {
		return head
	}
	if alone := slices.Concat(head, (form{figures: 1}).draw(styles, others[:1], p.Words)); len(alone) == height {
		return alone // Never cut the time left.
	}
	return theme.Clip(rows, p.Words, height)
}
