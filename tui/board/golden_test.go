package board_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// states returns, by name, functions that bring the board into a state.
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

func TestTheScreenFitsAnyWindow(t *testing.T) {
	for _, state := range slices.Sorted(maps.Keys(states())) {
		t.Run(state, func(t *testing.T) {
			s := open(t)
			states()[state](s)
			for width := 1; width < 130; width += 9 {
				for height := range 14 {
					s.Resize(width, height+1).Fits()
				}
			}
		})
	}
}
