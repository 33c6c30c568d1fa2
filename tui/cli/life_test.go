package cli_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"checkout/till/tui/cli"
)

// diary records the names of the program's parts, in the order in which the parts end.
type diary struct {
	mu    sync.Mutex
	notes []string
}

func (d *diary) note(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes = append(d.notes, text)
}

// part returns a part that runs until its context ends, and then returns the error fault.
func (d *diary) part(name string, fault error) cli.Part {
	return func(ctx context.Context) error {
		<-ctx.Done()
		d.note(name)
		return fault
	}
}

func TestPartsStopInReverseOrder(t *testing.T) {
	fault := errors.New("the listener broke")
	ends := func(d *diary, err error) cli.Part {
		return func(context.Context) error { d.note("front"); return err }
	}
	fails := func(context.Context) error { return fault }
	told, tell := context.WithCancel(t.Context())
	tell()
	tests := []struct {
		name  string
		ctx   context.Context
		parts func(d *diary) []cli.Part // The first part is the front: all parts end when it ends.
		want  error
		order []string
	}{
		{"when the front has ended", t.Context(), func(d *diary) []cli.Part {
			return []cli.Part{ends(d, nil), d.part("first", nil), d.part("second", nil), d.part("third", nil)}
		}, nil, []string{"front", "third", "second", "first"}},
		{"when the front failed", t.Context(), func(d *diary) []cli.Part {
			return []cli.Part{ends(d, fault), d.part("first", nil), d.part("second", nil)}
		}, fault, []string{"front", "second", "first"}},
		{"when everything is told to stop", told, func(d *diary) []cli.Part {
			return []cli.Part{d.part("front", nil), d.part("first", nil), d.part("second", nil)}
		}, nil, []string{"front", "second", "first"}},
		{"and a fault at the end is reported", t.Context(), func(d *diary) []cli.Part {
			return []cli.Part{ends(d, nil), d.part("first", fault), d.part("second", nil)}
		}, fault, []string{"front", "second", "first"}},
		{"and a part that fails stops the front", t.Context(), func(d *diary) []cli.Part {
			return []cli.Part{d.part("front", nil), d.part("first", nil), fails}
		}, fault, []string{"front", "first"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var d diary
			parts := tt.parts(&d)
			if err := cli.RunAll(tt.ctx, parts[0], parts[1:]...); !errors.Is(err, tt.want) || !slices.Equal(d.notes, tt.order) {
				t.Errorf("got error %v, want %v; got order %v, want %v", err, tt.want, d.notes, tt.order)
			}
		})
	}
}
