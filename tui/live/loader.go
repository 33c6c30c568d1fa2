package live

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Loader runs reads in the background, one at a time except after [Loader.Drop]. While a read is
// running, only the last request is kept. The zero Loader is ready for use.
//
// T must be a type of the screen's own package, because every screen receives the results of all
// loaders.
type Loader[T any] struct {
	number int // Number of the running or last read. Done ignores the results of other reads.
	busy   bool
	next   func(number int) tea.Cmd
}

// Loaded is the message with the result of a read by a [Loader].
type Loaded[T any] struct {
	Value  T
	Err    error
	number int
}

// Load requests a read and returns the command for it. While another read is running, Load returns
// nil, and Done later returns the command.
func (l *Loader[T]) Load(run Runner, read func(ctx context.Context) (T, error)) tea.Cmd {
	l.next = func(number int) tea.Cmd {
		return run(func(ctx context.Context) tea.Msg {
			value, err := read(ctx)
			return Loaded[T]{value, err, number}
		})
	}
	if l.busy {
		return nil
	}
	return l.begin()
}

// Drop discards the running read and the requested one.
func (l *Loader[T]) Drop() { *l = Loader[T]{number: l.number + 1} }

// Done handles the result of a read. If the read was dropped, wanted is false, and the caller must
// ignore msg. next begins the requested read; it may be nil.
func (l *Loader[T]) Done(msg Loaded[T]) (wanted bool, next tea.Cmd) {
	if msg.number != l.number || !l.busy {
		return false, nil
	}
	l.busy = false
	return true, l.begin()
}

// Busy reports whether a read is under way.
func (l *Loader[T]) Busy() bool { return l.busy }

func (l *Loader[T]) begin() tea.Cmd {
	if l.next == nil {
		return nil
	}
	next := l.next
	*l = Loader[T]{number: l.number + 1, busy: true}
	return next(l.number)
}
