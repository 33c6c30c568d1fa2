package display

import (
	"fmt"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// drawing is a text in large letters, drawn as an SVG image. Path is the path of the dark pixels,
// and one unit of the image is one pixel.
type drawing struct {
	Path          string
	Width, Height int
}

// draw draws lines of text, centred below each other. It returns nil if there is no text, or if a
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

// inked returns which pixels of half a row are dark: those drawn as a full block, or as the given
// half block.
func inked(row string, half rune) []bool {
	var pixels []bool
	for _, cell := range row {
		pixels = append(pixels, cell == '█' || cell == half)
	}
	return pixels
}

// outline returns the dark pixels as an SVG path. Each run of dark pixels in a row is a rectangle.
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
