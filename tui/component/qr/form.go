package qr

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

func (f form) pixels(modules int) int {
	return (modules + 2*f.quiet) * f.scale
}

// size is the room that the form takes, in columns and rows. The lower half of
// an odd last row is ground, which widens the quiet zone there.
func (f form) size(modules int) (width, height int) {
	side := f.pixels(modules)
	return side, (side + 1) / 2
}
