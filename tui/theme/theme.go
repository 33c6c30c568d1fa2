// Package theme contains all colours, styles and characters of the program. Their names are
// their meanings, not their looks.
//
// Each style of [Auto] is readable on dark and light backgrounds. The program never queries
// the terminal's background, because waiting for a terminal that does not answer would take
// seconds. The colours of Auto are from the fixed part of the 256-colour palette, which
// colour schemes do not change.
//
// Only Paid and PaidBlock are green, so only a paid sale looks paid.
//
// A style must not be the only sign of a meaning. Without colours every style is plain text,
// so a selected row also needs a mark.
package theme

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Theme contains the styles for drawing screens. [New], [Plain], [Full] and [ForTerminal]
// make it; the zero value cannot draw. Copies are cheap: they share the styles, which never
// change.
type Theme struct {
	*Styles
	// Charset is the terminal's character set; see [Theme.Encode].
	Charset Charset
	// Colours is the terminal's number of colours, also if they are not used; 0 if unknown.
	Colours int64
}

// Style is one of the styles.
type Style = lipgloss.Style

// Styles is the set of styles of a theme. It has thousands of bytes, so the copies of a
// theme share it.
type Styles struct {
	Text     lipgloss.Style // Normal text, in the terminal's colours.
	Strong   lipgloss.Style // Most important text: titles, amounts, input.
	Muted    lipgloss.Style // Least important text: column heads, units, times, borders; never instructions.
	Accent   lipgloss.Style // Name of a key, or the current choice.
	Line     lipgloss.Style // Accent for lines: bars, and the border of the focused pane.
	Selected lipgloss.Style // Selected row, and a count.
	Cursor   lipgloss.Style // Cell of the text cursor.

	// Words in the colour of an outcome, after a sign.

	Paid    lipgloss.Style // The only green.
	Danger  lipgloss.Style // Not paid, or an error.
	Warning lipgloss.Style // A person must check, or time is running out.
	Unknown lipgloss.Style // Result unknown.

	// The same with a background colour.

	PaidBlock    lipgloss.Style // The only green background.
	DangerBlock  lipgloss.Style // Also: payments are not received.
	WarningBlock lipgloss.Style
	UnknownBlock lipgloss.Style
	DemoBlock    lipgloss.Style // No money moves.

	// The header and the key bar.

	Header       lipgloss.Style // Background and normal text of a bar.
	HeaderStrong lipgloss.Style // Name in a bar.
	HeaderMuted  lipgloss.Style // Secondary text in a bar.
	BarKey       lipgloss.Style // Key without room for a block, and the listener's light.
	BarKeyBlock  lipgloss.Style // Key as a block.
}

// New returns the theme for a mode. The renderer's profile decides the number of colours:
// with termenv.Ascii all styles are plain text. New does not query the terminal.
func New(renderer *lipgloss.Renderer, mode Mode) Theme {
	plain := renderer.NewStyle()
	s := stylesOf(plain.Bold(true), mode, renderer.ColorProfile() == termenv.ANSI)
	s.Text = plain
	s.Strong = plain.Bold(true)
	s.Cursor = plain.Reverse(true)
	s.Line, s.HeaderStrong = s.Accent.UnsetBold(), s.Header
	s.Muted = s.Muted.UnsetBold()
	s.Header = s.Header.UnsetBold()
	s.HeaderMuted = s.HeaderMuted.UnsetBold()
	return Theme{Styles: &s}
}

// Plain returns a theme without escape sequences, for pipes, logs and golden files.
func Plain() Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.Ascii)
	return New(renderer, Auto)
}

// Full returns a theme in true colour, regardless of the terminal, for pictures and golden
// files.
func Full(mode Mode) Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.TrueColor)
	return New(renderer, mode)
}

// Ground returns a text style in the background colour of a block style, for drawing with
// full block characters, which are visible even without colours.
func (t Theme) Ground(block lipgloss.Style) lipgloss.Style {
	ground := block.GetBackground()
	if block.GetReverse() {
		ground = block.GetForeground()
	}
	if _, none := ground.(lipgloss.NoColor); none {
		return t.Text
	}
	return t.Text.Foreground(ground)
}
