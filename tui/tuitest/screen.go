package tuitest

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
	"github.com/mattn/go-runewidth"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// DefaultColor is the colour of text or background if no colour is set.
const DefaultColor = -1

// A Cell is one character position on a Screen.
type Cell struct {
	// Rune is the character, or a blank. The second column of a wide character holds 0.
	Rune rune
	// Visible colours of the character and of its background, as numbers of the palette from 0 to
	// 255, DefaultColor, or 0xRRGGBB. In reverse video they are already swapped.
	Text, Ground int
	// Attributes of the text. Reversed means reverse video.
	Bold, Faint, Reversed bool
}

// A Screen is a snapshot of a terminal.
type Screen struct {
	cols, rows int
	cells      []Cell
	cursor     vt10x.Cursor
	mode       vt10x.ModeFlag
}

// Render draws view on a terminal of cols columns and rows rows, from the top left corner.
func Render(view string, cols, rows int) Screen {
	e := newEmulator(cols, rows)
	e.write([]byte(strings.ReplaceAll(view, "\n", "\r\n")))
	return e.screen()
}

// Size returns the number of columns and of rows.
func (s Screen) Size() (cols, rows int) { return s.cols, s.rows }

// Cell returns the cell in column x of row y; both numbers begin with 0.
func (s Screen) Cell(x, y int) Cell { return s.cells[y*s.cols+x] }

// Line returns the text of row n without trailing blanks. The first row is 0.
func (s Screen) Line(n int) string {
	var b strings.Builder
	for _, cell := range s.cells[n*s.cols : (n+1)*s.cols] {
		if cell.Rune != 0 {
			b.WriteRune(cell.Rune)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// String returns the text of all rows, each without trailing blanks.
func (s Screen) String() string {
	lines := make([]string, s.rows)
	for n := range lines {
		lines[n] = s.Line(n)
	}
	return strings.Join(lines, "\n")
}

func (s Screen) missing(texts []string) []string {
	all := s.String()
	var absent []string
	for _, text := range texts {
		if !Shows(all, text) && !wraps(all, text) {
			absent = append(absent, text)
		}
	}
	return absent
}

// widthFiller follows every wide character in the emulator, so that it occupies two columns.
const widthFiller = '\uFFFF'

// The emulator does not support faint text, so it gets blinking text instead, which our programs do
// not use.
const (
	faint    = "\x1b[2m"
	blinking = "\x1b[5m"
)

// Bits of a glyph's mode. vt10x does not export them.
const (
	modeReverse = 1 << 0
	modeBold    = 1 << 2
	modeBlink   = 1 << 5
)

// emulator wraps vt10x and works around its limits.
type emulator struct {
	vt     vt10x.Terminal
	widths *runewidth.Condition
	// Bytes of an incomplete character at the end of the output.
	cut []byte
	// Beginning of a possible escape sequence for faint text.
	begun []byte
}

func newEmulator(cols, rows int) *emulator {
	return &emulator{
		vt:     vt10x.New(vt10x.WithSize(cols, rows)),
		widths: &runewidth.Condition{StrictEmojiNeutral: true},
	}
}

func (e *emulator) write(p []byte) {
	p = append(e.cut, p...)
	out := make([]byte, 0, len(p)+16)
	for len(p) > 0 && utf8.FullRune(p) {
		r, size := utf8.DecodeRune(p)
		switch width := e.widths.RuneWidth(r); {
		case r < utf8.RuneSelf || width == 1:
			out = utf8.AppendRune(out, r)
		case width == 2:
			out = utf8.AppendRune(utf8.AppendRune(out, r), widthFiller)
		}
		p = p[size:]
	}
	out = bytes.ReplaceAll(append(e.begun, out...), []byte(faint), []byte(blinking))
	e.begun = nil
	for n := len(faint) - 1; n > 0; n-- {
		if bytes.HasSuffix(out, []byte(faint[:n])) {
			e.begun, out = append(e.begun, faint[:n]...), out[:len(out)-n]
			break
		}
	}
	e.cut = append([]byte(nil), p...)
	// Write does not fail here: vt10x returns only the errors of its reader.
	_, _ = e.vt.Write(out)
}

// resize changes the size of the screen and clears it. It uses no escape sequence, which could land
// within another sequence of the program.
func (e *emulator) resize(cols, rows int) {
	e.vt.Resize(1, 1)
	e.vt.Resize(cols, rows)
}

func (e *emulator) screen() Screen {
	e.vt.Lock()
	defer e.vt.Unlock()
	cols, rows := e.vt.Size()
	s := Screen{
		cols: cols, rows: rows, cells: make([]Cell, 0, cols*rows),
		cursor: e.vt.Cursor(), mode: e.vt.Mode(),
	}
	for y := range rows {
		for x := range cols {
			glyph := e.vt.Cell(x, y)
			cell := Cell{
				Rune: glyph.Char, Text: paletteColor(glyph.FG), Ground: paletteColor(glyph.BG),
				Bold: glyph.Mode&modeBold != 0, Faint: glyph.Mode&modeBlink != 0, Reversed: glyph.Mode&modeReverse != 0,
			}
			switch glyph.Char {
			case widthFiller:
				cell.Rune = 0
			case 0:
				cell.Rune = ' '
			}
			s.cells = append(s.cells, cell)
		}
	}
	return s
}

func paletteColor(c vt10x.Color) int {
	if c >= vt10x.DefaultFG {
		return DefaultColor
	}
	return int(c)
}

// Shows reports whether a view contains a text, in normal or in large letters. For a text such as
// "✓ PAID", the word in large letters is enough.
func Shows(view, text string) bool {
	if strings.Contains(view, text) {
		return true
	}
	if sign, word, cut := strings.Cut(text, " "); cut && strings.Contains("✓✗!?…◆◇¤", sign) && large(view, word, true) {
		return true
	}
	return large(view, text, false)
}

// large reports whether a view contains a text in large letters. If first is true, only blanks and
// frames may precede the text in its rows.
func large(view, text string, first bool) bool {
	if len(text) > 20 || !strings.ContainsAny(view, "█▀▄") {
		return false
	}
	for _, high := range []int{figures.Small, figures.Large, figures.Medium, 2 * figures.Large, 3 * figures.Large} {
		drawn := figures.Draw(theme.Theme{}, text, high)
		if drawn == nil || !strings.Contains(view, strings.TrimRight(drawn[0], " ")) {
			continue
		}
		var letters [][]rune
		for _, row := range drawn {
			letters = append(letters, []rune(strings.TrimRight(row, " ")))
		}
		var rows [][]rune
		for row := range strings.SplitSeq(view, "\n") {
			rows = append(rows, []rune(row))
		}
		for y := range len(rows) - len(letters) + 1 {
			for x := range rows[y] {
				if stands(rows[y:], x, letters) && !(first && strings.Trim(string(rows[y][:x]), "▒▚│ ") != "") {
					return true
				}
			}
		}
	}
	return false
}

// stands reports whether the rows of letters are in the first rows, from column x.
func stands(rows [][]rune, x int, letters [][]rune) bool {
	for i, want := range letters {
		if x+len(want) > len(rows[i]) || !slices.Equal(rows[i][x:x+len(want)], want) {
			return false
		}
	}
	return true
}

// wraps reports whether a view contains a sentence in several rows, which may be beside a QR code
// or in a frame.
func wraps(view, text string) bool {
	return strings.Contains(text, " ") && strings.Contains(folded(view), folded(text))
}

// folded returns a text in one row, without the characters of frames and of QR codes.
func folded(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n█▀▄▒│|", r) })
	return strings.Join(words, " ")
}
