package tuitest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"io"
	"os"
	"unicode/utf8"
)

// A Font is a bitmap font of the Linux text console; see [ReadFont].
type Font struct {
	width, height int
	glyphs        [][]byte // Bitmap of each glyph, row by row. Each row takes a whole number of bytes.
	chars         map[rune]int
}

// ReadFont reads a gzip-compressed font file of PSF version 1.
func ReadFont(path string) (Font, error) {
	file, err := os.Open(path)
	if err != nil {
		return Font{}, err
	}
	defer func() { _ = file.Close() }()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return Font{}, err
	}
	data, err := io.ReadAll(unzipped)
	switch {
	case err != nil:
		return Font{}, err
	case bytes.HasPrefix(data, []byte{0x36, 0x04}) && data[2]&2 != 0:
		return readPSF1(data), nil
	}
	return Font{}, errors.New("no PSF 1 font with a table of characters")
}

func readPSF1(data []byte) Font {
	count, height := 256, int(data[3])
	if data[2]&1 != 0 {
		count = 512
	}
	f := Font{width: 8, height: height, chars: make(map[rune]int)}
	table := f.cut(data[4:], count, height)
	sequence := false
	for at := 0; len(table) >= 2 && at < count; table = table[2:] {
		switch char := binary.LittleEndian.Uint16(table); {
		case char == 0xffff:
			at, sequence = at+1, false
		case char == 0xfffe:
			sequence = true
		case !sequence:
			f.chars[rune(char)] = at
		}
	}
	return f
}

// cut reads count glyphs of size bytes each, and returns the remaining data.
func (f *Font) cut(data []byte, count, size int) []byte {
	for range count {
		f.glyphs = append(f.glyphs, data[:size])
		data = data[size:]
	}
	return data
}

// Lacks returns the characters of the screen that the font cannot draw, with repetitions.
func (f Font) Lacks(s Screen) string {
	var missing []rune
	for _, cell := range s.cells {
		if _, has := f.chars[cell.Rune]; !has && cell.Rune != 0 {
			missing = append(missing, cell.Rune)
		}
	}
	return string(missing)
}

// Draw draws the screen like the Linux text console with this font. A character that the font lacks
// is drawn as U+FFFD.
func (f Font) Draw(s Screen) image.Image {
	picture := image.NewGray(image.Rect(0, 0, s.cols*f.width, s.rows*f.height))
	for i, cell := range s.cells {
		at, has := f.chars[cell.Rune]
		if !has {
			at = f.chars[utf8.RuneError]
		}
		text, ground := cell.onConsole()
		for y := range f.height {
			for x := range f.width {
				shade := ground
				if f.glyphs[at][y*((f.width+7)/8)+x/8]&(0x80>>(x%8)) != 0 {
					shade = text
				}
				picture.Set(i%s.cols*f.width+x, i/s.cols*f.height+y, shade)
			}
		}
	}
	return picture
}

func (c Cell) onConsole() (text, ground color.Color) {
	if c.Reversed {
		return shade(c.Text, fewInk), shade(c.Ground, fewPaper)
	}
	return shade(c.Text, fewPaper), shade(c.Ground, fewInk)
}

// shade returns light grey for the light colours of QR codes, and black for all others.
func shade(number, byDefault int) color.Gray {
	if number == DefaultColor {
		number = byDefault
	}
	if number == paper || number == fewPaper {
		return color.Gray{Y: 0xaa}
	}
	return color.Gray{}
}

// ReadCode returns the text of the QR code in a picture.
func ReadCode(picture image.Image) (string, error) { return decode(picture) }
