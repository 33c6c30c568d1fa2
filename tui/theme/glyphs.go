package theme

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/spinner"
	"github.com/charmbracelet/lipgloss"
)

// The characters that pictures are made of. [Theme.Encode] puts others in their
// place where the terminal lacks them.
const (
	BarFull = '━' // The share of a bar.
	BarRest = '─' // What is missing of it, and a rule.
)

// Border is the set of characters that a frame is made of.
type Border = lipgloss.Border

// Thin is the border of a pane.
func Thin() Border { return lipgloss.RoundedBorder() }

// Heavy is the border of a pane that is chosen.
func Heavy() Border { return lipgloss.ThickBorder() }

// Rule is a rule of so many columns.
func Rule(columns int) string { return strings.Repeat(string(BarRest), max(0, columns)) }

// Spinner moves while something is waited for.
func Spinner() spinner.Spinner {
	return spinner.Spinner{Frames: spinner.MiniDot.Frames, FPS: 100 * time.Millisecond}
}
