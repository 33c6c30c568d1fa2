package orders_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// TestTheDetailsFitEveryWindow checks all forms of the details: no row is too wide, and a higher
// window shows all the parts that a lower window shows.
func TestTheDetailsFitEveryWindow(t *testing.T) {
	reached := make(map[string]bool)
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		s := dressed(t, language, theme.Plain())
		s.Pay(s.Charge("S1"))
		s.Enter().Keys("enter")
		draw := func(width, height int) string { return s.Resize(width, height).Fits().View() }
		tuitest.Windows(t, []int{20, 40, 60, 80, 120, 200}, draw, func(view string) []string {
			large, small := strings.Contains(view, "▀████▀ Ar"), strings.Contains(view, "█▄▄█ Ar")
			reached[fmt.Sprintf("large %t, small %t", large, small)] = true
			return tuitest.Among(view, texts.Detail.Lines, texts.Detail.Events, texts.Detail.Expires, "▀████▀ Ar")
		})
	}
	for _, form := range []string{"large true, small false", "large false, small true", "large false, small false"} {
		if !reached[form] {
			t.Errorf("no window has the form: %s", form)
		}
	}
}
