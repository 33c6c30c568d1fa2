package cli_test

import (
	"context"
	"errors"
	"testing"

	"checkout/till/tui/cli"
)

func TestPartsStopInReverseOrder(t *testing.T) {
	fault := errors.New("the listener broke")
	told, tell := context.WithCancel(t.Context())
	tell()
	var ended chan string // The names of the parts, in the order in which they end.
	runs := func(name string, err error) cli.Part {
		return func(ctx context.Context) error {
			<-ctx.Done()
			ended <- name
			return err
		}
	}
	ends := func(name string, err error) cli.Part {
		return func(context.Context) error {
			ended <- name
			return err
		}
	}
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		front cli.Part // All parts end when it ends.
		parts []cli.Part
		want  error
		order string
	}{
		{"when the front has ended", t.Context(), ends("front", nil), []cli.Part{runs("1", nil), runs("2", nil), runs("3", nil)}, nil, "front 3 2 1 "},
		{"when the front failed", t.Context(), ends("front", fault), []cli.Part{runs("1", nil), runs("2", nil)}, fault, "front 2 1 "},
		{"when everything is told to stop", told, runs("front", nil), []cli.Part{runs("1", nil), runs("2", nil)}, nil, "front 2 1 "},
		{"and a fault at the end is reported", t.Context(), ends("front", nil), []cli.Part{runs("1", fault), runs("2", nil)}, fault, "front 2 1 "},
		{"and a part that fails stops the front", t.Context(), runs("front", nil), []cli.Part{runs("1", nil), ends("2", fault)}, fault, "2 front 1 "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ended = make(chan string, 1+len(tt.parts))
			err := cli.RunAll(tt.ctx, tt.front, tt.parts...)
			close(ended)
			order := ""
			for name := range ended {
				order += name + " "
			}
			if !errors.Is(err, tt.want) || order != tt.order {
				t.Errorf("got error %v, want %v; got order %s, want %s", err, tt.want, order, tt.order)
			}
		})
	}
}
