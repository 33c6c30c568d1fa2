package e2e_test

import (
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/muesli/termenv"

	"checkout/till/tui/tuitest"
)

// The size of a cell in a picture, in pixels.
const cellWidth, cellHeight = 9, 18

// pictureHead returns the start of a picture of a terminal with the given size and style sheet. The
// margin is one cell at each side, and half a cell at the top and at the bottom.
func pictureHead(cols, rows int, style string) string {
	width, height := (cols+2)*cellWidth, (rows+1)*cellHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="15" `+
		`shape-rendering="crispEdges" fill="%s">`+"\n%s"+
		`<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", width, height, width, height, borderText, style, plainGround)
}

// drawRow draws a row of cells at the height top: first the background colours of the cells' upper
// and lower halves, then the text.
func drawRow(screen tuitest.Screen, row, top int) string {
	cols, _ := screen.Size()
	cells := make([]tuitest.Cell, cols)
	for x := range cells {
		cells[x] = screen.Cell(x, row)
	}
	paths := make(map[string]string) // Keyed by colour.
	fill := func(colour string, x, end, top, height int) {
		if width := (end - x) * cellWidth; colour != plainGround {
			paths[colour] += fmt.Sprintf("M%d %dh%dv%dh-%dz", (x+1)*cellWidth, top, width, height, width)
		}
	}
	eachRun(cells, halves, func(colours [2]string, x, end int) {
		if colours[0] == colours[1] {
			fill(colours[0], x, end, top, cellHeight)
			return
		}
		fill(colours[0], x, end, top, cellHeight/2)
		fill(colours[1], x, end, top+cellHeight/2, cellHeight/2)
	})
	var svg strings.Builder
	for _, colour := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&svg, `<path fill="%s" d="%s"/>`+"\n", colour, paths[colour])
	}
	words := regexp.MustCompile(`\S+( \S+)*`) // SVG replaces two blanks by one.
	eachRun(cells, func(cell tuitest.Cell) string {
		switch {
		case strings.ContainsRune("▀▄█", cell.Rune):
			return ""
		case cell.Bold:
			return textOf(cell) + `" font-weight="bold`
		}
		return textOf(cell)
	}, func(style string, x, end int) {
		if style == "" {
			return
		}
		fill := ""
		if style != borderText { // Almost half of the texts have the default colour of the picture. Omitting that colour keeps the file small.
			fill = ` fill="` + style + `"`
		}
		var text strings.Builder
		for _, cell := range cells[x:end] {
			text.WriteRune(cell.Rune)
		}
		for _, at := range words.FindAllStringIndex(text.String(), -1) {
			said, length := text.String()[at[0]:at[1]], ""
			if runes := utf8.RuneCountInString(said); runes > 1 { // The length only sets the space between characters.
				length = fmt.Sprintf(` textLength="%d"`, runes*cellWidth)
			}
			fmt.Fprintf(&svg, `<text x="%d" y="%d"%s%s>%s</text>`+"\n",
				(x+1+utf8.RuneCountInString(text.String()[:at[0]]))*cellWidth, top+14, length, fill, html.EscapeString(said))
		}
	})
	return svg.String()
}

// eachRun calls draw for each sequence of adjacent cells with the same style.
func eachRun[S comparable](cells []tuitest.Cell, style func(tuitest.Cell) S, draw func(style S, x, end int)) {
	for x := 0; x < len(cells); {
		end := x + 1
		for end < len(cells) && style(cells[end]) == style(cells[x]) {
			end++
		}
		draw(style(cells[x]), x, end)
		x = end
	}
}

func halves(cell tuitest.Cell) [2]string {
	text, ground := textOf(cell), groundOf(cell)
	switch cell.Rune {
	case '▀':
		return [2]string{text, ground}
	case '▄':
		return [2]string{ground, text}
	case '█':
		return [2]string{text, text}
	}
	return [2]string{ground, ground}
}

// The default colours of a terminal.
const (
	plainText   = "#d5d8df"
	faintText   = "#8b909b"
	plainGround = "#16181d"
	borderText  = "#6b7089" // The borders of panes.
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

// colour returns the CSS colour for a number: a true colour or a colour of the palette of 256. For
// [tuitest.DefaultColor], it returns plain.
func colour(number int, plain string) string {
	switch {
	case number < 0:
		return plain
	case number > 255:
		return fmt.Sprintf("#%06x", number)
	}
	return termenv.ConvertToRGB(termenv.ANSI256Color(number)).Hex()
}
