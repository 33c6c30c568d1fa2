package cli

import (
	"context"
	"slices"

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
	group, frontCtx := errgroup.WithContext(ctx)
	left := make(chan struct{})
	group.Go(func() error {
		defer close(left)
		return front(frontCtx)
	})
	ended := left
	for _, running := range slices.Backward(parts) {
		after, done := ended, make(chan struct{})
		partCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
		group.Go(func() error {
			// The part after may have failed while front still runs.
			<-left
			<-after
			stop()
			return nil
		})
		group.Go(func() error {
			defer close(done)
			return running(partCtx)
		})
		ended = done
	}
	return group.Wait()
}
