// Package figures draws an amount in figures that are read from across the
// counter. It guarantees that what it draws fits the room it was given, in
// whole figures; where they do not fit there are none.
package figures

import "strings"

// maxScale is how many times its smallest size a figure is drawn at most.
const maxScale = 4

// glyphHeight is the height of a figure, in pixels. A cell is one pixel wide
// and two high, which is about square.
const glyphHeight = 5

// Draw returns text in figures, row by row, as large as they fit width columns
// and height rows; nil when they do not, or when text holds anything but
// digits, blanks and the letters of "Ar".
func Draw(text string, width, height int) []string {
	pixels, drawable := lay(text)
	if !drawable {
		return nil
	}
	for scale := maxScale; scale > 0; scale-- {
		if len(pixels[0])*scale <= width && (glyphHeight*scale+1)/2 <= height {
			return rows(pixels, scale)
		}
	}
	return nil
}

// lay puts the glyphs of a text beside each other: a line of "#" and blanks
// for each row of pixels.
func lay(text string) ([]string, bool) {
	lines := make([]strings.Builder, glyphHeight)
	for i, char := range []rune(text) {
		shape, known := glyph(char)
		if !known {
			return nil, false
		}
		for y, line := range strings.Split(shape, "/") {
			if i > 0 {
				lines[y].WriteByte(' ')
			}
			lines[y].WriteString(line)
		}
	}
	pixels := make([]string, glyphHeight)
	for y := range lines {
		pixels[y] = lines[y].String()
	}
	return pixels, text != ""
}

// rows draws the pixels, each scale wide and high, two to a cell.
func rows(pixels []string, scale int) []string {
	dark := func(x, y int) bool {
		x, y = x/scale, y/scale
		return y < len(pixels) && pixels[y][x] == '#'
	}
	drawn := make([]string, 0, (glyphHeight*scale+1)/2)
	for y := 0; y < glyphHeight*scale; y += 2 {
		var row strings.Builder
		for x := range len(pixels[0]) * scale {
			row.WriteString(cell(dark(x, y), dark(x, y+1)))
		}
		drawn = append(drawn, row.String())
	}
	return drawn
}

func cell(upper, lower bool) string {
	switch {
	case upper && lower:
		return "█"
	case upper:
		return "▀"
	case lower:
		return "▄"
	}
	return " "
}

// glyph returns the shape of a character, its rows parted by slashes.
func glyph(char rune) (shape string, known bool) {
	switch char {
	case '0':
		return "###/# #/# #/# #/###", true
	case '1':
		return "## / # / # / # /###", true
	case '2':
		return "###/  #/###/#  /###", true
	case '3':
		return "###/  #/ ##/  #/###", true
	case '4':
		return "# #/# #/###/  #/  #", true
	case '5':
		return "###/#  /###/  #/###", true
	case '6':
		return "###/#  /###/# #/###", true
	case '7':
		return "###/  #/  #/  #/  #", true
	case '8':
		return "###/# #/###/# #/###", true
	case '9':
		return "###/# #/###/  #/###", true
	case 'A':
		return "###/# #/###/# #/# #", true
	case 'r':
		return "  /  /##/# /# ", true
	case ' ', '\u00a0', '\u202f':
		return " / / / / ", true
	}
	return "", false
}
