package tuitest

import (
	"bytes"
	"errors"
	"image"
	"image/color"
)

// PrintedCode returns the text of the QR code in the bytes that a receipt printer got. The code is a
// picture of the command GS v 0, and PrintedCode adds no blank paper to it.
func PrintedCode(ticket []byte) (string, error) {
	_, after, found := bytes.Cut(ticket, []byte("\x1dv0\x00"))
	if !found || len(after) < 4 {
		return "", errors.New("no picture is printed")
	}
	wide, high := int(after[0])+int(after[1])<<8, int(after[2])+int(after[3])<<8
	dots := after[4:]
	if len(dots) < wide*high {
		return "", errors.New("the picture lacks dots")
	}
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
