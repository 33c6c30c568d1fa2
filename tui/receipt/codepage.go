package receipt

import "golang.org/x/text/encoding/charmap"

// CodePage is the name of a printer's table for the characters from 128 to 255. The empty name
// means code page 858.
type CodePage string

// The code pages. ASCII has no accents, so every printer prints it correctly.
const (
	CodePage858 CodePage = "858"
	CodePage850 CodePage = "850"
	CodePage437 CodePage = "437"
	Windows1252 CodePage = "1252"
	ASCII       CodePage = "ascii"
)

func codePages() []CodePage {
	return []CodePage{CodePage858, CodePage850, CodePage437, Windows1252, ASCII}
}

// table returns the argument of ESC t that selects the page, and the characters of the page, which
// are nil for ASCII.
func (c CodePage) table() (number byte, characters *charmap.Charmap) {
	switch c {
	case ASCII:
		return 0, nil
	case CodePage437:
		return 0, charmap.CodePage437
	case CodePage850:
		return 2, charmap.CodePage850
	case Windows1252:
		return 16, charmap.Windows1252
	}
	return 19, charmap.CodePage858
}

func (c CodePage) encode(r rune) (byte, bool) {
	_, characters := c.table()
	if characters == nil {
		return byte(r & 0x7f), r < 0x80
	}
	return characters.EncodeRune(r)
}
