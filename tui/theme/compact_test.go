package theme_test

import (
	"testing"

	"checkout/till/tui/theme"
)

func TestCompactKeepsWhatATerminalShows(t *testing.T) {
	for view, want := range map[string]string{
		"plain\ntext":                           "plain\ntext",
		"\x1b[1;32ma\x1b[0m\x1b[1;32mb\x1b[0m":  "\x1b[1;32mab\x1b[0m",
		"\x1b[31m\x1b[0m\x1b[32ma\x1b[0m":       "\x1b[32ma\x1b[0m",
		"\x1b[31ma\nb\x1b[0m":                   "\x1b[31ma\x1b[0m\n\x1b[31mb\x1b[0m",
		"\x1b[32ma\x1b[m\x1b[1mb\x1b[m":         "\x1b[32ma\x1b[0m\x1b[1mb\x1b[0m",
		"a\x1b[32mb\x1b[1mc\x1b[0md":            "a\x1b[32mb\x1b[1mc\x1b[0md",
		"\x1b[32ma\x1b[0m\x1b[31mb":             "\x1b[32ma\x1b[0m\x1b[31mb\x1b[0m",
		"\x1b[7m \x1b[27mä\x1b[0m":              "\x1b[7m \x1b[27mä\x1b[0m",
		"\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\": "\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\",
	} {
		if got := theme.Compact(view); got != want {
			t.Errorf("%q: got %q, want %q", view, got, want)
		}
	}
}
