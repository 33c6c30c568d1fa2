package e2e_test

import (
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

var pictureFolder = flag.String("pictures", "", "draw the pictures of the README into this folder")

// TestPicturesOfASale plays a sale in the demo and draws what the screen shows
// as SVG files. The README's pictures are made by it.
func TestPicturesOfASale(t *testing.T) {
	if *pictureFolder == "" {
		t.Skip("draws only when -pictures names a folder")
	}
	home := t.TempDir()
	cmd := exec.Command(binary, "demo")
	cmd.Env = tuitest.Environ("HOME="+home, "TILL_SHOP=Tantely", "TILL_LANGUAGE=en")
	terminal := tuitest.Start(t, 80, 24, cmd).Sees("TOTAL", "listening")
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000 Ar")
	terminal.Type("3*Mofo 500").Sees("3*Mofo 500")
	draw(t, terminal.Snapshot(), "sale.svg")
	terminal.Press("enter").Sees("10 500 Ar").Press("enter").Sees("Charge").Press("enter")
	terminal.Sees("Scan to pay", "lets it expire", "left").QR()
	draw(t, terminal.Snapshot(), "code.svg")
	terminal.Press("p").Sees("PAID", "done")
	draw(t, terminal.Snapshot(), "paid.svg")
}

// The size of a cell in the picture, in pixels.
const cellWidth, cellHeight = 9, 18

// draw writes a screen as an SVG file: grounds and half blocks as rectangles,
// everything else as text.
func draw(t *testing.T, screen tuitest.Screen, name string) {
	t.Helper()
	cols, rows := screen.Size()
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="15">`+"\n"+
		`<rect width="100%%" height="100%%" rx="6" fill="#16181d"/>`+"\n",
		(cols+2)*cellWidth, (rows+1)*cellHeight)
	for y := range rows {
		drawRow(&svg, screen, y, cols)
	}
	svg.WriteString("</svg>\n")
	path := filepath.Join(*pictureFolder, name)
	if err := os.WriteFile(path, []byte(svg.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// drawRow draws the cells of a row, those that look the same in one piece.
func drawRow(svg *strings.Builder, screen tuitest.Screen, y, cols int) {
	top := float64(y)*cellHeight + cellHeight/2
	for x := 0; x < cols; {
		first, end := screen.Cell(x, y), x+1
		block := strings.ContainsRune("▀▄█", first.Rune) || first.Rune == ' '
		for end < cols {
			next := screen.Cell(end, y)
			if next.Text != first.Text || next.Ground != first.Ground || (block && next.Rune != first.Rune) ||
				(!block && strings.ContainsRune("▀▄█ ", next.Rune)) {
				break
			}
			end++
		}
		left, width := float64(x+1)*cellWidth, float64(end-x)*cellWidth
		if first.Ground != tuitest.DefaultColor {
			rect(svg, left, top, width, cellHeight, colour(first.Ground))
		}
		switch first.Rune {
		case ' ':
		case '▀':
			rect(svg, left, top, width, cellHeight/2, colour(first.Text))
		case '▄':
			rect(svg, left, top+cellHeight/2, width, cellHeight/2, colour(first.Text))
		case '█':
			rect(svg, left, top, width, cellHeight, colour(first.Text))
		default:
			text(svg, screen, x, end, y)
		}
		x = end
	}
}

func rect(svg *strings.Builder, x, y, width, height float64, fill string) {
	fmt.Fprintf(svg, `<rect x="%g" y="%g" width="%g" height="%g" fill="%s" shape-rendering="crispEdges"/>`+"\n",
		x, y, width, height, fill)
}

func text(svg *strings.Builder, screen tuitest.Screen, from, to, y int) {
	var runes strings.Builder
	for x := from; x < to; x++ {
		if r := screen.Cell(x, y).Rune; r != 0 {
			runes.WriteRune(r)
		}
	}
	fmt.Fprintf(svg, `<text x="%d" y="%d" textLength="%d" fill="%s">%s</text>`+"\n",
		(from+1)*cellWidth, y*cellHeight+cellHeight/2+14, (to-from)*cellWidth,
		colour(screen.Cell(from, y).Text), html.EscapeString(runes.String()))
}

// colour is a palette colour as terminals of today draw it.
func colour(number int) string {
	switch number {
	case tuitest.DefaultColor:
		return "#d5d8df"
	case 16:
		return "#000000"
	case 231:
		return "#ffffff"
	}
	names := []string{
		"#1d1f21", "#cc4b4b", "#3fae5a", "#d6b53c", "#5a8fd6", "#b57fd0", "#45b3b3", "#d5d8df",
		"#7d828c", "#ff6b6b", "#63d17f", "#f0d264", "#82b1ff", "#d7a3ee", "#6fd8d8", "#ffffff",
	}
	if number >= 0 && number < len(names) {
		return names[number]
	}
	return "#d5d8df"
}
