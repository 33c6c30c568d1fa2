package tui

import (
	"io"

	"checkout/till/tui/theme"
)

// Theme is how the screens look.
type Theme = theme.Theme

// ThemeFor returns the theme of a name for a terminal, which it asks nothing:
// getenv tells what it can show. A name that there is not means "auto".
func ThemeFor(terminal io.Writer, getenv func(string) string, name string) Theme {
	mode, err := theme.ParseMode(name)
	if err != nil {
		mode = theme.Auto
	}
	return theme.ForTerminal(terminal, getenv, mode)
}
