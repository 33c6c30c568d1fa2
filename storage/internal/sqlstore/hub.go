package sqlstore

import (
	"context"
	"sync"
)

// hub wakes those who watch.
type hub struct {
	follow func(ctx context.Context, wake func(sequence int64))

	mu        sync.Mutex
	watchers  map[chan struct{}]func() bool // Each with what stops its context's watch.
	sequence  int64                         // The last one that was told.
	unfollow  context.CancelFunc            // Nil while nobody watches.
	closed    bool
	following sync.WaitGroup
}

func newHub(follow func(ctx context.Context, wake func(sequence int64))) *hub {
	return &hub{follow: follow, watchers: map[chan struct{}]func() bool{}}
}

// watch adds a watcher until ctx ends. Nothing that is committed from now on is
// missed, be it by another process: what was told last is compared with what
// is found first.
func (h *hub) watch(ctx context.Context) <-chan struct{} {
	notice := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		close(notice)
		return notice
	}
	h.watchers[notice] = context.AfterFunc(ctx, func() { h.leave(notice) })
	if h.unfollow == nil && h.follow != nil {
		var following context.Context
		following, h.unfollow = context.WithCancel(context.WithoutCancel(ctx))
		h.following.Go(func() { h.follow(following, h.wake) })
	}
	return notice
}

// leave ends a watch. The last one to leave ends the looking for other
// processes' changes.
func (h *hub) leave(notice chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, watching := h.watchers[notice]; !watching {
		return
	}
	delete(h.watchers, notice)
	close(notice)
	if len(h.watchers) == 0 && h.unfollow != nil {
		h.unfollow()
		h.unfollow = nil
	}
}

// wake tells all watchers of a change sequence, unless they were told already.
func (h *hub) wake(sequence int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if sequence <= h.sequence {
		return
	}
	h.sequence = sequence
	for notice := range h.watchers {
		select {
		case notice <- struct{}{}:
		default:
		}
	}
}

// close ends all watches and waits for what they started.
func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	for notice, stop := range h.watchers {
		stop()
		close(notice)
	}
	clear(h.watchers)
	if h.unfollow != nil {
		h.unfollow()
		h.unfollow = nil
	}
	h.mu.Unlock()
	h.following.Wait()
}
