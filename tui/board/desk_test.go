package board_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/storage"
	"checkout/till/tui/board"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// till is the board with a cashier in front of it, and the counter around it.
type till struct {
	*tuitest.Driver
	*counter.Counter
	t *testing.T
}

// open puts the board up in English, in the room it has in an old terminal.
func open(t *testing.T) *till { return speaking(t, "en") }

func speaking(t *testing.T, language string) *till { return dressed(t, language, theme.Plain()) }

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	store, err := storage.Open(t.Context(), filepath.Join(t.TempDir(), "till.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &till{t: t, Counter: counter.New(t, store)}
	screen := board.New(board.Config{Now: s.Now, Theme: styles, Texts: counter.Texts(t, language)})
	s.Driver = tuitest.Drive(t, counter.Stand(screen), 80, 21)
	return s.look()
}

// look shows the board the moment, as the console does after every change.
func (s *till) look() *till {
	s.t.Helper()
	state := live.State{Now: s.Now(), Changed: true}
	var err error
	if state.Open, err = live.Read(s.t.Context(), s, counter.Till); err != nil {
		s.t.Fatal(err)
	}
	s.Send(state)
	return s
}

// enter shows the board anew.
func (s *till) enter() *till {
	s.look()
	s.Send(live.Entered{})
	return s
}

// press presses keys and returns the till, to be chained.
func (s *till) press(keys ...string) *till {
	s.t.Helper()
	s.Press(keys...)
	return s
}

// Advance lets time go by at the counter; the driver has no clock.
func (s *till) Advance(by time.Duration) { s.Counter.Advance(by) }

// under is the row under the cursor.
func (s *till) under() string {
	_, row, _ := strings.Cut(s.View(), "›")
	row, _, _ = strings.Cut(row, "\n")
	return strings.TrimSpace(row)
}

// number is the number of the row under the cursor.
func (s *till) number() string {
	number, _, _ := strings.Cut(s.under(), " ")
	return number
}

func (s *till) alone() counter.Alone[board.Model] { return s.Model().(counter.Alone[board.Model]) }

// many makes count orders, a second apart.
func (s *till) many(count int) *till {
	for range count {
		s.Charge("", counter.Coca())
		s.Advance(time.Second)
	}
	return s
}
