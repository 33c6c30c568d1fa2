package today_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// states are the ways in which the screen can stand, and how it comes to that.
func states() map[string]func(s *till) {
	return map[string]func(s *till){
		"empty":  func(s *till) { s.Enter() },
		"busy":   func(s *till) { trade(s); s.Enter() },
		"former": func(s *till) { trade(s); s.Advance(24 * time.Hour); s.Enter().Keys("left") },
	}
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(states())), Beside: 2,
		Data: []string{"Solde insuffisant"},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			s := dressed(t, language, styles)
			states()[state](s)
			return s.Driver
		},
	}.Test(t)
}
