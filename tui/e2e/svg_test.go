package e2e_test

import (
	"fmt"
	"html"
	"strings"

	"checkout/till/tui/tuitest"
)

// The size of a cell in a picture, in pixels.
const cellWidth, cellHeight = 9, 18

// pictureHead begins a picture of a terminal of some columns and rows, half a
// cell or a whole one away from its border, with the style sheet that is given.
func pictureHead(cols, rows int, style string) string {
	width, height := (cols+2)*cellWidth, (rows+1)*cellHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="15">`+"\n%s"+
		`<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", width, height, width, height, style, plainGround)
}

// drawRow draws a row of cells whose upper edge is at top: the grounds, the
// half blocks upon them, and the text.
func drawRow(screen tuitest.Screen, row, top int) string {
	cols, _ := screen.Size()
	var grounds, blocks layers
	for x := range cols {
		cell := screen.Cell(x, row)
		if cell.Ground != tuitest.DefaultColor || cell.Reversed {
			grounds.add(groundOf(cell), x, top, cellHeight)
		}
		switch cell.Rune {
		case '▀':
			blocks.add(textOf(cell), x, top, cellHeight/2)
		case '▄':
			blocks.add(textOf(cell), x, top+cellHeight/2, cellHeight/2)
		case '█':
			blocks.add(textOf(cell), x, top, cellHeight)
		}
	}
	var svg strings.Builder
	svg.WriteString(grounds.String() + blocks.String())
	for x := 0; x < cols; {
		x += drawWords(&svg, screen, x, row, top)
	}
	return svg.String()
}

// drawn tells whether a cell shows what is no letter.
func drawn(cell tuitest.Cell) bool { return strings.ContainsRune("▀▄█ ", cell.Rune) }

// drawWords draws the words of one colour that begin in a cell, if any, and
// returns how many cells it was through with. Two blanks end them, because SVG
// makes one of them.
func drawWords(svg *strings.Builder, screen tuitest.Screen, x, row, top int) int {
	cols, _ := screen.Size()
	first, end := screen.Cell(x, row), x
	for next := x; next < cols; next++ {
		cell := screen.Cell(next, row)
		if drawn(cell) && (cell.Rune != ' ' || next > end) {
			break
		}
		if cell.Rune == ' ' {
			continue
		}
		if textOf(cell) != textOf(first) || cell.Bold != first.Bold {
			break
		}
		end = next + 1
	}
	if drawn(first) || end == x {
		return 1
	}
	var words strings.Builder
	for column := x; column < end; column++ {
		if r := screen.Cell(column, row).Rune; r != 0 {
			words.WriteRune(r)
		}
	}
	weight := ""
	if first.Bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(svg, `<text x="%d" y="%d" textLength="%d" fill="%s"%s>%s</text>`+"\n",
		(x+1)*cellWidth, top+14, (end-x)*cellWidth, textOf(first), weight, html.EscapeString(words.String()))
	return end - x
}

// layers are rectangles by their colours, in the order in which the colours
// came. They are joined into one path each, so that no seam is seen between
// two at any scale.
type layers struct {
	colours []string
	paths   map[string]*strings.Builder
	// The rectangle that may still grow.
	colour                   string
	left, right, top, height int
}

func (l *layers) add(colour string, column, top, height int) {
	left := (column + 1) * cellWidth
	if l.right != left || l.colour != colour || l.top != top || l.height != height {
		l.close()
		l.colour, l.left, l.top, l.height = colour, left, top, height
	}
	l.right = left + cellWidth
}

// close ends the rectangle that grew.
func (l *layers) close() {
	if l.right == 0 {
		return
	}
	if l.paths == nil {
		l.paths = map[string]*strings.Builder{}
	}
	if l.paths[l.colour] == nil {
		l.paths[l.colour] = &strings.Builder{}
		l.colours = append(l.colours, l.colour)
	}
	width := l.right - l.left
	fmt.Fprintf(l.paths[l.colour], "M%d %dh%dv%dh-%dz", l.left, l.top, width, l.height, width)
	l.right = 0
}

func (l *layers) String() string {
	l.close()
	var svg strings.Builder
	for _, colour := range l.colours {
		fmt.Fprintf(&svg, `<path fill="%s" shape-rendering="crispEdges" d="%s"/>`+"\n", colour, l.paths[colour])
	}
	return svg.String()
}

// The colours of a terminal that was told none.
const (
	plainText   = "#d5d8df"
	faintText   = "#8b909b"
	plainGround = "#16181d"
)

func textOf(cell tuitest.Cell) string {
	switch {
	case cell.Text == tuitest.DefaultColor && cell.Reversed:
		return plainGround
	case cell.Text == tuitest.DefaultColor && cell.Faint:
		return faintText
	}
	return colour(cell.Text, plainText)
}

func groundOf(cell tuitest.Cell) string {
	if cell.Reversed {
		return colour(cell.Ground, plainText)
	}
	return colour(cell.Ground, plainGround)
}

// colour is a colour of the palette, its first 16 as terminals of today draw
// them, and plain for the terminal's own.
func colour(number int, plain string) string {
	names := []string{
		"#1d1f21", "#cc4b4b", "#3fae5a", "#d6b53c", "#5a8fd6", "#b57fd0", "#45b3b3", "#d5d8df",
		"#7d828c", "#ff6b6b", "#63d17f", "#f0d264", "#82b1ff", "#d7a3ee", "#6fd8d8", "#ffffff",
	}
	switch {
	case number < 0 || number > 255:
		return plain
	case number < len(names):
		return names[number]
	case number >= 232:
		grey := 8 + 10*(number-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	levels := []int{0, 95, 135, 175, 215, 255}
	cube := number - 16
	return fmt.Sprintf("#%02x%02x%02x", levels[cube/36], levels[cube/6%6], levels[cube%6])
}
