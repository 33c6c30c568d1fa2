// Package qr draws a link as a QR code in the cells of a terminal.
//
// View returns only codes that can be scanned: complete, with a quiet zone, and dark on light in
// every colour scheme, even under NO_COLOR. If the code does not fit, View returns "".
package qr

import (
	"fmt"

	qrcode "github.com/skip2/go-qrcode"

	"checkout/till/tui/theme"
)

// Model is a QR code on the screen. The zero Model has no code and never fits.
type Model struct {
	link    string
	modules [][]bool
	least   int  // Smallest width of a module, in pixels.
	few     bool // The terminal has no half blocks and at most 16 colours.
	edged   bool
	form    form
	view    string
}

// New encodes link. It returns an error if link is empty or longer than 2953 bytes. Encoding takes
// one or two milliseconds, so keep the Model. It draws nothing before SetSize.
//
// New uses the lowest level of error correction: in measurements, other codes needed more rows and
// were not easier to scan.
//
// On a terminal without half blocks, a module is at least two columns wide and a row high.
func New(link string, styles theme.Theme) (Model, error) {
	code, err := qrcode.New(link, qrcode.Low)
	if err != nil {
		return Model{}, fmt.Errorf("encode QR code of %d bytes: %w", len(link), err)
	}
	// DisableBorder must precede Bitmap: the first Bitmap call fixes the border.
	code.DisableBorder = true
	m := Model{link: link, modules: code.Bitmap(), least: 1}
	if !styles.HalfBlocks() {
		m.least, m.few = 2, styles.Colours <= 16
	}
	return m, nil
}

// Edged returns a code with a light area that begins and ends in the middle of a row, like the
// borders of a pane next to it. SetSize uses this form only if it fits and the terminal has half
// blocks.
func (m Model) Edged() Model {
	m.edged = m.least == 1
	return m
}

// SetSize chooses the largest code that fits width columns and height rows.
func (m Model) SetSize(width, height int) Model {
	next := m.largest(width, height)
	if next == m.form {
		return m
	}
	m.form, m.view = next, ""
	if next.scale > 0 {
		m.view = m.draw()
	}
	return m
}

// Link returns the text that the code contains, or "" for the zero Model.
func (m Model) Link() string { return m.link }

// Modules returns the code's modules, row by row, without a quiet zone. Dark modules are
// true. The caller must not change them.
func (m Model) Modules() [][]bool { return m.modules }

// Fits reports whether the code fits the size from the last SetSize.
func (m Model) Fits() bool { return m.form.scale > 0 }

// View returns the drawing, or "" if the code does not fit. The drawing may be joined with other
// blocks and centred, but not wrapped, cut or styled.
func (m Model) View() string { return m.view }

// Size returns the columns and rows of View; 0 and 0 if the code does not fit.
func (m Model) Size() (width, height int) { return m.form.size(len(m.modules)) }

// Scale returns the width of a module in columns, or 0 if the code does not fit.
func (m Model) Scale() int { return m.form.scale }

// Needs returns the smallest size that fits the code.
func (m Model) Needs() (width, height int) {
	if len(m.modules) == 0 {
		return 0, 0
	}
	return form{scale: m.least, above: m.least, below: m.least}.size(len(m.modules))
}

// Widths of the quiet zone, in modules. In measurements, scanners accepted both, but failed on dark
// backgrounds without a quiet zone.
const (
	wideQuiet   = 2
	narrowQuiet = 1
)

// form is a way to draw a code. A pixel is half a cell high, so it is about square. The zero form
// draws nothing.
type form struct {
	// Width and height of a module, in pixels. With an even scale, coloured blanks are enough to
	// draw the code.
	scale int
	// Heights of the quiet zone, in pixels.
	above, below int
	// The outer half of the first and the last row does not belong to the quiet zone; see
	// [Model.Edged].
	edged bool
}

// largest returns the largest form that fits. Larger modules are better than a wider quiet zone,
// because they can be scanned from a greater distance.
func (m Model) largest(width, height int) form {
	modules := len(m.modules)
	if modules == 0 {
		return form{}
	}
	most := min(width, 2*height) / (modules + 2*narrowQuiet)
	for scale := most - most%m.least; scale > 0; scale -= m.least {
		narrow, wide := narrowQuiet*scale, wideQuiet*scale
		// 1 if the modules have an odd height: then an edged form has one more pixel below them.
		odd := modules * scale % 2
		for _, f := range [...]form{
			// With an even scale, this form needs no half blocks.
			{scale, wide + 1 - odd, wide + 1, true},
			{scale, wide - 1, wide - 1 + odd, true},
			{scale, narrow, narrow + odd, true},
			{scale, wide, wide, false},
			{scale, narrow, narrow, false},
		} {
			w, h := f.size(modules)
			if w <= width && h <= height && (m.edged || !f.edged) {
				return f
			}
		}
	}
	return form{}
}

// beside returns the width of the quiet zone at each side, in pixels.
func (f form) beside() int { return min(f.below, wideQuiet*f.scale) }

// size returns the columns and rows of a code. modules is the number of modules on a side.
func (f form) size(modules int) (width, height int) {
	side := modules * f.scale
	height = (side + f.above + f.below + 1) / 2
	if f.edged {
		height++
	}
	return side + 2*f.beside(), height
}
