package tui_test

import (
	"bytes"
	"testing"

	"checkout/till/tui"
)

func TestATerminalThatIsNoneIsGivenPlainText(t *testing.T) {
	nothing := func(string) string { return "" }
	for _, name := range []string{"", "dark", "light", "contrast", "no such theme"} {
		styled := tui.ThemeFor(new(bytes.Buffer), nothing, name)
		if got := styled.Danger.Render("x"); got != "x" {
			t.Errorf("%q draws %q", name, got)
		}
	}
}
