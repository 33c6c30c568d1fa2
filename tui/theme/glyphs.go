package theme

import (
	"time"

	"github.com/charmbracelet/bubbles/spinner"
	"github.com/charmbracelet/lipgloss"
)

// Border is the set of characters that a frame is made of.
type Border = lipgloss.Border

// Glyphs are the characters that pictures are made of, where they are not text.
type Glyphs struct {
	// Border is that of a pane, and Heavy that of one that is chosen.
	Border, Heavy lipgloss.Border
	// Full is the share of a bar, and Rest what is missing; Rest is a rule as well.
	Full, Rest rune
	// Columns are the eighths of a column, from the lowest to the whole one.
	Columns []string
	// Spinner moves while something is waited for.
	Spinner spinner.Spinner
}

// Glyphs returns the characters that the terminal can draw.
func (t Theme) Glyphs() Glyphs {
	eighths := []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	switch t.Charset {
	case ASCII:
		plain := lipgloss.Border{
			Top: "-", Bottom: "-", Left: "|", Right: "|", TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
			MiddleLeft: "+", MiddleRight: "+",
		}
		heavy := plain
		heavy.Top, heavy.Bottom, heavy.Left, heavy.Right = "=", "=", "#", "#"
		return Glyphs{Border: plain, Heavy: heavy, Full: '#', Rest: '-', Columns: []string{"_", "#"}, Spinner: spinner.Line}
	case Console:
		half := []string{"▄", "█"}
		return Glyphs{
			Border: lipgloss.NormalBorder(), Heavy: lipgloss.DoubleBorder(), Full: '█', Rest: '─', Columns: half, Spinner: spinner.Line,
		}
	}
	dots := spinner.MiniDot
	dots.FPS = 100 * time.Millisecond
	return Glyphs{
		Border: lipgloss.RoundedBorder(), Heavy: lipgloss.ThickBorder(), Full: '━', Rest: '─', Columns: eighths, Spinner: dots,
	}
}
