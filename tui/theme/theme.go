// Package theme holds every colour, style and glyph of the program, named by
// what they mean and not by how they look.
//
// It guarantees that each style is readable on dark and on light backgrounds
// without asking the terminal which of the two it has: a terminal that does
// not answer such a question would cost seconds. In [Auto] the colours are of
// the fixed part of the 256-colour palette, which no colour scheme changes.
//
// Paid and PaidBlock are the only green: nothing but a paid sale looks like one.
//
// No style is the only carrier of a meaning. With a renderer that knows no
// colours every style is plain text, so a selected row needs a mark as well.
package theme

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Theme is what the screens draw with. It is a value: copies are cheap, and
// share styles that nobody changes. One without styles draws nothing: New, Plain
// and Full make them.
type Theme struct {
	*Styles
	// Charset is what the terminal can draw; see [Theme.Encode].
	Charset Charset
	// Colours is how many the terminal has, be they used or not; 0 where nobody knows.
	Colours int64
}

// Style is one of the styles, for who is handed one.
type Style = lipgloss.Style

// Styles is the set of styles of a theme. It has some thousands of bytes, and
// every screen and its parts hold a theme.
type Styles struct {
	Text     lipgloss.Style // The terminal's own.
	Strong   lipgloss.Style // What the eye finds first: titles, amounts, what is typed.
	Muted    lipgloss.Style // What may be overlooked: heads, units, times, borders. Instructions never are.
	Accent   lipgloss.Style // The name of a key, or what is chosen.
	Line     lipgloss.Style // Accent without being a word: bars, and the border of the pane that has the keys.
	Selected lipgloss.Style // The row under the cursor, and a count.
	Cursor   lipgloss.Style // The cell in which the next letter comes.

	// Words in the colour of an outcome, without a ground; a sign stands before each.

	Paid    lipgloss.Style // The only green.
	Danger  lipgloss.Style // Nothing was paid, or an error.
	Warning lipgloss.Style // A person must look, or time runs out.
	Unknown lipgloss.Style // Nobody knows.

	// The same on a ground of their own.

	PaidBlock    lipgloss.Style // The only green ground.
	DangerBlock  lipgloss.Style // Also: payments are not received.
	WarningBlock lipgloss.Style
	UnknownBlock lipgloss.Style
	DemoBlock    lipgloss.Style // No money moves.

	// The header and the bar of keys.

	Header       lipgloss.Style // The ground of a bar, and its text.
	HeaderStrong lipgloss.Style // A name in a bar.
	HeaderMuted  lipgloss.Style // Second text in a bar.
	BarKey       lipgloss.Style // A key where there is no room for a block, and the light of the listener.
	BarKeyBlock  lipgloss.Style // A key as a block.
}

// New builds the theme for mode out of renderer, which decides how many
// colours are written: with the profile termenv.Ascii all styles are plain.
// It never asks the terminal anything.
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

// Plain is a theme without any escape sequence, for pipes, logs and golden
// files.
func Plain() Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.Ascii)
	return New(renderer, Auto)
}

// Full is a theme with all colours of mode, whatever the terminal can show, for
// pictures and golden files.
func Full(mode Mode) Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(termenv.TrueColor)
	return New(renderer, mode)
}

// Ground returns the ground of a block as a style of text, for what is drawn of
// full blocks: those stay visible where there are no colours.
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
