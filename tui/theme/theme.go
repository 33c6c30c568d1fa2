// Package theme contains all colours and styles of the program, named by their meaning.
// [Theme.Encode] replaces the characters that the terminal cannot draw.
//
// Each style of the mode [Auto] is readable on dark and light backgrounds. If the terminal reports
// its background, [Theme.Adapt] changes to [Dark] or [Light], which have more contrast.
//
// Only Paid and PaidBlock are green, so only a paid sale looks paid. A style must not be the only
// sign of a meaning, because some terminals show all styles as plain text.
package theme

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Theme contains the styles for drawing screens. The zero value cannot draw. Copies share the
// styles.
type Theme struct {
	*Styles
	mode     Mode
	renderer *lipgloss.Renderer
	Charset  Charset
	Colours  int64 // Number of colours of the terminal; 0 if it has none, or the number is unknown.
}

// Style is how a text is drawn.
type Style = lipgloss.Style

// Styles contains a style for each meaning.
type Styles struct {
	Text     lipgloss.Style // Normal text, in the terminal's colours.
	Strong   lipgloss.Style // Titles, amounts, input.
	Muted    lipgloss.Style // Secondary text, such as hints.
	Rule     lipgloss.Style // Borders, and unimportant text such as a total of 0.
	Accent   lipgloss.Style // Name of a key, or the current choice.
	Line     lipgloss.Style // Border of the focused pane: Accent, but not bold.
	Selected lipgloss.Style // A chosen row or word.
	Field    lipgloss.Style // A text input. Without colours it is underlined.
	Cursor   lipgloss.Style

	Flow       lipgloss.Style // Bars and spinners for waiting, time and takings. Shorter bars in a chart have FlowMiddle and FlowLow.
	FlowMiddle lipgloss.Style
	FlowLow    lipgloss.Style

	// Styles for the word of an outcome, such as PAID.

	Paid    lipgloss.Style
	Danger  lipgloss.Style // Not paid, or an error.
	Warning lipgloss.Style // A person must check, or time is running out.
	Unknown lipgloss.Style
	Demo    lipgloss.Style // Key that acts as the demo's customer.

	// Styles for text on a background colour.

	PaidBlock    lipgloss.Style
	DangerBlock  lipgloss.Style // Not paid, or an error.
	WarningBlock lipgloss.Style
	UnknownBlock lipgloss.Style
	FlowBlock    lipgloss.Style // An order waits for its payment, or a person has recorded its outcome.
	DemoBlock    lipgloss.Style // Warning that no money moves, or a key of the demo's customer.

	// The header and the key bar.

	Header       lipgloss.Style // Background and normal text of a bar.
	HeaderStrong lipgloss.Style // Important text in a bar.
	HeaderMuted  lipgloss.Style // Secondary text in a bar.
	HeaderFlow   lipgloss.Style // Sign that the listener works.
	HeaderAbsent lipgloss.Style // Key without an effect now.
	BarKeyBlock  lipgloss.Style // Name of a key, or of the program.

	Paper lipgloss.Style // A receipt or an account, drawn like paper.
}

// New returns the theme for a mode. With the renderer's profile termenv.Ascii, all styles are plain
// text. New does not query the terminal.
func New(renderer *lipgloss.Renderer, mode Mode) Theme {
	plain := renderer.NewStyle()
	s := stylesOf(plain.Bold(true), mode, renderer.ColorProfile())
	s.Text = plain
	s.Strong = plain.Bold(true)
	s.Cursor = plain.Reverse(true)
	s.Line, s.HeaderStrong = s.Accent.UnsetBold(), s.Header
	s.Field = s.Header
	if _, none := s.Field.GetBackground().(lipgloss.NoColor); none {
		s.Field = s.Field.Underline(true)
	}
	for _, style := range []*Style{&s.Muted, &s.Rule, &s.Flow, &s.FlowMiddle, &s.FlowLow, &s.Header, &s.HeaderMuted, &s.HeaderAbsent, &s.Paper} {
		*style = style.UnsetBold()
	}
	return Theme{Styles: &s, mode: mode, renderer: renderer}
}

// Adapts reports whether the colours should depend on the terminal's background.
func (t Theme) Adapts() bool {
	fixed := t.mode == Dark || t.mode == Light || t.mode == Contrast
	return !fixed && t.Colours > 0
}

// Adapt changes t and all its copies to the colours for the terminal's background, if
// [Theme.Adapts] returns true. background and text are luminances, from 0 (black) to 1 (white);
// text is nil if unknown. Text with too little contrast gets a colour. Do not call Adapt while
// another goroutine draws.
func (t Theme) Adapt(background float64, text *float64) {
	if !t.Adapts() {
		return
	}
	mode, readable := Light, darkGrey
	if background < middleGround {
		mode, readable = Dark, lightGrey
	}
	*t.Styles = *New(t.renderer, mode).Styles
	if mode == Light && background < whiteGround {
		t.Paper = t.Paper.Background(white) // White paper is visible on a darker background.
	}
	if text == nil {
		return
	}
	const glare = 0.05 // Part of WCAG's definition of contrast.
	if contrast := (max(background, *text) + glare) / (min(background, *text) + glare); contrast < 7 {
		t.Text = t.Text.Foreground(readable)
	}
}

// ColourText gives all uncoloured text of a finished view the colour of the style Text.
func (t Theme) ColourText(view string) string {
	colour, _, _ := strings.Cut(t.Text.Render("x"), "x")
	if colour == "" {
		return view
	}
	return colour + strings.NewReplacer(reset, reset+colour, "\n", reset+"\n"+colour).Replace(view) + reset
}

// Plain returns a theme without escape sequences, for pipes, logs and golden files.
func Plain() Theme { return profiled(termenv.Ascii, Auto) }

// Full returns a theme in true colour, for pictures and golden files.
func Full(mode Mode) Theme { return profiled(termenv.TrueColor, mode) }

func profiled(profile termenv.Profile, mode Mode) Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(profile)
	return New(renderer, mode)
}

// Ground returns a style whose text has the background colour of block.
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
