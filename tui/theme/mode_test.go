package theme_test

import "checkout/till/tui/theme"

// modes returns all modes.
func modes() []theme.Mode { return []theme.Mode{theme.Auto, theme.Dark, theme.Light, theme.Contrast} }
