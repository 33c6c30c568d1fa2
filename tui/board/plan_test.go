package board_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/board"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// TestTheBoardFitsEveryWindow checks all forms of the board: no row is too wide, and a higher
// window shows all the parts that a lower window shows.
func TestTheBoardFitsEveryWindow(t *testing.T) {
	reached := make(map[string]bool)
	for _, language := range tuitest.Languages() {
		for _, orders := range []int{0, 2, 4, 12} {
			s := &till{}
			s.Counter = shoptest.Open(t)
			screen := board.New(live.Console{Theme: theme.Plain(), Texts: i18n.Load(language), Zone: shoptest.Zone()}, nil)
			screen.Last = func(width, height int) string {
				return pane.Pane{Title: "LAST"}.Draw(theme.Plain(), width, height)
			}
			s.Put(s, screen, 80, 22).many(orders).Enter().Look()
			for i, width := range []int{20, 40, 60, 80, 99, 100, 120, 160, 200} {
				last, most := false, 0
				for _, height := range tuitest.Heights(i) {
					view := s.Resize(width, height).Fits().View()
					cards := strings.Contains(view, "┏━ 1 ")
					small := cards && strings.Contains(view, "┃  2 000 Ar")
					if last && !strings.Contains(view, "LAST") {
						t.Errorf("%s, %d orders: %d×%d hides the last outcomes, which a lower window shows\n%s", language, orders, width, height, view)
					}
					last = strings.Contains(view, "LAST")
					shown := strings.Count(view, "2 000 Ar") + strings.Count(view, "█▄▄█ Ar")
					if shown < most {
						t.Errorf("%s, %d orders: %d×%d shows %d orders, a lower window %d\n%s", language, orders, width, height, shown, most, view)
					}
					most = shown
					reached[fmt.Sprintf("cards %t, small %t, last %t", cards, small, last)] = true
					if height >= 20 && orders <= 4 && !last {
						t.Errorf("%s, %d orders: %d×%d lacks the last outcomes\n%s", language, orders, width, height, view)
					}
				}
			}
		}
	}
	for _, form := range []string{"cards true, small false, last true", "cards true, small true, last true", "cards false, small false, last true", "cards false, small false, last false"} {
		if !reached[form] {
			t.Errorf("no window has the form: %s", form)
		}
	}
}

func TestTheStripFitsEveryWidth(t *testing.T) {
	for _, language := range tuitest.Languages() {
		s := dressed(t, language, theme.Plain()).many(4).Look()
		times, before := 0, ""
		for width := 20; width <= 200; width++ {
			strip := s.Harness().Screen.Strip(width)
			if theme.Width(strip) >= width {
				t.Errorf("%s: %d columns: %q is too wide", language, width, strip)
			}
			shown := strings.Count(strip, "Ar")
			if shown < times {
				t.Errorf("%s: %d columns show %d orders, fewer columns %d: %q, %q", language, width, shown, times, strip, before)
			}
			times = shown
			before = strip
		}
		if times != 4 || strings.Count(before, "━") < 20 {
			t.Errorf("%s: the widest strip is %q", language, before)
		}
	}
}
