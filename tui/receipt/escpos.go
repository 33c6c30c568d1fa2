package receipt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
)

// Commands of ESC/POS, the command language of receipt printers. Even cheap printers support these.
const (
	ignored     = "\x00" // Printers ignore NUL, except as the dots of a picture.
	initialize  = "\x1b@"
	noChinese   = "\x1c."           // FS . ends the mode in which two bytes are one Chinese character.
	american    = "\x1bR\x00"       // ESC R 0 selects the American characters. Other countries have letters instead of signs such as #.
	codePage    = "\x1bt"           // ESC t takes the number of a [CodePage].
	printMode   = "\x1b!"           // ESC ! takes a [Style].
	feed        = "\x1bd\x05"       // ESC d 5 moves the last line above the cutter or the tear bar.
	cut         = "\x1dV\x01"       // GS V 1 cuts the paper. Printers without a cutter ignore it.
	centered    = "\x1ba\x01"       // ESC a 1 centres the next lines.
	leftAligned = "\x1ba\x00"       // ESC a 0 aligns the next lines to the left.
	picture     = "\x1dv0\x00"      // GS v 0 takes the width in bytes, the height in dots, and the dots.
	pulse       = "\x1bp%c\x19\xfa" // ESC p takes the drawer's pin (0 for pin 2, 1 for pin 5), then how long the pulse is on (50 ms) and off (500 ms), in units of 2 ms.
)

// A picture is sent in bands. Printers print the bands without gaps.
const (
	bandHeight = 24 // Rows of dots in a band.
	widest     = 48 // Bytes in a row of dots on the narrowest paper: 384 dots.
)

// release returns the bytes that begin each print. If an earlier print broke off within a picture,
// the printer would take the next receipt for dots. These bytes complete the picture.
func release() []byte {
	const head = len(picture) + 4
	return bytes.Repeat([]byte(ignored), head+widest*bandHeight)
}

// OpenDrawer returns the bytes that make a printer open the cash drawer at the pin 2 or 5 of its
// socket.
func OpenDrawer(pin int) []byte {
	code := 0
	if pin == 5 {
		code = 1
	}
	return fmt.Appendf(release(), initialize+pulse, code)
}

// Bytes returns the ESC/POS bytes that print the paper and cut it.
func (p *Paper) Bytes() []byte {
	return slices.Concat(release(), p.strip(), []byte(feed+cut))
}

func (p *Paper) strip() []byte {
	number, _ := p.page.table()
	out := append([]byte(initialize+noChinese+american+codePage), number)
	for _, line := range p.lines {
		if line.code != "" {
			out = append(out, drawCode(line.code)...)
			continue
		}
		out = append(out, printMode...)
		out = append(out, byte(line.Style))
		for _, r := range line.Text {
			code, _ := p.page.encode(r) // The text contains only characters of the page.
			out = append(out, code)
		}
		out = append(out, '\n')
	}
	return out
}

// drawCode returns the commands that print a QR code as a picture, or nil if the text is too long
// for one. GS ( k, the command for QR codes, is not used, because a printer without it prints the
// arguments as text.
func drawCode(text string) []byte {
	const dots = 6  // A module is 6 dots wide, which is 0.75 mm.
	const quiet = 4 // The standard demands this quiet zone on each side, in modules.
	code, err := qr.New(text, theme.Theme{})
	if err != nil {
		return nil // The receipt also shows the number as text.
	}
	modules := code.Modules()
	side := (len(modules) + 2*quiet) * dots
	wide := (side + 7) / 8
	blank := make([]byte, wide*quiet*dots)
	drawn := slices.Clone(blank)
	for _, row := range modules {
		packed := make([]byte, wide)
		for x := range len(row) * dots {
			if row[x/dots] {
				at := x + quiet*dots
				packed[at/8] |= 0x80 >> (at % 8)
			}
		}
		for range dots {
			drawn = append(drawn, packed...)
		}
	}
	drawn = append(drawn, blank...)
	out := []byte(centered)
	for band := range slices.Chunk(drawn, wide*bandHeight) {
		out = append(out, picture...)
		out = binary.LittleEndian.AppendUint16(out, uint16(wide))           //nolint:gosec // A QR code has at most 177 modules.
		out = binary.LittleEndian.AppendUint16(out, uint16(len(band)/wide)) //nolint:gosec // At most bandHeight.
		out = append(out, band...)
	}
	return append(out, leftAligned...)
}
