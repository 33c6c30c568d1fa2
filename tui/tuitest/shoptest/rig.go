package shoptest

import (
	"context"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/storage/storagetest/sqlitetest"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/tuitest"
)

// Open opens a counter with a new database, which is closed at the end of the test.
func Open(t testing.TB) *Counter {
	t.Helper()
	return New(t, Database(t))
}

// Database opens an empty database, and closes it at the end of the test.
func Database(t testing.TB) drawer.Store { return sqlitetest.Open(t) }

// A Rig runs one screen without the rest of the console, with a driver and a counter. A test embeds
// it in a type, as in type till struct { shoptest.Rig[board.Model, *till] }. Methods return Self,
// so that calls can be chained.
type Rig[M Part[M], Self any] struct {
	*tuitest.Driver
	*Counter
	// Reach that Look sends to a screen that Put started.
	Reach payments.Reach
	// Commands delayed since Hold, if Put started the screen.
	Kept []tea.Cmd

	self Self
	held bool
	desk *Desk
}

// PutAt starts a screen that uses the counter at, in a window of width columns and height rows. It
// returns self.
func (r *Rig[M, Self]) PutAt(self Self, screen M, at *counter.Counter, width, height int) Self {
	r.t.Helper()
	r.self = self
	r.desk = &Desk{Counter: at, Service: r.Service, Run: r.Run}
	r.Driver = tuitest.Drive(r.t, Wrap(screen).At(r.desk), width, height)
	return self
}

// Put starts a screen without a counter.Counter, and returns self.
func (r *Rig[M, Self]) Put(self Self, screen M, width, height int) Self {
	r.t.Helper()
	r.self, r.Driver = self, tuitest.Drive(r.t, Wrap(screen), width, height)
	return self
}

// Run is the live.Runner of the screen. If Put started the screen, Hold delays its commands.
func (r *Rig[M, Self]) Run(work func(ctx context.Context) tea.Msg) tea.Cmd {
	cmd := Run(r.t)(work)
	if r.held {
		r.Kept = append(r.Kept, cmd)
		return nil
	}
	return cmd
}

// Hold delays commands from now on. After PutAt, it delays only the effects that create, read or
// acknowledge an order.
func (r *Rig[M, Self]) Hold() Self {
	r.held = r.desk == nil
	if r.desk != nil {
		r.desk.Keep = aboutOrders
	}
	return r.self
}

func aboutOrders(effect counter.Effect) bool {
	switch effect.(type) {
	case counter.Checkout, counter.ReadOrder, counter.Acknowledge:
		return true
	}
	return false
}

// Release ends the delay, runs the delayed commands, and sends their messages to the screen.
func (r *Rig[M, Self]) Release() Self {
	r.t.Helper()
	for _, cmd := range r.Take() {
		r.Send(cmd())
	}
	return r.self
}

// Take returns the delayed commands and ends the delay.
func (r *Rig[M, Self]) Take() []tea.Cmd {
	kept := r.Kept
	if r.desk != nil {
		kept = r.desk.take()
	}
	r.Kept = nil
	r.held = false
	return kept
}

// Look sends the current picture of the store to the screen.
func (r *Rig[M, Self]) Look() Self {
	r.t.Helper()
	if r.desk != nil {
		r.desk.Counter.Wake()
		r.Settle()
		return r.self
	}
	read, err := r.Service.Overview(r.t.Context(), Till, r.Now(), 200)
	state := counter.Picture{Now: r.Now(), Reach: r.Reach, Changed: true}.Take(read, r.Now())
	if err != nil {
		state.Reach, state.Changed = payments.ReachStoreDown, false
	}
	r.Send(state)
	return r.self
}

// Settle passes the counter's facts to the screen, and performs the counter's effects that are not
// delayed.
func (r *Rig[M, Self]) Settle() { r.Send(settled{}) }

// Enter opens the screen again, as if it had been closed.
func (r *Rig[M, Self]) Enter() Self {
	r.t.Helper()
	r.Look()
	r.Send(live.Entered{})
	return r.self
}

// After advances the clock and calls Look.
func (r *Rig[M, Self]) After(by time.Duration) Self {
	r.t.Helper()
	r.Advance(by)
	return r.Look()
}

// Keys presses keys like [tuitest.Driver.Press].
func (r *Rig[M, Self]) Keys(keys ...string) Self {
	r.t.Helper()
	r.Press(keys...)
	return r.self
}

// Harness returns the wrapped screen with the log of its messages.
func (r *Rig[M, Self]) Harness() Harness[M] { return r.Model().(Harness[M]) }

// Closed returns how often the screen has sent live.Closed.
func (r *Rig[M, Self]) Closed() int { return len(Received[live.Closed](r.Harness())) }

// Left fails the test unless Closed returns times.
func (r *Rig[M, Self]) Left(times int) Self {
	r.t.Helper()
	if got := r.Closed(); got != times {
		r.t.Errorf("the cashier left %d times, want %d", got, times)
	}
	return r.self
}

// Footer returns the enabled keys with their descriptions, as in "enter open, esc back, ".
func Footer(bindings []key.Binding) (text string) {
	for _, binding := range bindings {
		if binding.Enabled() {
			text += binding.Help().Key + " " + binding.Help().Desc + ", "
		}
	}
	return text
}
