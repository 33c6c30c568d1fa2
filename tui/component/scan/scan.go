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
	left, top     int // Of the code.
	wordsAt       int
}

// Put finds the place of a code in width columns and height rows, as large as it
// can be.
func Put(code qr.Model, width, height int) Place {
	p := Place{code: code.SetSize(width-minWords-gutter, height), width: width, height: height}
	if p.Beside = p.code.Fits(); !p.Beside {
		p.code = code.SetSize(width, height-around)
		columns, rows := p.code.Size()
		p.Words = width
		p.left = (width - columns) / 2
		p.top = 1
		if height-rows > 2*around+1 {
			p.top = around + 2
		}
		return p
	}

	columns, rows := p.code.Size()
	room := width - columns
	p.Words = max(minWords, room-8)
	if room >= maxWords+2*gutter {
		p.Words = max(maxWords, room*2/3)
	}
	blank := room - p.Words
	between := max(gutter, min(2*gutter, blank/2))
	p.left = max(0, blank-between) / 2
	p.wordsAt = p.left + columns + between
	if free := height - rows; free >= headRows {
		p.top = max(headRows, free/2)
	}
	return p
}

// Fits tells whether there is room for the code.
func (p Place) Fits() bool { return p.code.Fits() }

// Needs is the smallest room in which a code has a place.
func Needs(code qr.Model) (width, height int) {
	width, height = code.Needs()
	return width + minWords + gutter, height
}

// Words are what stands with a code.
type Words struct {
	// Title stands above the code where there is room.
	Title string
	// Head is the row above the blocks, with Right at its end.
	Head, Right string
	// News is said above all else, in one row; blank for none.
	News string
	// Alert takes the place of Title and Head; it has no texts where there is none.
	Alert Alert
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
	for y, row := range strings.Split(p.code.View(), "\n") {
		canvas[p.top+y] = theme.Left("", p.left) + row
	}
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
	room := p.height - p.top - len(words.Foot)
	_, rows := p.code.Size()
	if p.top+rows+len(words.Below) <= p.height {
		copy(canvas[p.height-len(words.Below):], words.Below)
		room -= len(words.Below)
	} else if len(words.Below) > 0 {
		below := strings.Split(theme.Wrap(strings.Join(words.Below, "\n"), p.Words), "\n")
		words.Blocks = append(slices.Clip(words.Blocks), Block{Rows: below})
	}
	panel := roomiest(grid, p.Words, room, func(f form) []string {
		return append(p.head(words, f), f.draw(styles, words.Blocks, p.Words)...)
	})
	panel = slices.Concat(panel, make([]string, room-len(panel)), words.Foot)
	for i, row := range panel {
		if row != "" {
			canvas[p.top+i] = theme.Left(canvas[p.top+i], p.wordsAt) + row
		}
	}
	if p.top == 0 {
		return
	}
	canvas[0] = words.News
	if len(words.Alert.Texts) == 0 {
		canvas[p.top-2] = theme.Left(theme.Left("", p.left)+words.Title, p.wordsAt) + p.heading(words)
		return
	}
	free := canvas[:p.top]
	if words.News != "" {
		free = free[1:]
	}
	copy(free, words.Alert.Rows(p.width))
}

// heading is Head with Right at its end, where both fit.
func (p Place) heading(words Words) string {
	if theme.Width(words.Head+words.Right) >= p.Words {
		return words.Head
	}
	return theme.Spread(words.Head, words.Right, p.Words)
}

// head is what stands above the blocks where the code begins in the first row.
func (p Place) head(words Words, f form) []string {
	var rows []string
	switch {
	case p.top > 0:
		return nil
	case len(words.Alert.Texts) > 0:
		rows = words.Alert.Rows(p.Words)
	case words.Head == "":
		return make([]string, f.air)
	case words.News != "":
		rows = []string{words.News, p.heading(words)}
	default:
		rows = append(make([]string, f.air), p.heading(words))
	}
	return append(rows, make([]string, f.part)...)
}

// drawStacked puts the words above and below the code.
func (p Place) drawStacked(styles theme.Theme, words Words, canvas []string) {
	amount := words.Blocks[0].Figures
	canvas[0] = theme.Spread(words.Head, styles.Strong.Render(amount), p.width)
	if large := figures.Fit(styles, amount, p.width, figures.Small); p.top > 1 && large != nil {
		canvas[0] = p.heading(words)
		for i, row := range large {
			canvas[1+i] = theme.Center(styles.Strong.Render(row), p.width, 1)
		}
	}
	var news []string
	if words.News != "" {
		news = []string{words.News}
	}
	_, rows := p.code.Size()
	rest := form{figures: 1}.draw(styles, words.Blocks[1:], p.width)
	copy(canvas[p.top+rows:], slices.Concat(news, words.Alert.Rows(p.width), rest, words.Below, words.Foot))
}
