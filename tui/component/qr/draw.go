package qr

import (
	"strings"

	"checkout/till/tui/theme"
)

// Escape sequences of the QR code. Black and white come from the fixed part of the 256-colour
// palette, because some colour schemes swap ANSI black and white. lipgloss would drop or change the
// sequences under NO_COLOR.
//
// Terminals with few colours and no half blocks get ANSI white on black, because a vt100 reads the
// "5" in a 256-colour sequence as blinking. There, light modules are in reverse video, so that they
// are light even on a dark screen that ignores colours.
const (
	darkOnLight   = "\x1b[38;5;16;48;5;231m"
	lightOnGround = "\x1b[38;5;231m"
	lightOnDark   = "\x1b[37;40m"
	end           = "\x1b[0m"
	swap          = "\x1b[7m"
	swapBack      = "\x1b[27m"
	upperHalf     = '▀'
	lowerHalf     = '▄'
)

func (m Model) dark(x, y int) bool {
	x -= m.form.beside()
	y -= m.form.above
	if m.form.edged {
		y--
	}
	side := len(m.modules) * m.form.scale
	return min(x, y) >= 0 && max(x, y) < side && m.modules[y/m.form.scale][x/m.form.scale]
}

// draw returns the code's lines. Each one sets and resets the colours.
func (m Model) draw() string {
	width, height := m.Size()
	var b strings.Builder
	for row := range height {
		if row > 0 {
			b.WriteByte('\n')
		}
		switch {
		case m.form.edged && row == 0:
			b.WriteString(lightOnGround + strings.Repeat(string(lowerHalf), width))
		case m.form.edged && row == height-1:
			b.WriteString(lightOnGround + strings.Repeat(string(upperHalf), width))
		default:
			m.drawLine(&b, row, width)
		}
		b.WriteString(end)
	}
	return b.String()
}

func (m Model) drawLine(b *strings.Builder, row, width int) {
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
}

// cell returns the glyph for the two pixels of a cell. inverse means light on dark.
//
// Two equal pixels are a coloured blank. Two different pixels need a half block. In many fonts a
// half block leaves a gap in the background colour at the outer edge of its cell.
//
// The gap is invisible if the pixel beyond that edge also has the background colour, so cell
// prefers such a half block. Otherwise it draws the light pixel: a dark gap in the quiet zone
// disturbs scanners less than a light gap in a module.
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

// Text draws the code with printable characters only. On a light ground, where the terminal writes
// dark on light, the characters are the dark modules. Otherwise they are the light ones.
func (m Model) Text(styles theme.Theme, lightGround bool) string {
	m.form = form{scale: 1, above: wideQuiet, below: wideQuiet}
	side, _ := m.Size()
	drawn := func(x, y int) bool { return y < side && m.dark(x, y) == lightGround }
	step, blocks := 2, map[[2]bool]string{{true, true}: "█", {true, false}: "▀", {false, true}: "▄", {false, false}: " "}
	whole := map[theme.Charset]string{theme.Lines: "██", theme.ASCII: "##"}[styles.Charset]
	if whole != "" {
		step = 1
	}
	var rows []string
	for y := 0; y < side; y += step {
		row := ""
		for x := range side {
			switch {
			case whole == "":
				row += blocks[[2]bool{drawn(x, y), drawn(x, y+1)}]
			case drawn(x, y):
				row += whole
			default:
				row += "  "
			}
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, "\n")
}
