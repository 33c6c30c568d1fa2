package board_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/board"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/shoptest"
)

// till is the board under test, with a shop that the test controls.
type till struct {
	shoptest.Rig[board.Model, *till]
}

// open starts the board in English. It has the size that it has in a terminal of 80×24.
func open(t *testing.T) *till { return dressed(t, "en", theme.Plain()) }

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	s := &till{}
	s.Counter = shoptest.Open(t)
	return s.Put(s, board.New(live.Console{Theme: styles, Texts: i18n.Load(language), Zone: shoptest.Zone()}, nil), 80, 21).Look()
}

// under returns the text of the row that the cursor is on.
func (s *till) under() string {
	_, row, _ := strings.Cut(s.View(), "›")
	row, _, _ = strings.Cut(row, "\n")
	return strings.TrimSpace(row)
}

func (s *till) number() string {
	number, _, _ := strings.Cut(s.under(), " ")
	return number
}

// many creates count orders at intervals of a second.
func (s *till) many(count int) *till {
	for range count {
		s.Charge("", shoptest.Coca())
		s.Advance(time.Second)
	}
	return s
}
