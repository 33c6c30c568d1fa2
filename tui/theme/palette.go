package theme

import "github.com/charmbracelet/lipgloss"

// The ANSI colours, which follow the user's colour scheme, and the two colours
// of the 256-colour palette that are the same in every scheme.
const (
	red       = lipgloss.Color("1")
	green     = lipgloss.Color("2")
	yellow    = lipgloss.Color("3")
	blue      = lipgloss.Color("4")
	magenta   = lipgloss.Color("5")
	cyan      = lipgloss.Color("6")
	brightRed = lipgloss.Color("9")
	black     = lipgloss.Color("16")
	white     = lipgloss.Color("231")
)

// emphasis is what one meaning adds to a style. A colour that is nil leaves the
// terminal's own.
type emphasis struct {
	text, ground       lipgloss.TerminalColor
	reverse, underline bool
}

// on gives base with the emphasis added.
func (e emphasis) on(base lipgloss.Style) lipgloss.Style {
	if e.text != nil {
		base = base.Foreground(e.text)
	}
	if e.ground != nil {
		base = base.Background(e.ground)
	}
	return base.Reverse(e.reverse).Underline(e.underline)
}

// palette is where the modes differ.
type palette struct {
	accent, danger                  emphasis
	alarm, warning, success, banner emphasis
	faint, underline                bool
}

// paletteOf gives the palette of mode. Of the ANSI colours only red and magenta
// contrast with both black and white, hence the accent of Auto.
func paletteOf(mode Mode) palette {
	p := palette{
		accent:  emphasis{text: magenta},
		danger:  emphasis{text: red},
		alarm:   emphasis{text: white, ground: red},
		warning: emphasis{text: black, ground: yellow},
		success: emphasis{text: black, ground: green},
		banner:  emphasis{text: black, ground: cyan},
		faint:   true,
	}
	switch mode {
	case Dark:
		p.accent = emphasis{text: cyan}
		p.danger = emphasis{text: brightRed}
	case Light:
		p.accent = emphasis{text: blue}
	case Contrast:
		block := emphasis{reverse: true}
		word := emphasis{underline: true}
		p = palette{
			accent: word, danger: word,
			alarm: block, warning: block, success: block, banner: block,
			underline: true,
		}
	}
	return p
}
