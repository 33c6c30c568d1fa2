package qr

import "strings"

// Text draws the code with printable characters alone, for terminals that take
// no colours: what is lit is drawn, so that lightGround must tell whether the
// terminal writes dark on light. With ascii a module is two characters in a row
// of its own; otherwise two rows of modules share one. No newline stands behind
// the last row. It takes the room that it wants.
func (m Model) Text(ascii, lightGround bool) string {
	c := canvas{modules: m.modules, form: form{scale: 1, quiet: comfortableQuiet}}
	side := c.form.pixels(len(m.modules))
	drawn := func(x, y int) bool { return y < side && c.dark(x, y) == lightGround }
	step := 2
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
			row.WriteRune(block(drawn(x, y), drawn(x, y+1)))
		}
		rows = append(rows, row.String())
	}
	return strings.Join(rows, "\n")
}

// block is the character that draws two pixels, one above the other.
func block(top, bottom bool) rune {
	switch {
	case top && bottom:
		return '█'
	case top:
		return upperHalf
	case bottom:
		return lowerHalf
	}
	return ' '
}
