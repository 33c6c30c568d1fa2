package orders_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// till is the screen with a cashier in front of it, and the counter around it.
type till struct {
	*tuitest.Driver
	*counter.Counter
	t    *testing.T
	held bool // Commands are kept back.
	kept []tea.Cmd
}

// open puts the screen up in English, in the room it has in an old terminal.
func open(t *testing.T) *till { return speaking(t, "en") }

func speaking(t *testing.T, language string) *till { return dressed(t, language, theme.Plain()) }

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	return standing(t, language, styles, false)
}

// standing puts the screen up where others may share the database.
func standing(t *testing.T, language string, styles theme.Theme, shared bool) *till {
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
	screen := orders.New(orders.Config{
		Ledger: s.Service, Run: s.run, By: counter.Till, Shared: shared, Zone: counter.Zone(),
		Theme: styles, Texts: counter.Texts(t, language),
	})
	s.Driver = tuitest.Drive(t, counter.Stand(screen), 80, 21)
	return s.look()
}

// run makes commands, and keeps them back while the machine is slow.
func (s *till) run(work func(ctx context.Context) tea.Msg) tea.Cmd {
	cmd := counter.Run(s.t)(work)
	if s.held {
		s.kept = append(s.kept, cmd)
		return nil
	}
	return cmd
}

// hold keeps commands back from now on.
func (s *till) hold() *till {
	s.held = true
	return s
}

// release runs what was kept back.
func (s *till) release() *till {
	s.held = false
	for _, cmd := range s.kept {
		s.Send(cmd())
	}
	s.kept = nil
	return s
}

// look shows the screen the moment, as the console does after every change.
func (s *till) look() *till {
	s.t.Helper()
	state := live.State{Now: s.Now(), Changed: true}
	var err error
	if state.Open, err = live.Read(s.t.Context(), s, counter.Till); err != nil {
		state.Conditions.StoreDown, state.Changed = true, false
	} else if state.Unmatched, err = live.ReadUnmatched(s.t.Context(), s); err != nil {
		s.t.Fatal(err)
	}
	s.Send(state)
	return s
}

// enter shows the list anew.
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

func (s *till) alone() counter.Alone[orders.Model] { return s.Model().(counter.Alone[orders.Model]) }

// closed tells how often the cashier left the screen.
func (s *till) closed() int { return len(counter.Came[live.Closed](s.alone())) }

// lose makes an order of unknown outcome, which the service has after all.
func (s *till) lose() payments.Order {
	s.Reply(counter.Lose("no answer came in time"))
	defer s.Reply(s.Accept)
	return s.Charge("S1")
}

// stray is the success of a lost order, under the name that the service gave it.
func (s *till) stray(lost payments.Order, orderReference string) {
	event := counter.Event(lost, payments.PaymentSuccess, "")
	event.OrderReference = orderReference
	s.Hear(event)
}
