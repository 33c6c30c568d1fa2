package live

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Loader runs one piece of work at a time in the background, a read or a write. If more
// is requested meanwhile, only the last request is kept and begins when the work ends. The
// zero Loader is ready for use. Use a T from the screen's own package, because every screen
// receives all results and recognises its own by their type.
type Loader[T any] struct {
	number int // Number of the current read; Done ignores others.
	busy   bool
	next   func(number int) tea.Cmd // The requested read; may be nil.
}

// Loaded is the result of a read.
type Loaded[T any] struct {
	Value  T
	Err    error
	number int
}

// Load begins a read, now or when the current one ends.
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

// Drop discards the current read and the requested one. Their results would be out of
// date.
func (l *Loader[T]) Drop() { *l = Loader[T]{number: l.number + 1} }

// Done handles the end of a read and begins the next one. wanted is false if the read was
// dropped.
func (l *Loader[T]) Done(msg Loaded[T]) (wanted bool, next tea.Cmd) {
	if msg.number != l.number || !l.busy {
		return false, nil
	}
	l.busy = false
	return true, l.begin()
}

// Busy reports whether a read is under way.
func (l *Loader[T]) Busy() bool { return l.busy }

// begin begins the requested read, if there is one.
func (l *Loader[T]) begin() tea.Cmd {
	if l.next == nil {
		return nil
	}
	next := l.next
	*l = Loader[T]{number: l.number + 1, busy: true}
	return next(l.number)
}
