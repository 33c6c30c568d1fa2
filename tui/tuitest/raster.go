package tuitest

import (
	"bytes"
	"errors"
	"image"
	"image/color"
)

// PrintedCode returns the text of the QR code in the bytes for a receipt printer. It joins the
// pictures of all commands GS v 0.
func PrintedCode(ticket []byte) (string, error) {
	var dots []byte
	var wide int
	for {
		_, after, found := bytes.Cut(ticket, []byte("\x1dv0\x00"))
		if !found {
			break
		}
		if len(after) < 4 {
			return "", errors.New("the picture lacks its size")
		}
		wide = int(after[0]) + int(after[1])<<8
		size := wide * (int(after[2]) + int(after[3])<<8)
		if len(after) < 4+size {
			return "", errors.New("the picture lacks dots")
		}
		dots = append(dots, after[4:4+size]...)
		ticket = after[4+size:]
	}
	if len(dots) == 0 {
		return "", errors.New("no picture is printed")
	}
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
