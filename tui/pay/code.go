package pay

import (
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// code is the QR code of a link, with its place in the window.
type code struct {
	link  string
	drawn qr.Model
	place scan.Place
	tall  bool // Whether the code covers the header and the key bar, because it fits only then, or because only then the text has room next to it.
}

// newCode returns the code of a link. If the link is too long for a QR code, the code fits no
// window, and the screen shows the link instead.
func newCode(link string, styles theme.Theme) code {
	drawn, _ := qr.New(link, styles)
	return code{link: link, drawn: drawn}
}

// put sets the place of the code in a window, which includes the header and the key bar. below is
// the number of rows to keep free below the code.
func (c code) put(window screen.Size, below int) code {
	c.place = scan.Put(c.drawn, window.Width, window.Height-layout.FrameRows, below)
	whole := scan.Put(c.drawn, window.Width, window.Height, below)
	c.tall = !c.place.Beside && whole.Beside || !c.place.Fits() && whole.Fits()
	if c.tall {
		c.place = whole
	}
	return c
}
