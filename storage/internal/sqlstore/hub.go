package sqlstore

import (
	"context"
	"sync"
)

// hub wakes those who watch.
type hub struct {
	follow func(ctx context.Context, found func(sequence int64, origin string))

	mu        sync.Mutex
	watchers  map[chan struct{}]func() bool // Each with what stops its context's watch.
	sequence  int64                         // The last one that was told.
	seen      int64                         // The last one that following found.
	origin    string                        // Where it was found.
	unfollow  context.CancelFunc            // Nil while nobody follows.
	paused    bool                          // Nobody follows even when somebody watches.
	closed    bool
	following sync.WaitGroup
}

func newHub(follow func(ctx context.Context, found func(sequence int64, origin string))) *hub {
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
	h.begin(ctx)
	return notice
}

// begin follows the changes of other processes, if there is somebody to tell.
func (h *hub) begin(ctx context.Context) {
	if h.unfollow != nil || h.follow == nil || h.paused || len(h.watchers) == 0 {
		return
	}
	var following context.Context
	following, h.unfollow = context.WithCancel(context.WithoutCancel(ctx))
	h.following.Go(func() { h.follow(following, h.found) })
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
	if len(h.watchers) == 0 {
		h.end()
	}
}

// end ends what begin began, without waiting for it.
func (h *hub) end() {
	if h.unfollow != nil {
		h.unfollow()
		h.unfollow = nil
	}
}

// pause ends the following until resume, and waits until it has ended.
func (h *hub) pause() {
	h.mu.Lock()
	h.paused = true
	h.end()
	h.mu.Unlock()
	h.following.Wait()
}

// resume follows again after a pause.
func (h *hub) resume(ctx context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.paused = false
	h.begin(ctx)
}

// start takes note of the change sequence that a store begins with, and where.
func (h *hub) start(sequence int64, origin string) {
	h.sequence, h.seen, h.origin = sequence, sequence, origin
}

// wake tells all watchers of the change sequence of a commit of this process,
// unless they were told already. One below what was told is told too: the
// database may have gone back, and this is how it goes on.
func (h *hub) wake(sequence int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if sequence == h.sequence {
		return
	}
	h.sequence = max(h.sequence, sequence)
	h.tell()
}

// found tells all watchers of a change sequence that following found, unless
// they were told already. What is found elsewhere than before, or goes back, is
// another history, of which nothing that they know has to be true: a server that
// took over may lack the last commits of the one before it, and have others of
// the same numbers.
func (h *hub) found(sequence int64, origin string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	other := sequence < h.seen || origin != h.origin
	h.seen, h.origin = sequence, origin
	if !other && sequence <= h.sequence {
		return
	}
	h.sequence = sequence
	h.tell()
}

// alarm tells all watchers that what they show may not hold any more.
func (h *hub) alarm() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tell()
}

func (h *hub) tell() {
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
	h.end()
	h.mu.Unlock()
	h.following.Wait()
}
