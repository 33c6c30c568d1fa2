// Package scan draws a QR code and the words that belong to it: beside the code,
// or above and below it where the window is narrow. It guarantees that the code
// has the place that the window's size gives it, whatever the words are: somebody
// scans it.
package scan

import (
	"slices"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
)

const (
	minWords = 28 // The fewest columns that words beside a code take,
	maxWords = 48 // and the most, but for windows that are much wider.
	gutter   = 3  // The fewest columns that are blank beside those words.
	headRows = 3  // The rows above a code that has its title there.
	around   = 3  // The fewest rows above and below a code in a narrow window.
)

// Place is where a code and its words stand in a window.
type Place struct {
	// Words is how many columns there are for words.
	Words int
	// Beside tells whether the words stand beside the code.
	Beside bool

	code          qr.Model
	width, height int
	left, top     int
	codeWidth     int
	codeHeight    int
	wordsAt       int
}

// Put finds the place of a code in width columns and height rows, as large as it
// can be. There is none where it does not fit.
func Put(code qr.Model, width, height int) (Place, bool) {
	p := Place{code: code.SetSize(width-minWords-gutter, height), width: width, height: height}
	if p.code.Fits() {
		p.Beside = true
		p.codeWidth, p.codeHeight = p.code.Size()
		p.beside()
		return p, true
	}
	p.code = code.SetSize(width, height-around)
	p.codeWidth, p.codeHeight = p.code.Size()
	p.Words, p.left, p.top = width, (width-p.codeWidth)/2, 1
	if height-p.codeHeight > 2*around+1 {
		p.top = around + 2
	}
	return p, p.code.Fits()
}

// Needs is the smallest room in which a code has a place.
func Needs(code qr.Model) (width, height int) {
	width, height = code.Needs()
	return width + minWords + gutter, height
}

// beside puts the words to the right of the code.
func (p *Place) beside() {
	room := p.width - p.codeWidth
	p.Words = max(minWords, room-8)
	if room >= maxWords+2*gutter {
		p.Words = max(maxWords, room*2/3)
	}
	blank := room - p.Words
	between := max(gutter, min(2*gutter, blank/2))
	p.left = max(0, blank-between) / 2
	p.wordsAt = p.left + p.codeWidth + between
	if free := p.height - p.codeHeight; free >= headRows {
		p.top = max(headRows, free/2)
	}
}

// Words are what stands with a code.
type Words struct {
	// Title stands above the code where there is room.
	Title string
	// Head is the row above the blocks, with Right at its end.
	Head, Right string
	// News is said above all else, in one row; blank for none.
	News string
	// Alert takes the place of Title and Head, for width columns.
	Alert func(width int) []string
	// Blocks stand below each other.
	Blocks []Block
	// Below stands under the code and its words, over the whole width where there
	// is room.
	Below []string
	// Foot stands at the end.
	Foot []string
}

// Draw returns the code with its words, in exactly the room of the place.
func (p Place) Draw(styles theme.Theme, grid layout.Layout, words Words) string {
	canvas := make([]string, p.height)
	if p.Beside {
		p.drawBeside(styles, grid, words, canvas)
	} else {
		p.drawStacked(styles, words, canvas)
	}
	for i, row := range canvas {
		canvas[i] = theme.Left(row, p.width)
	}
	return strings.Join(canvas, "\n")
}

func (p Place) drawBeside(styles theme.Theme, grid layout.Layout, words Words, canvas []string) {
	panel := p.panel(styles, grid, words)
	if p.top > 0 {
		panel = append(make([]string, p.top), panel...)
		p.title(words, canvas)
	}
	if p.below(words) {
		copy(canvas[p.height-len(words.Below):], words.Below)
	}
	code := strings.Split(p.code.View(), "\n")
	for y := range canvas {
		row := canvas[y]
		if y >= p.top && y < p.top+p.codeHeight {
			row = theme.Left("", p.left) + code[y-p.top]
		}
		if y < len(panel) && panel[y] != "" {
			row = theme.Left(row, p.wordsAt) + theme.Truncate(panel[y], p.Words)
		}
		canvas[y] = row
	}
}

// title draws the rows above a code that does not begin in the first one.
func (p Place) title(words Words, canvas []string) {
	canvas[0] = words.News
	if words.Alert == nil {
		head := theme.Left(theme.Left("", p.left)+words.Title, p.wordsAt)
		canvas[p.top-2] = head + p.heading(words)
		return
	}
	at := 0
	if words.News != "" {
		at = 1
	}
	copy(canvas[at:p.top], words.Alert(p.width))
}

// heading is Head with Right at its end, where both fit.
func (p Place) heading(words Words) string {
	if theme.Width(words.Head+words.Right) >= p.Words {
		return words.Head
	}
	return theme.Spread(words.Head, words.Right, p.Words)
}

// below tells whether there is room under the code.
func (p Place) below(words Words) bool {
	return len(words.Below) > 0 && p.height-p.top-p.codeHeight >= len(words.Below)
}

// panel is the words beside the code, from the code's first row on.
func (p Place) panel(styles theme.Theme, grid layout.Layout, words Words) []string {
	room := p.height - p.top - len(words.Foot)
	blocks := words.Blocks
	switch {
	case p.below(words):
		room -= len(words.Below)
	case len(words.Below) > 0:
		var below []string
		for _, row := range words.Below {
			below = append(below, strings.Split(theme.Wrap(row, p.Words), "\n")...)
		}
		blocks = append(slices.Clip(blocks), Block{Rows: below})
	}
	var rows []string
	for _, form := range forms(grid) {
		rows = rows[:0:0]
		if p.top == 0 {
			rows = p.head(words, form)
		}
		rows = append(rows, form.draw(styles, blocks, p.Words)...)
		if len(rows) <= room {
			break
		}
	}
	rows = rows[:min(len(rows), max(0, room))]
	if len(words.Foot) == 0 {
		return rows
	}
	for len(rows) < room {
		rows = append(rows, "")
	}
	return append(rows, words.Foot...)
}

// head is what stands above the blocks where the code begins in the first row.
func (p Place) head(words Words, form form) []string {
	var rows []string
	for range form.air {
		rows = append(rows, "")
	}
	if words.Head == "" && words.Alert == nil {
		return rows
	}
	if words.News != "" {
		rows = []string{words.News}
	}
	if words.Alert != nil {
		rows = append(rows[:0], words.Alert(p.Words)...)
	} else {
		rows = append(rows, p.heading(words))
	}
	for range form.part {
		rows = append(rows, "")
	}
	return rows
}

// drawStacked puts the words above and below the code.
func (p Place) drawStacked(styles theme.Theme, words Words, canvas []string) {
	amount, rest := words.Blocks[0], words.Blocks[1:]
	canvas[0] = theme.Spread(words.Head, styles.Strong.Render(amount.Figures), p.width)
	if large := figures.Fit(styles, amount.Figures, p.width, figures.Small); p.top > 1 && large != nil {
		canvas[0] = p.heading(words)
		for i, row := range large {
			canvas[1+i] = theme.Center(styles.Strong.Render(row), p.width, 1)
		}
	}
	for y, row := range strings.Split(p.code.View(), "\n") {
		canvas[p.top+y] = theme.Left("", p.left) + row
	}
	var below []string
	if words.News != "" {
		below = append(below, words.News)
	}
	if words.Alert != nil {
		below = append(below, words.Alert(p.width)...)
	}
	below = append(below, form{figures: 1}.draw(styles, rest, p.width)...)
	copy(canvas[p.top+p.codeHeight:], append(append(below, words.Below...), words.Foot...))
}
