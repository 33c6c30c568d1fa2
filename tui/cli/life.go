package cli

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Part is something that runs until its context ends, and returns once what it
// had under way is done.
type Part func(context.Context) error

// RunAll runs the parts in the background and front before them. When front
// returns, the parts stop in reverse order, each once the one after it has
// ended. When a part fails, or ctx ends, front is told to stop first. The
// error is that of whoever failed first.
func RunAll(ctx context.Context, front Part, parts ...Part) error {
	if len(parts) == 0 {
		return front(ctx)
	}
	group, frontCtx := errgroup.WithContext(ctx)
	partCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	group.Go(func() error { return parts[0](partCtx) })
	group.Go(func() error {
		defer stop()
		return RunAll(frontCtx, front, parts[1:]...)
	})
	return group.Wait()
}
