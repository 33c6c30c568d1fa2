// Package scan draws a QR code and its words. The words are next to the code, or above and
// below it in a narrow window. It guarantees that the code's position depends only on the
// window's size, so that it does not move while a customer scans it.
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
	minWords = 28 // Smallest width of words next to a code.
	maxWords = 48 // Usual width; much wider windows have wider words.
	gutter   = 3  // Smallest number of blank columns next to those words.
	headRows = 3  // Rows above a code if its title is there.
	around   = 3  // Smallest number of rows around a code in a narrow window.
)

// Place is the position of a code and its words in a window.
type Place struct {
	// Words is the number of columns for words.
	Words int
	// Beside reports whether the words are next to the code.
	Beside bool

	code          qr.Model
	width, height int
	left, top     int // Position of the code.
	wordsAt       int
}

// Put returns the place of the largest code that fits width columns and height rows.
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

// Fits reports whether there is room for the code.
func (p Place) Fits() bool { return p.code.Fits() }

// Needs returns the smallest size with room for a code and words next to it.
func Needs(code qr.Model) (width, height int) {
	width, height = code.Needs()
	return width + minWords + gutter, height
}

// Words are the texts around a code.
type Words struct {
	// Title is above the code if there is room.
	Title string
	// Head is the row above the blocks. Right is at its end.
	Head, Right string
	// News is a row above all other words, or blank.
	News string
	// Alert replaces Title and Head if it has texts.
	Alert Alert
	// Blocks are drawn one below the other.
	Blocks []Block
	// Below is under the code and its words, over the whole width if there is room.
	Below []string
	// Foot is at the end.
	Foot []string
}

// Draw returns the code with its words, in exactly the size that Put was given.
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

// heading returns Head, with Right at its end if both fit.
func (p Place) heading(words Words) string {
	if theme.Width(words.Head+words.Right) >= p.Words {
		return words.Head
	}
	return theme.Spread(words.Head, words.Right, p.Words)
}

// head returns the rows above the blocks if the code begins in the first row.
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
