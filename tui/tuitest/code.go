package tuitest

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	"checkout/till/tui/tuitest/press"
)

// Errors of reading a QR code on a Screen.
var (
	// ErrNoCode says that no cell has the colours of a QR code.
	ErrNoCode = errors.New("no QR code on the screen")
	// ErrBrokenCode says that the code's cells do not form a square of square
	// modules: the code was cut, or something was drawn over it.
	ErrBrokenCode = errors.New("QR code is not whole")
)

// Colours of QR codes in the 256-colour palette. On a terminal with few colours, codes use fewInk
// and fewPaper.
const (
	ink      = 16
	paper    = 231
	fewInk   = 0
	fewPaper = 7
)

// A Code is a QR code on a Screen. Each cell of the screen holds two pixels, one above the other.
type Code struct {
	// Position of the top left cell and size in cells, with the quiet zone. A row of cells counts
	// even if the code covers only half of it.
	Col, Row, Cols, Rows int
	// Pixels by row and column; true means dark.
	pixels [][]bool
	// Place of the code in pixels, without the quiet zone.
	symbol image.Rectangle
	scale  int
}

// Code finds the QR code on the screen. The errors are ErrNoCode and ErrBrokenCode.
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
	// Half of the row above or below may belong to the code, as light pixels.
	light := [][]bool{make([]bool, c.Cols)}
	if s.isEdge(place.Min.Y-1, c, '▄') {
		c.Row--
		c.Rows++
		c.pixels = append(light, c.pixels...)
	}
	if s.isEdge(place.Max.Y, c, '▀') {
		c.Rows++
		c.pixels = append(c.pixels, light...)
	}
	return c.measured()
}

// isEdge reports whether the code covers half of a row: all its columns have the character half, in
// the light colour.
func (s Screen) isEdge(row int, c Code, half rune) bool {
	if row < 0 || row >= s.rows {
		return false
	}
	for x := c.Col; x < c.Col+c.Cols; x++ {
		if cell := s.Cell(x, row); cell.Rune != half || cell.Text != paper {
			return false
		}
	}
	return true
}

func (s Screen) read() (string, error) {
	code, err := s.Code()
	if err != nil {
		return "", err
	}
	return code.Text()
}

// halves reports which pixels of a cell are dark. ok is false if the cell cannot be part of a code.
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

// measured returns the code with symbol and scale. Three corners of a symbol are dark, which gives
// the bounds. The first row begins with seven dark modules, which give the scale.
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

// Scale returns the width of a module, in columns.
func (c Code) Scale() int { return c.scale }

// Quiet returns the width of the quiet zone at its narrowest side, in modules.
func (c Code) Quiet() int {
	return min(
		c.symbol.Min.X, c.symbol.Min.Y,
		len(c.pixels[0])-c.symbol.Max.X, len(c.pixels)-c.symbol.Max.Y,
	) / c.scale
}

// Modules returns the code's modules without the quiet zone, by row and column; true means dark.
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

// Text returns the text of the code, as a camera reads it in front of a dark terminal. It tries
// four rotations, because in about one of 300 codes the reader mistakes data for a corner mark.
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

// picture draws the code with a margin. at returns the pixel of the code for a position.
func (c Code) picture(at func(x, y int) (col, row int)) image.Image {
	const (
		dot    = 4 // Width and height of a pixel of the code in the picture, in points.
		around = 8 // Width of the margin, in pixels of the code.
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

// PrintedCode returns the text of the QR code in the bytes for a receipt printer. It joins the
// pictures of all commands GS v 0.
func PrintedCode(ticket []byte) (string, error) {
	paper, err := press.Decode(ticket)
	if err != nil || len(paper.Pictures) == 0 {
		return "", errors.Join(errors.New("no picture is printed"), err)
	}
	const head = 8 // Number of bytes of GS v 0 before the dots.
	var dots []byte
	for _, picture := range paper.Pictures {
		dots = append(dots, picture[head:]...)
	}
	wide := int(paper.Pictures[0][4]) + int(paper.Pictures[0][5])<<8
	high := len(dots) / wide
	picture := image.NewGray(image.Rect(0, 0, 8*wide, high))
	for y := range high {
		for x := range 8 * wide {
			if dots[y*wide+x/8]&(0x80>>(x%8)) == 0 {
				picture.SetGray(x, y, color.Gray{Y: 0xff})
			}
		}
	}
	return decode(picture)
}
