package receipt

import "golang.org/x/text/encoding/charmap"

// Commands of ESC/POS, the language of receipt printers. Even cheap printers know them.
const (
	initialize  = "\x1b@"
	noChinese   = "\x1c."             // FS . ends the mode in which two bytes are one Chinese character.
	codePage858 = "\x1bt\x13"         // ESC t 19 selects code page 858.
	printMode   = "\x1b!"             // ESC ! takes a [Style].
	feed        = "\x1bd\x05"         // ESC d 5 moves the last line above the cutter or the tear bar.
	cut         = "\x1dV\x01"         // GS V 1 cuts the paper; printers without a cutter ignore it.
	pulse       = "\x1bp\x00\x19\xfa" // ESC p 0 25 250 opens the drawer that is connected to the printer.
)

// OpenDrawer returns the bytes that make a printer open the cash drawer. They can be sent with or
// without a receipt.
func OpenDrawer() []byte { return []byte(initialize + pulse) }

// Bytes returns the paper as the ESC/POS bytes that print and cut it.
func (p *Paper) Bytes() []byte {
	out := []byte(initialize + noChinese + codePage858)
	for _, line := range p.lines {
		out = append(out, printMode...)
		out = append(out, byte(line.Style))
		for _, r := range line.Text {
			code, _ := charmap.CodePage858.EncodeRune(r) // The text has only characters of code page 858.
			out = append(out, code)
		}
		out = append(out, '\n')
	}
	return append(out, feed+cut...)
}
