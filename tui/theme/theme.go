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
	// Charset is what the terminal can draw; see [Theme.Encode] and [Theme.Glyphs].
	Charset Charset
	// Colours is how many the terminal has, be they used or not; 0 where nobody knows.
	Colours int64
}

// Style is one of the styles, for who is handed one.
type Style = lipgloss.Style

// NoColors is the profile of a part of bubbles that shall leave the colours to
// the theme.
const NoColors = termenv.Ascii

// Styles is the set of styles of a theme. It has some thousands of bytes, and
// every screen and its parts hold a theme.
type Styles struct {
	// Text is the terminal's own.
	Text lipgloss.Style
	// Strong is what the eye finds first: titles, amounts.
	Strong lipgloss.Style
	// Muted is what may be overlooked: heads of tables, units, times, borders.
	// Instructions are never muted.
	Muted lipgloss.Style
	// Accent is the name of a key, or what is chosen.
	Accent lipgloss.Style
	// Line is what is accent without being a word: bars, and the border of the
	// pane that has the keys.
	Line lipgloss.Style
	// Code is the square that phones read: black on white in every theme.
	Code lipgloss.Style
	// Selected is the row under the cursor, and a count.
	Selected lipgloss.Style
	// Outcomes are words in the colour of an outcome.
	Outcomes
	// Blocks are what must stand out.
	Blocks
	// Bars are the header and the bar of keys.
	Bars
	// Input dresses the entry line.
	Input Input
}

// Outcomes is the set of styles of words without a ground; a sign stands before
// each.
type Outcomes struct {
	// Paid is the only green.
	Paid lipgloss.Style
	// Danger says that nothing was paid, or an error.
	Danger lipgloss.Style
	// Warning says that a person must look, or that time runs out.
	Warning lipgloss.Style
	// Unknown says that nobody knows.
	Unknown lipgloss.Style
}

// Blocks is the set of styles that put text on a ground of its own.
type Blocks struct {
	// PaidBlock is the only green ground: the sale is paid.
	PaidBlock lipgloss.Style
	// DangerBlock says: not paid, or payments are not received.
	DangerBlock lipgloss.Style
	// WarningBlock says: check this before going on.
	WarningBlock lipgloss.Style
	// UnknownBlock says: nobody knows.
	UnknownBlock lipgloss.Style
	// DemoBlock says that no money moves.
	DemoBlock lipgloss.Style
}

// Bars is the set of styles of the header and of the bar of keys.
type Bars struct {
	// Header is the ground of a bar, and its text.
	Header lipgloss.Style
	// HeaderStrong is a name in a bar.
	HeaderStrong lipgloss.Style
	// HeaderMuted is second text in a bar.
	HeaderMuted lipgloss.Style
	// BarKey is the name of a key in a bar where there is no room for a block, and
	// the light of the listener.
	BarKey lipgloss.Style
	// BarKeyBlock is the name of a key, as a block.
	BarKeyBlock lipgloss.Style
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
	p := paletteOf(mode, renderer.ColorProfile() == termenv.ANSI)
	plain := renderer.NewStyle()
	bold := plain.Bold(true)
	muted, bar := p.muted.on(plain), p.bar.on(plain)
	return Theme{Styles: &Styles{
		Text:     plain,
		Strong:   bold,
		Muted:    muted,
		Accent:   p.accent.on(bold),
		Line:     p.accent.on(plain),
		Code:     plain.Foreground(black).Background(white),
		Selected: p.selected.on(bold),
		Outcomes: Outcomes{
			Paid:    p.paid.on(bold),
			Danger:  p.danger.on(bold),
			Warning: p.warning.on(bold),
			Unknown: p.unknown.on(bold),
		},
		Blocks: Blocks{
			PaidBlock:    p.paidBlock.on(bold),
			DangerBlock:  p.dangerBlock.on(bold),
			WarningBlock: p.warningBlock.on(bold),
			UnknownBlock: p.unknownBlock.on(bold),
			DemoBlock:    p.demo.on(bold),
		},
		Bars: Bars{
			Header:       bar,
			HeaderStrong: bar.Bold(true),
			HeaderMuted:  p.barMuted.on(plain),
			BarKey:       p.barKey.on(bold),
			BarKeyBlock:  p.barBlock.on(bold),
		},
		Input: Input{
			Prompt:      p.accent.on(bold),
			Text:        bold,
			Placeholder: muted,
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
