package theme

import (
	"io"
	"runtime"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// ForTerminal builds the theme for the terminal out from the environment alone,
// which getenv reads: TERM and COLORTERM say how many colours there are, and a
// NO_COLOR that is not empty turns mode into Contrast, so that bold, reverse
// and underlined text stay. What is not a terminal gets plain text. LC_ALL,
// LC_CTYPE, LANG and TERM say what it can draw, and Linux what its console's font has.
func ForTerminal(out io.Writer, getenv func(string) string, mode Mode) Theme {
	renderer := lipgloss.NewRenderer(out, termenv.WithEnvironment(environment(getenv)))
	// Stated so that no style can make the renderer ask the terminal.
	renderer.SetHasDarkBackground(true)
	if getenv(noColor) != "" {
		mode = Contrast
	}
	theme := New(renderer, mode)
	theme.Charset = charset(getenv, runtime.GOOS == "windows")
	if theme.Charset == Lines && hasHalfBlocks(out) {
		theme.Charset = Console
	}
	theme.Colours = map[termenv.Profile]int64{termenv.ANSI: 16, termenv.ANSI256: 256, termenv.TrueColor: 1 << 24}[renderer.ColorProfile()]
	return theme
}

// noColor is the variable of https://no-color.org. It forbids colours, not
// bold text; termenv would drop both, so environment hides it.
const noColor = "NO_COLOR"

// environment lets termenv read the variables through a function.
type environment func(string) string

// Environ is part of termenv.Environ and has nothing to list.
func (e environment) Environ() []string { return nil }

// Getenv is part of termenv.Environ.
func (e environment) Getenv(key string) string {
	if key == noColor {
		return ""
	}
	return e(key)
}
