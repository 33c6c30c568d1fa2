package pay

import (
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

type code struct {
	link  string
	drawn qr.Model
	place scan.Place
	tall  bool // Whether the code covers the header and the key bar, to have enough room.
}

// newCode returns the code of a link. For a link that is too long for a QR code, it returns a code
// that fits no window.
func newCode(link string, styles theme.Theme) code {
	drawn, _ := qr.New(link, styles)
	return code{link: link, drawn: drawn}
}

// put sets the place of the code in a whole window. below is the number of rows to keep free below
// the code.
func (c code) put(window screen.Size, below int) code {
	c.place = scan.Put(c.drawn, window.Width, window.Height-layout.FrameRows, below)
	whole := scan.Put(c.drawn, window.Width, window.Height, below)
	c.tall = !c.place.Beside && whole.Beside || !c.place.Fits() && whole.Fits()
	if c.tall {
		c.place = whole
	}
	return c
}
