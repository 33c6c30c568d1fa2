// Package qr draws a link as a QR code out of the cells of a terminal.
//
// It guarantees that what View returns can be scanned: the modules are dark on
// a light ground in every colour scheme and under NO_COLOR, because the code's
// contrast is its content and not a decoration; a quiet zone surrounds it; and
// it is whole. Where it does not fit there is no code at all, and Needs tells
// how much room it wants.
//
// The link is encoded once, in New, and drawn once for each form that SetSize
// chooses; View only returns the drawing.
package qr

import (
	"fmt"

	qrcode "github.com/skip2/go-qrcode"

	"checkout/till/tui/theme"
)

// A Model is a QR code on the screen. It is a value; its copies share the
// modules, which never change. The zero Model has no code and never fits.
type Model struct {
	link    string
	modules [][]bool
	least   int  // How many pixels wide a module is at least.
	few     bool // The terminal has at most 16 colours.
	form    form
	view    string
}

// New encodes link, at the lowest level of error correction: on a screen the
// higher ones cost rows and were measured to read no better. It fails when link is
// empty, or longer than a QR code holds (2953 bytes). Encoding takes a millisecond or two, so keep the Model for as
// long as the link is shown. It has no size, and no view, before SetSize.
//
// Where the terminal is not known to have half blocks, the code is drawn with coloured
// blanks alone. A module then takes two columns and a row, so the code wants about
// twice the room in both directions.
func New(link string, styles theme.Theme) (Model, error) {
	code, err := qrcode.New(link, qrcode.Low)
	if err != nil {
		return Model{}, fmt.Errorf("encode QR code of %d bytes: %w", len(link), err)
	}
	// The encoder keeps the border of its first drawing for good.
	code.DisableBorder = true
	m := Model{link: link, modules: code.Bitmap(), least: 1}
	if !styles.HalfBlocks() {
		m.least, m.few = 2, styles.Colours <= 16
	}
	return m, nil
}

// SetSize gives the code width columns and height rows. It picks the largest
// form that fits them whole, and draws anew only when that is another one.
func (m Model) SetSize(width, height int) Model {
	next := largest(len(m.modules), m.least, width, height)
	if next == m.form {
		return m
	}
	m.form, m.view = next, ""
	if next.scale > 0 {
		m.view = m.draw()
	}
	return m
}

// Link is the text that the code says.
func (m Model) Link() string { return m.link }

// Modules are the code's modules, row by row, dark ones true, without a quiet
// zone. They must not be changed.
func (m Model) Modules() [][]bool { return m.modules }

// Fits tells whether the last SetSize had room for the code.
func (m Model) Fits() bool { return m.form.scale > 0 }

// View is the code, with an escape sequence at the beginning and at the end of
// each line and no newline behind the last one. It is empty when the code does
// not fit. It may be joined with other blocks and centred, but not wrapped, cut
// or given a style.
func (m Model) View() string { return m.view }

// Size is how many columns and rows View takes; 0 and 0 when the code does not
// fit.
func (m Model) Size() (width, height int) { return m.form.size(len(m.modules)) }

// Needs is the smallest number of columns and of rows that the code fits, both
// of which SetSize must be given at once.
func (m Model) Needs() (width, height int) {
	if len(m.modules) == 0 {
		return 0, 0
	}
	return form{scale: m.least, quiet: narrowQuiet}.size(len(m.modules))
}

// The quiet zone around the code, in modules. Readers were measured to be
// content with either; without any they fail on dark backgrounds.
const (
	comfortableQuiet = 2
	narrowQuiet      = 1
)

// form is one way to draw a code. A pixel is half a cell: a cell is one pixel
// wide and two high, which is about square. The zero form draws nothing.
type form struct {
	// scale is the width and height of a module, in pixels. An even one makes
	// every cell uniform, so that blanks are enough to draw it.
	scale int
	// quiet is the width of the quiet zone, in modules.
	quiet int
}

// largest finds the largest form of a code of so many modules that fits width
// columns and height rows, with modules of a multiple of smallest pixels.
// Larger modules come before a wider quiet zone: they can be read from further
// away.
func largest(modules, smallest, width, height int) form {
	if modules == 0 {
		return form{}
	}
	most := min(width, 2*height) / (modules + 2*narrowQuiet)
	for scale := most - most%smallest; scale > 0; scale -= smallest {
		for _, quiet := range []int{comfortableQuiet, narrowQuiet} {
			f := form{scale: scale, quiet: quiet}
			if w, h := f.size(modules); w <= width && h <= height {
				return f
			}
		}
	}
	return form{}
}

// size is the room that the form takes, in columns and rows. The lower half of
// an odd last row is ground, which widens the quiet zone there.
func (f form) size(modules int) (width, height int) {
	side := (modules + 2*f.quiet) * f.scale
	return side, (side + 1) / 2
}
