package live

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Loader reads a value in the background, one read at a time: a change that comes
// while a read is under way makes it stale, and it is read again. The zero Loader
// is ready. T is a type of the screen's own: every screen gets all messages.
type Loader[T any] struct {
	number int // Of the read whose answer is wanted.
	busy   bool
	stale  bool
}

// Loaded is how a read ended.
type Loaded[T any] struct {
	Value  T
	Err    error
	number int
}

// Load begins a read, or, while one is under way, makes that one stale.
func (l *Loader[T]) Load(run Runner, read func(ctx context.Context) (T, error)) tea.Cmd {
	l.stale = l.busy
	if l.busy {
		return nil
	}
	l.busy = true
	l.number++
	number := l.number
	return run(func(ctx context.Context) tea.Msg {
		value, err := read(ctx)
		return Loaded[T]{value, err, number}
	})
}

// Drop gives up the read that is under way: its answer would be wrong by now.
func (l *Loader[T]) Drop() { *l = Loader[T]{number: l.number + 1} }

// Done takes in how a read ended. It is not wanted when the read was dropped;
// again tells that it is stale already, and to be loaded once more.
func (l *Loader[T]) Done(msg Loaded[T]) (wanted, again bool) {
	if msg.number != l.number || !l.busy {
		return false, false
	}
	again = l.stale
	l.busy, l.stale = false, false
	return true, again
}

// Busy tells whether a read is under way.
func (l *Loader[T]) Busy() bool { return l.busy }
