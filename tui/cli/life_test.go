package cli_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"checkout/till/tui/cli"
)

// diary notes what happens in which order.
type diary struct {
	mu    sync.Mutex
	notes []string
}

func (d *diary) note(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes = append(d.notes, text)
}

// part returns something that runs until it is told to stop.
func (d *diary) part(name string, fault error) func(context.Context) error {
	return func(ctx context.Context) error {
		<-ctx.Done()
		d.note(name)
		return fault
	}
}

func TestPartsStopInReverseOrder(t *testing.T) {
	fault := errors.New("the listener broke")
	tests := []struct {
		name  string
		front func(*diary, context.CancelFunc) func(context.Context) error
		first error // What the first part returns once it is stopped.
		want  error
	}{
		{"when the front has ended", func(d *diary, _ context.CancelFunc) func(context.Context) error {
			return func(context.Context) error { d.note("front"); return nil }
		}, nil, nil},
		{"when the front failed", func(d *diary, _ context.CancelFunc) func(context.Context) error {
			return func(context.Context) error { d.note("front"); return fault }
		}, nil, fault},
		{"when everything is told to stop", func(d *diary, cancel context.CancelFunc) func(context.Context) error {
			cancel()
			return d.part("front", nil)
		}, nil, nil},
		{"and a fault at the end is reported", func(d *diary, _ context.CancelFunc) func(context.Context) error {
			return func(context.Context) error { d.note("front"); return nil }
		}, fault, fault},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var d diary
			err := cli.RunAll(ctx, tt.front(&d, cancel), d.part("first", tt.first), d.part("second", nil), d.part("third", nil))
			if !errors.Is(err, tt.want) {
				t.Errorf("the error is %v, want %v", err, tt.want)
			}
			if want := []string{"front", "third", "second", "first"}; !slices.Equal(d.notes, want) {
				t.Errorf("the order is %v, want %v", d.notes, want)
			}
		})
	}
}

func TestAPartThatFailsStopsTheFront(t *testing.T) {
	fault := errors.New("the listener broke")
	var d diary
	err := cli.RunAll(t.Context(), d.part("front", nil),
		d.part("first", nil), func(context.Context) error { return fault })
	if !errors.Is(err, fault) || !slices.Equal(d.notes, []string{"front", "first"}) {
		t.Errorf("the error is %v, the order %v", err, d.notes)
	}
}
