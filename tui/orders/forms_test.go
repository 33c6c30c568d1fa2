package orders_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// TestTheDetailsFitEveryWindow checks all forms of the details: no row is too wide, and a higher window shows all
// parts of a lower one.
func TestTheDetailsFitEveryWindow(t *testing.T) {
	reached := make(map[string]bool)
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		s := dressed(t, language, theme.Plain())
		s.Pay(s.Charge("S1"))
		s.Enter().Keys("enter")
		for i, width := range []int{20, 40, 60, 80, 120, 200} {
			before := ""
			for height := 6 + i%2; height <= 60; height += 2 {
				view := s.Resize(width, height).Fits().View()
				shown := ""
				for _, part := range []string{texts.Detail.Lines, texts.Detail.Events, texts.Detail.Expires, "█▄▄█ Ar", "▀████▀ Ar"} {
					if strings.Contains(view, part) {
						shown += part + "\n"
					}
				}
				for part := range strings.Lines(strings.ReplaceAll(before, "█▄▄█ Ar\n", "")) {
					if !strings.Contains(shown, part) {
						t.Errorf("%s: %d×%d hides %q, which a lower window shows\n%s", language, width, height, part, view)
					}
				}
				before = shown
				large, small := strings.Contains(view, "▀████▀ Ar"), strings.Contains(view, "█▄▄█ Ar")
				reached[fmt.Sprintf("large %t, small %t", large, small)] = true
			}
		}
	}
	for _, form := range []string{"large true, small false", "large false, small true", "large false, small false"} {
		if !reached[form] {
			t.Errorf("no window has the form: %s", form)
		}
	}
}
