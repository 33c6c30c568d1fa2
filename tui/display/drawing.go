package display

import (
	"fmt"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// drawing is a text in large letters as an SVG image, whose unit is one pixel. Path is the path of
// the dark pixels.
type drawing struct {
	Path          string
	Width, Height int
}

// draw draws lines of text, centred below each other. It returns nil for no lines, or if a
// character has no large letter.
func draw(lines ...string) *drawing {
	const apart = 3
	drawn := &drawing{}
	var pixels [][]bool
	for i, line := range lines {
		rows := figures.Draw(theme.Plain(), line, figures.Large)
		if rows == nil {
			return nil
		}
		if i > 0 {
			pixels = append(pixels, make([][]bool, apart)...)
		}
		drawn.Width = max(drawn.Width, theme.Width(rows[0]))
		for _, row := range rows {
			pixels = append(pixels, inked(row, '▀'), inked(row, '▄'))
		}
	}
	if drawn.Height = len(pixels); drawn.Height == 0 {
		return nil
	}
	for y, row := range pixels {
		pixels[y] = append(make([]bool, (drawn.Width-len(row))/2), row...)
	}
	drawn.Path = outline(pixels)
	return drawn
}

// inked returns the dark pixels of one half of a row. half is the half block that is dark there.
func inked(row string, half rune) []bool {
	var pixels []bool
	for _, cell := range row {
		pixels = append(pixels, cell == '█' || cell == half)
	}
	return pixels
}

func outline(pixels [][]bool) string {
	var path strings.Builder
	for y, row := range pixels {
		for x := 0; x < len(row); x++ {
			from := x
			for x < len(row) && row[x] {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1H%dz", from, y, x-from, from)
			}
		}
	}
	return path.String()
}
