package theme_test

import (
	"bytes"
	"strings"
	"testing"

	"checkout/till/tui/theme"
)

// from returns a function that looks up variables. The variables are given as in "TERM=dumb".
func from(pairs ...string) func(string) string {
	return func(key string) string {
		for _, pair := range pairs {
			if name, value, _ := strings.Cut(pair, "="); name == key {
				return value
			}
		}
		return ""
	}
}

func TestAnOutputThatIsNotATerminalGetsPlainText(t *testing.T) {
	var out bytes.Buffer
	th := theme.ForTerminal(&out, from("TERM=xterm-256color", "COLORTERM=truecolor"), theme.Dark)
	if got := th.PaidBlock.Render("PAID"); got != "PAID" {
		t.Errorf("a pipe gets %q", got)
	}
	if out.Len() != 0 {
		t.Errorf("building a theme wrote %q", out.String())
	}
}
