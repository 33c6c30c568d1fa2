package theme

import (
	"io"
	"runtime"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// ForTerminal returns the theme for the terminal out, by the environment variables that getenv
// returns. It sends no queries to the terminal.
//   - TERM, COLORTERM and the other variables that termenv reads, such as CLICOLOR_FORCE, determine
//     the number of colours.
//   - A NO_COLOR that is not empty changes mode to [Contrast], which still has bold, reverse and
//     underlined text.
//   - If out is not a terminal, the theme is plain text, unless CLICOLOR_FORCE is set.
//   - LC_ALL, LC_CTYPE, LANG and TERM determine the character set; see [Charset]. In screen or tmux,
//     XDG_VTNR and the variables of a display count, too. On the Linux console, the font determines
//     whether half blocks can be drawn. On Windows, the character set is [Unicode].
func ForTerminal(out io.Writer, getenv func(string) string, mode Mode) Theme {
	renderer := lipgloss.NewRenderer(out, termenv.WithEnvironment(environment(getenv)))
	// Without this, the renderer would ask the terminal.
	renderer.SetHasDarkBackground(true)
	switch {
	case getenv(noColor) != "":
		mode = Contrast
	case mode == Auto && getenv("TERM") == "linux":
		mode = Dark // The Linux console has a black background but does not report it.
	}
	theme := New(renderer, mode)
	theme.Charset = charset(getenv, runtime.GOOS == "windows")
	if theme.Charset == Lines && hasHalfBlocks(out) {
		theme.Charset = Console
	}
	theme.Colours = map[termenv.Profile]int64{termenv.ANSI: 16, termenv.ANSI256: 256, termenv.TrueColor: 1 << 24}[renderer.ColorProfile()]
	return theme
}

// noColor forbids colours but not bold text: see https://no-color.org. termenv would drop both.
const noColor = "NO_COLOR"

// environment is a termenv.Environ without NO_COLOR.
type environment func(string) string

func (e environment) Environ() []string { return nil }

func (e environment) Getenv(key string) string {
	if key == noColor {
		return ""
	}
	return e(key)
}
