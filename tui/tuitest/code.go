package tuitest

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// Errors of reading a QR code from a Screen.
var (
	// ErrNoCode says that no cell has the colours of a code.
	ErrNoCode = errors.New("no QR code on the screen")
	// ErrBrokenCode says that the cells of the code are no square of square
	// modules: it was cut, or something was drawn over it.
	ErrBrokenCode = errors.New("QR code is not whole")
)

// The colours in which codes are drawn, as numbers of the 256-colour palette: the
// last two on terminals of few colours.
const (
	ink      = 16
	paper    = 231
	fewInk   = 0
	fewPaper = 7
)

// A Code is a QR code as it was found on a Screen: a raster of pixels, two in
// each cell, one above the other.
type Code struct {
	// Col and Row are the place of the top left cell, Cols and Rows the size,
	// quiet zone included.
	Col, Row, Cols, Rows int
	// pixels are dark where true, by row and column.
	pixels [][]bool
	// symbol is the part of pixels within the quiet zone.
	symbol image.Rectangle
	scale  int
}

// Code finds the QR code on the screen. It fails with ErrNoCode when there is
// none, and with ErrBrokenCode when its cells do not make up a whole one.
func (s Screen) Code() (Code, error) {
	var place image.Rectangle
	for y := range s.rows {
		for x := range s.cols {
			if _, _, ok := s.Cell(x, y).halves(); ok {
				place = place.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if place.Empty() {
		return Code{}, ErrNoCode
	}
	c := Code{Col: place.Min.X, Row: place.Min.Y, Cols: place.Dx(), Rows: place.Dy()}
	for y := place.Min.Y; y < place.Max.Y; y++ {
		upper, lower := make([]bool, 0, c.Cols), make([]bool, 0, c.Cols)
		for x := place.Min.X; x < place.Max.X; x++ {
			top, bottom, ok := s.Cell(x, y).halves()
			if !ok {
				return Code{}, fmt.Errorf("%w: the cell in column %d of row %d is not part of it", ErrBrokenCode, x, y)
			}
			upper, lower = append(upper, top), append(lower, bottom)
		}
		c.pixels = append(c.pixels, upper, lower)
	}
	return c.measured()
}

// read is the text of the code on the screen.
func (s Screen) read() (string, error) {
	code, err := s.Code()
	if err != nil {
		return "", err
	}
	return code.Text()
}

// halves tells which pixels of a cell are dark. It refuses cells with other
// colours than those of a code, or other characters than half blocks.
func (c Cell) halves() (top, bottom, ok bool) {
	text, ground := c.Text == ink || c.Text == fewInk, c.Ground == ink || c.Ground == fewInk
	known := func(color int) bool { return color == paper || color == fewPaper }
	if !text && !known(c.Text) || !ground && !known(c.Ground) {
		return false, false, false
	}
	switch c.Rune {
	case ' ':
		return ground, ground, true
	case '█':
		return text, text, true
	case '▀':
		return text, ground, true
	case '▄':
		return ground, text, true
	default:
		return false, false, false
	}
}

// measured finds the symbol and its modules' size. Three corners of a symbol
// are dark, so that it is as large as all that is dark, and its first row
// begins with the seven dark modules of a finder pattern.
func (c Code) measured() (Code, error) {
	for y, row := range c.pixels {
		for x, dark := range row {
			if dark {
				c.symbol = c.symbol.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if c.symbol.Empty() {
		return Code{}, fmt.Errorf("%w: nothing is dark", ErrBrokenCode)
	}
	first := c.pixels[c.symbol.Min.Y][c.symbol.Min.X:]
	run := slices.Index(first, false)
	if run < 7 || run%7 != 0 {
		return Code{}, fmt.Errorf("%w: a finder pattern is %d pixels wide", ErrBrokenCode, run)
	}
	c.scale = run / 7
	if c.symbol.Dx() != c.symbol.Dy() || c.symbol.Dx()%c.scale != 0 {
		return Code{}, fmt.Errorf("%w: %v pixels of modules of %d", ErrBrokenCode, c.symbol.Size(), c.scale)
	}
	return c, nil
}

// Scale is the width of a module, in columns.
func (c Code) Scale() int { return c.scale }

// Quiet is the width of the quiet zone where it is narrowest, in modules.
func (c Code) Quiet() int {
	return min(
		c.symbol.Min.X, c.symbol.Min.Y,
		len(c.pixels[0])-c.symbol.Max.X, len(c.pixels)-c.symbol.Max.Y,
	) / c.scale
}

// Modules are the code's modules without the quiet zone, by row and column; a
// dark one is true. A code of version v has 17+4v of them in each direction.
func (c Code) Modules() [][]bool {
	size := c.symbol.Dx() / c.scale
	modules := make([][]bool, size)
	for y := range modules {
		modules[y] = make([]bool, size)
		for x := range modules[y] {
			modules[y][x] = c.pixels[c.symbol.Min.Y+y*c.scale][c.symbol.Min.X+x*c.scale]
		}
	}
	return modules
}

// Text reads the code as a camera does that sees a dark terminal around it, so
// that a code that is inverted, or has no quiet zone, is not read. Like a camera
// in a hand it looks more than once: of three hundred codes the reader takes
// one's modules for a corner mark, and of those most can be read when the
// picture is turned.
func (c Code) Text() (text string, err error) {
	right, bottom := len(c.pixels[0])-1, len(c.pixels)-1
	for _, turned := range []func(x, y int) (col, row int){
		func(x, y int) (int, int) { return x, y },
		func(x, y int) (int, int) { return y, right - x },
		func(x, y int) (int, int) { return right - x, bottom - y },
		func(x, y int) (int, int) { return bottom - y, x },
	} {
		if text, err = decode(c.picture(turned)); err == nil {
			return text, nil
		}
	}
	return "", fmt.Errorf("read QR code: %w", err)
}

func decode(picture image.Image) (string, error) {
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		return "", err
	}
	hints := map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true}
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, hints)
	if err != nil {
		return "", err
	}
	return result.GetText(), nil
}

// picture is a picture of the code in which the pixel at x and y is the one that
// at returns of the code.
func (c Code) picture(at func(x, y int) (col, row int)) image.Image {
	const (
		dot    = 4 // Points of the picture for a pixel.
		around = 8 // Pixels of terminal around the code.
	)
	side := max(len(c.pixels), len(c.pixels[0])) + 2*around
	picture := image.NewGray(image.Rect(0, 0, side*dot, side*dot))
	for y := range side * dot {
		for x := range side * dot {
			col, row := at(x/dot-around, y/dot-around)
			inside := row >= 0 && col >= 0 && row < len(c.pixels) && col < len(c.pixels[0])
			if inside && !c.pixels[row][col] {
				picture.SetGray(x, y, color.Gray{Y: 0xff})
			}
		}
	}
	return picture
}
