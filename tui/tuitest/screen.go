package tuitest

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
	"github.com/mattn/go-runewidth"
)

// DefaultColor is the colour of text or background that no colour was set for.
const DefaultColor = -1

// A Cell is one place on a Screen.
type Cell struct {
	// Rune is what is drawn, a blank where nothing is. The second column of a
	// wide character holds 0.
	Rune rune
	// Text and Ground are the colours as they are seen, reverse video already
	// applied: 0 to 255 of the palette, DefaultColor, or red, green and blue as
	// 0xRRGGBB, which for the darkest blues cannot be told from the palette.
	Text, Ground int
	// Bold and Faint say how strong the text is. Reversed is reverse video,
	// which matters where a colour is DefaultColor: it is then the other's.
	Bold, Faint, Reversed bool
}

// A Screen is a still picture of a terminal.
type Screen struct {
	cols, rows int
	cells      []Cell
	cursor     vt10x.Cursor
	mode       vt10x.ModeFlag
}

// Render shows view on a terminal of cols columns and rows rows, from its top
// left corner.
func Render(view string, cols, rows int) Screen {
	e := newEmulator(cols, rows)
	e.write([]byte(strings.ReplaceAll(view, "\n", "\r\n")))
	return e.screen()
}

// Size is the number of columns and of rows.
func (s Screen) Size() (cols, rows int) { return s.cols, s.rows }

// Cell is the cell in column x of row y; both begin with 0.
func (s Screen) Cell(x, y int) Cell { return s.cells[y*s.cols+x] }

// Line is the text of row n, which begins with 0, without blanks at its end.
func (s Screen) Line(n int) string {
	var b strings.Builder
	for _, cell := range s.cells[n*s.cols : (n+1)*s.cols] {
		if cell.Rune != 0 {
			b.WriteRune(cell.Rune)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// String is the text of all rows, each without blanks at its end.
func (s Screen) String() string {
	lines := make([]string, s.rows)
	for n := range lines {
		lines[n] = s.Line(n)
	}
	return strings.Join(lines, "\n")
}

// missing lists those of texts that the screen does not say.
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

// widthFiller follows every wide character on its way into the emulator, which
// would otherwise give it one column. It is not a character of any text.
const widthFiller = '\uFFFF'

// The emulator knows no faint text, and no program of ours blinks: the one is
// told to it as the other.
const (
	faint    = "\x1b[2m"
	blinking = "\x1b[5m"
)

// The bits of a glyph's mode, which vt10x does not export.
const (
	modeReverse = 1 << 0
	modeBold    = 1 << 2
	modeBlink   = 1 << 5
)

// emulator is vt10x, and what it needs to be told right.
type emulator struct {
	vt     vt10x.Terminal
	widths *runewidth.Condition
	// cut is the beginning of a character whose end was not written yet.
	cut []byte
	// begun is the beginning of what may become faint.
	begun []byte
}

func newEmulator(cols, rows int) *emulator {
	return &emulator{
		vt:     vt10x.New(vt10x.WithSize(cols, rows)),
		widths: &runewidth.Condition{StrictEmojiNeutral: true},
	}
}

// write shows what a program wrote.
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
	// vt10x reports no errors but those of its own reader.
	_, _ = e.vt.Write(out)
}

// resize empties the screen, but for its first cell: the emulator would leave
// the old picture standing, and a test could not tell it from the new one. To
// write the sequence that clears would not do, because the program may be in
// the middle of one of its own.
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
