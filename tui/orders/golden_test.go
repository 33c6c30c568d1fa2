package orders_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func states() map[string]func(s *till) {
	return map[string]func(s *till){
		"empty": func(s *till) { s.Enter() },
		"check": func(s *till) {
			history(s)
			s.Advance(13 * time.Minute)
			s.Look().Enter().Keys("down")
		},
		"none-to-check": func(s *till) { s.Enter().Keys("tab") },
		"history":       func(s *till) { history(s); s.Enter().Keys("tab", "down", "down") },
		"search":        func(s *till) { history(s); s.Enter().Keys("/") },
		"search-found":  func(s *till) { history(s); s.Enter().seek("menaka") },
		"search-list":   func(s *till) { history(s); s.Enter().seek("vary").Keys("enter", "down") },
		"search-none":   func(s *till) { history(s); s.Enter().seek("12/09/2025") },
		"search-fault":  func(s *till) { history(s); s.Enter(); s.Break(); s.seek("vary") },
		"detail": func(s *till) {
			order := s.Charge("S1")
			for range 3 {
				s.Fail(order, "Solde insuffisant")
			}
			s.Pay(order)
			s.Enter().Keys("enter")
		},
		"detail-check": func(s *till) { s.Fail(s.Pay(s.Charge("S1")), "Remboursé"); s.Enter().Keys("enter") },
		"detail-long": func(s *till) {
			s.Fail(s.Charge("S1", slices.Repeat([]payments.Item{shoptest.Vary()}, 40)...), "")
			s.Enter().Keys("enter", "down", "down")
		},
		"asking-paid":    func(s *till) { s.Fail(s.Charge("S1"), ""); s.Enter().Keys("enter", "y") },
		"asking-unpaid":  func(s *till) { s.Fail(s.Charge("S1"), ""); s.Enter().Keys("enter", "u") },
		"reason-asked":   func(s *till) { s.Pay(s.Charge("S1")); s.Enter().Keys("enter", "b", "2").Type("cassé") },
		"refunded":       func(s *till) { s.refund(); s.Look() },
		"regain-asked":   func(s *till) { s.paid().Keys("u").Type("why"); s.Keys("enter", "y") },
		"code-offered":   func(s *till) { s.Fail(s.Charge("S1"), "Solde insuffisant"); s.Enter().Keys("enter") },
		"found":          func(s *till) { s.Fail(s.Charge("S1"), ""); s.Enter().Keys("enter", "y", "enter") },
		"identity":       func(s *till) { s.hire().failed().Keys("y", "enter", "down").digits("7391") },
		"identity-wrong": func(s *till) { s.hire().failed().Keys("y", "enter").digits("1111").Keys("enter") },
		"proposal":       func(s *till) { s.orphan(s.lose(), "REF_700900"); s.Enter().Keys("enter") },
		"matching":       func(s *till) { s.orphan(s.lose(), "REF_700900"); s.Enter().Keys("enter", "m") },
		"orphan":         func(s *till) { s.paidElsewhere("REF_800001", 4000).Enter() },
		"orphan-asked":   func(s *till) { history(s); s.paidElsewhere("REF_800001", 4000).Enter().Keys("s") },
		"cash-sale":      func(s *till) { s.cash("S1", 12_500, 20_000); s.Enter().Keys("tab", "enter") },
		"fault":          func(s *till) { s.Pay(s.Charge("S1")); s.Enter(); s.Break(); s.Keys("enter").Look() },
	}
}

// history creates an order for every outcome.
func history(s *till) {
	for _, kind := range payments.EventKinds() {
		s.Hear(shoptest.Event(s.Charge("S1"), kind, ""))
		s.Advance(time.Minute)
	}
	s.Fail(s.Pay(s.Charge("S2")), "")
	s.lose()
	s.Reply(shoptest.Refuse("non"))
	s.Charge("S4")
	s.Reply(shoptest.Unreachable())
	s.Charge("S5")
	s.Reply(s.Accept)
	s.Charge("S6", payments.Item{Label: strings.Repeat("Menaka ampalaza ", 5), UnitPrice: 99_999_999, Quantity: 3})
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(states())), Beside: 3,
		Wide: []string{"detail", "history"},
		// In a wide window, the order's details contain the first text, and their border has no room for
		// the second. The third text occurs only in a list without the details next to it.
		Narrow: []string{"attention.unknown_outcome", "cash.key_refund", "orders.open_first"},
		Yields: []string{"detail.code"}, // The border has no room for all keys; the help at F1 lists them.
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			s := dressed(t, language, styles)
			states()[state](s)
			return s.Driver
		},
	}.Test(t)
}

func TestTheDetailsFitEveryWindow(t *testing.T) {
	reached := tuitest.Forms{}
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
	reached.Want(t, "large true, small false", "large false, small true", "large false, small false")
}
