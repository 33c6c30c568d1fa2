// Package theme holds every colour and style of the program, named by what
// they mean and not by how they look.
//
// It guarantees that each style is readable on dark and on light backgrounds
// without asking the terminal which of the two it has: a terminal that does
// not answer such a question would cost seconds. Words in the text colour use
// only the ANSI colours that contrast with both. What must stand out is a
// block whose background is an ANSI colour and whose text is black or white of
// the fixed part of the 256-colour palette, because schemes exist that swap
// ANSI black and white.
//
// Success is the only green: nothing but a paid sale looks like one.
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
}

// Styles is the set of styles of a theme. It has some thousands of bytes, and
// every screen and its parts hold a theme.
type Styles struct {
	// Title heads a screen or a part of it.
	Title lipgloss.Style
	// Strong is what the eye shall find first in running text.
	Strong lipgloss.Style
	// Subdued is what may be overlooked: hints, units, times.
	Subdued lipgloss.Style
	// Accent marks what can be acted on, such as a link or a live value.
	Accent lipgloss.Style
	// Key is the name of a key in the help.
	Key lipgloss.Style
	// Danger is the text of an error, or a countdown's last minute.
	Danger lipgloss.Style
	// Blocks are what must stand out.
	Blocks
	// Selected is the row under the cursor.
	Selected lipgloss.Style
	// Border frames a dialog; it adds one row above and below, and two columns
	// left and right.
	Border lipgloss.Style
	// BigTotal is the amount that the customer has to pay.
	BigTotal lipgloss.Style
	// Input dresses the entry line.
	Input Input
}

// Blocks is the set of styles that put text on a ground of its own.
type Blocks struct {
	// Alarm says: a person must look at this now.
	Alarm lipgloss.Style
	// Warning says: check this before going on.
	Warning lipgloss.Style
	// Success is the only green: the sale is paid.
	Success lipgloss.Style
	// Banner is the strip that says "demo" on every screen.
	Banner lipgloss.Style
}

// Input is the set of styles of an entry line.
type Input struct {
	// Prompt stands before the text.
	Prompt lipgloss.Style
	// Text is what was typed.
	Text lipgloss.Style
	// Placeholder stands in an empty line.
	Placeholder lipgloss.Style
	// Cursor is the cell under the cursor.
	Cursor lipgloss.Style
}

// New builds the theme for mode out of renderer, which decides how many
// colours are written: with the profile termenv.Ascii all styles are plain.
// It never asks the terminal anything.
func New(renderer *lipgloss.Renderer, mode Mode) Theme {
	p := paletteOf(mode)
	plain := renderer.NewStyle()
	bold := plain.Bold(true)
	subdued := plain.Faint(p.faint)
	accent := p.accent.on(bold)
	return Theme{Styles: &Styles{
		Title:   bold.Underline(p.underline),
		Strong:  bold,
		Subdued: subdued,
		Accent:  accent,
		Key:     accent,
		Danger:  p.danger.on(bold),
		Blocks: Blocks{
			Alarm:   p.alarm.on(bold),
			Warning: p.warning.on(bold),
			Success: p.success.on(bold),
			Banner:  p.banner.on(bold),
		},
		Selected: bold.Reverse(true),
		Border:   plain.Border(lipgloss.RoundedBorder()).Padding(0, 1),
		BigTotal: bold,
		Input: Input{
			Prompt:      accent,
			Text:        plain,
			Placeholder: subdued,
			Cursor:      plain.Reverse(true),
		},
	}}
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
