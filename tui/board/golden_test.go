package board_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/board"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func states() map[string]func(s *till) {
	return map[string]func(s *till){
		"empty":    func(s *till) { s.Enter() },
		"waiting":  func(s *till) { rush(s); s.Enter().Keys("3") },
		"outcomes": func(s *till) { outcomes(s); s.Enter().Keys("down") },
		"full":     func(s *till) { s.many(200).Enter().Keys("end", "pgup", "pgup") },
	}
}

// rush creates orders so that the countdowns have all the colours.
func rush(s *till) {
	s.Charge("S1")
	s.Advance(8 * time.Minute)
	s.Charge("S2", shoptest.Coca())
	s.Charge("S3", payments.Item{Label: strings.Repeat("Menaka ampalaza ", 5), UnitPrice: 99_999_999, Quantity: 3})
	s.Advance(45 * time.Second)
	s.Charge("S4", shoptest.Vary())
	s.Advance(50 * time.Second)
}

// outcomes creates orders with several verdicts.
func outcomes(s *till) {
	s.Charge("S1")
	late := s.Charge("S2", shoptest.Coca())
	s.Advance(10*time.Minute + 10*time.Second)
	s.Hear(shoptest.Event(late, payments.PaymentExpired, ""))
	s.Fail(s.Charge("S3"), "Solde insuffisant")
	s.Pay(s.Charge("S4", shoptest.Vary()))
	s.Fail(s.Pay(s.Charge("S5")), "")
	s.Reply(shoptest.Silence())
	s.Charge("S6")
	s.Reply(s.Accept)
	s.Charge("S7", shoptest.Coca())
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(states())), Beside: 3,
		Yields: []string{"board.jump"}, // The border has no room for all keys; the help at F1 lists them.
		Wide:   []string{"waiting"},
		Narrow: []string{"code.soon", "verdicts.expired", "verdicts.failed"}, // In larger windows, the orders are shown as cards with other texts.
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			s := dressed(t, language, styles)
			states()[state](s)
			return s.Driver
		},
	}.Test(t)
}

func TestTheBoardFitsEveryWindow(t *testing.T) {
	reached := tuitest.Forms{}
	for _, language := range tuitest.Languages() {
		for _, orders := range []int{0, 2, 4, 12} {
			s := &till{}
			s.Counter = shoptest.Open(t)
			screen := board.New(live.Console{Theme: theme.Plain(), Texts: i18n.Load(language), Zone: shoptest.Zone()}, nil)
			screen.Last = func(width, height int) string {
				return pane.Pane{Title: "LAST"}.Draw(theme.Plain(), width, height)
			}
			s.Put(s, screen, 80, 22).many(orders).Enter().Look()
			draw := func(width, height int) string {
				s.Resize(width, height).Fits()
				if height >= 20 && orders <= 4 {
					s.Sees("LAST")
				}
				return s.View()
			}
			tuitest.Windows(t, []int{20, 40, 60, 80, 99, 100, 120, 160, 200}, draw, func(view string) []string {
				cards := strings.Contains(view, "┏━ 1 ")
				small := cards && strings.Contains(view, "┃  2 000 Ar")
				reached[fmt.Sprintf("cards %t, small %t, last %t", cards, small, strings.Contains(view, "LAST"))] = true
				parts := tuitest.Among(view, "LAST")
				for n := range strings.Count(view, "2 000 Ar") + strings.Count(view, "█▄▄█ Ar") {
					parts = append(parts, fmt.Sprint("order ", n))
				}
				return parts
			})
		}
	}
	reached.Want(t, "cards true, small false, last true", "cards true, small true, last true", "cards false, small false, last true", "cards false, small false, last false")
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
