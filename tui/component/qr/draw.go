package qr

import (
	"strings"

	"checkout/till/tui/theme"
)

// The colours are fixed ones of the 256-colour palette, black on white. ANSI
// black and white will not do: there are schemes that swap them. They are
// written as they are and not through a renderer, which would drop or degrade
// them where colours are not wanted.
//
// vt100 would read "5" there as blinking. Such terminals get light modules in reverse
// video of white on black, which is right on a dark screen that ignores colours.
const (
	darkOnLight = "\x1b[38;5;16;48;5;231m"
	lightOnDark = "\x1b[37;40m"
	end         = "\x1b[0m"
	swap        = "\x1b[7m"
	swapBack    = "\x1b[27m"
	upperHalf   = '▀'
	lowerHalf   = '▄'
)

// dark tells whether a pixel of the drawing is dark; what lies outside the code is
// light.
func (m Model) dark(x, y int) bool {
	mx, my := x/m.form.scale-m.form.quiet, y/m.form.scale-m.form.quiet
	inside := x >= 0 && y >= 0 && mx >= 0 && my >= 0 && mx < len(m.modules) && my < len(m.modules)
	return inside && m.modules[my][mx]
}

// draw gives the code's lines. Between lines no colour is left switched on, so
// that the block can be joined with others.
func (m Model) draw() string {
	width, height := m.Size()
	var b strings.Builder
	for row := range height {
		if row > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(map[bool]string{true: lightOnDark, false: darkOnLight}[m.few])
		swapped := false
		for x := range width {
			glyph, inverse := m.cell(x, row)
			inverse = inverse != m.few
			if inverse != swapped {
				swapped = inverse
				b.WriteString(map[bool]string{true: swap, false: swapBack}[inverse])
			}
			b.WriteRune(glyph)
		}
		b.WriteString(end)
	}
	return b.String()
}

// cell picks the glyph for the two pixels of a cell, and whether the colour
// pair is swapped, light on dark.
//
// Many terminals take half blocks from a font and leave a gap between its edge
// and the cell's, through which the cell's background shows. A uniform cell is
// therefore a blank, and a mixed one draws the half whose gap meets a pixel of
// the background's colour, where it cannot be seen. Where both halves do, or
// neither, the light one is drawn: a dark seam in the ground hurts readers less
// than a light one through a module.
func (m Model) cell(x, row int) (glyph rune, inverse bool) {
	top, bottom := m.dark(x, 2*row), m.dark(x, 2*row+1)
	if top == bottom {
		return ' ', top
	}
	upperHides := m.dark(x, 2*row-1) == bottom
	lowerHides := m.dark(x, 2*row+2) == top
	upper := upperHides
	if upperHides == lowerHides {
		upper = !top
	}
	if upper {
		return upperHalf, !top
	}
	return lowerHalf, !bottom
}

// Text draws the code with printable characters alone, for terminals that take
// no colours: what is lit is drawn, so that lightGround must tell whether the
// terminal writes dark on light. Where half blocks are not known to be there a module
// is two characters in a row of its own; otherwise two rows of modules share one. No
// newline stands behind the last row. It takes the room that it wants.
func (m Model) Text(styles theme.Theme, lightGround bool) string {
	m.form = form{scale: 1, quiet: comfortableQuiet}
	side, _ := m.Size()
	drawn := func(x, y int) bool { return y < side && m.dark(x, y) == lightGround }
	step, blocks := 2, map[[2]bool]rune{{true, true}: '█', {true, false}: upperHalf, {false, true}: lowerHalf, {false, false}: ' '}
	whole := map[theme.Charset]string{theme.Lines: "██", theme.ASCII: "##"}[styles.Charset]
	if whole != "" {
		step = 1
	}
	var rows []string
	for y := 0; y < side; y += step {
		var row strings.Builder
		for x := range side {
			if whole != "" {
				row.WriteString(map[bool]string{true: whole, false: "  "}[drawn(x, y)])
				continue
			}
			row.WriteRune(blocks[[2]bool{drawn(x, y), drawn(x, y+1)}])
		}
		rows = append(rows, row.String())
	}
	return strings.Join(rows, "\n")
}
