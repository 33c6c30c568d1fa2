package qr

import "strings"

// The colours are fixed ones of the 256-colour palette, black on white. ANSI
// black and white will not do: there are schemes that swap them. They are
// written as they are and not through a renderer, which would drop or degrade
// them where colours are not wanted.
const (
	begin     = "\x1b[38;5;16;48;5;231m"
	end       = "\x1b[0m"
	swap      = "\x1b[7m"
	swapBack  = "\x1b[27m"
	upperHalf = '▀'
	lowerHalf = '▄'
)

// canvas answers which pixels of a drawing are dark; what lies outside the code
// is light.
type canvas struct {
	modules [][]bool
	form    form
}

func (c canvas) dark(x, y int) bool {
	mx, my := x/c.form.scale-c.form.quiet, y/c.form.scale-c.form.quiet
	inside := x >= 0 && y >= 0 && mx >= 0 && my >= 0 && mx < len(c.modules) && my < len(c.modules)
	return inside && c.modules[my][mx]
}

// draw gives the code's lines. Between lines no colour is left switched on, so
// that the block can be joined with others.
func draw(modules [][]bool, f form) string {
	c := canvas{modules: modules, form: f}
	width, height := f.size(len(modules))
	var b strings.Builder
	for row := range height {
		if row > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(begin)
		swapped := false
		for x := range width {
			glyph, inverse := c.cell(x, row)
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
func (c canvas) cell(x, row int) (glyph rune, inverse bool) {
	top, bottom := c.dark(x, 2*row), c.dark(x, 2*row+1)
	if top == bottom {
		return ' ', top
	}
	upperHides := c.dark(x, 2*row-1) == bottom
	lowerHides := c.dark(x, 2*row+2) == top
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
// terminal writes dark on light. With ascii a module is two characters in a row
// of its own; otherwise two rows of modules share one. No newline stands behind
// the last row. It takes the room that it wants.
func (m Model) Text(ascii, lightGround bool) string {
	c := canvas{modules: m.modules, form: form{scale: 1, quiet: comfortableQuiet}}
	side, _ := c.form.size(len(m.modules))
	drawn := func(x, y int) bool { return y < side && c.dark(x, y) == lightGround }
	step, blocks := 2, map[[2]bool]rune{{true, true}: '█', {true, false}: upperHalf, {false, true}: lowerHalf, {false, false}: ' '}
	if ascii {
		step = 1
	}
	var rows []string
	for y := 0; y < side; y += step {
		var row strings.Builder
		for x := range side {
			if ascii {
				row.WriteString(map[bool]string{true: "##", false: "  "}[drawn(x, y)])
				continue
			}
			row.WriteRune(blocks[[2]bool{drawn(x, y), drawn(x, y+1)}])
		}
		rows = append(rows, row.String())
	}
	return strings.Join(rows, "\n")
}
