package live

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Loader runs one piece of work at a time in the background, a read or a write: one
// that is asked for while another is under way begins when that ends. The zero
// Loader is ready. T is a type of the screen's own: every screen gets all messages.
type Loader[T any] struct {
	number int // Of the read whose answer is wanted.
	busy   bool
	next   func(number int) tea.Cmd // The read that is asked for; nil for none.
}

// Loaded is how a read ended.
type Loaded[T any] struct {
	Value  T
	Err    error
	number int
}

// Load begins a read, now or when the one ends that is under way.
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

// Drop gives up the read that is under way: its answer would be wrong by now.
func (l *Loader[T]) Drop() { *l = Loader[T]{number: l.number + 1} }

// Done takes in how a read ended, and returns the next one. The answer is not
// wanted when its read was dropped.
func (l *Loader[T]) Done(msg Loaded[T]) (wanted bool, next tea.Cmd) {
	if msg.number != l.number || !l.busy {
		return false, nil
	}
	l.busy = false
	return true, l.begin()
}

// Busy tells whether a read is under way.
func (l *Loader[T]) Busy() bool { return l.busy }

// begin begins the read that is asked for, if one is.
func (l *Loader[T]) begin() tea.Cmd {
	if l.next == nil {
		return nil
	}
	next := l.next
	*l = Loader[T]{number: l.number + 1, busy: true}
	return next(l.number)
}
