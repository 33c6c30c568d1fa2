package sqlstore

import (
	"context"
	"sync"
)

// FollowFunc looks for other processes' changes until ctx ends, and calls
// observed with the change sequence that it finds and the name of the server
// that answered, which is empty for a file.
type FollowFunc func(ctx context.Context, observed func(sequence int64, origin string))

// notifier tells watchers that something changed. It is level-triggered: each
// watcher has a channel with one slot, and reads anew when a notice lies in it.
type notifier struct {
	follow FollowFunc // Nil when no other process can write.

	mu        sync.Mutex
	watchers  map[chan struct{}]func() bool // Each with what stops its context's watch.
	sequence  int64                         // The last one that watchers were told of.
	observed  int64                         // The last one that following found.
	origin    string                        // Where it was found.
	unfollow  context.CancelFunc            // Nil while nobody follows.
	paused    bool                          // Nobody follows even when somebody watches.
	closed    bool
	following sync.WaitGroup
}

// watch adds a watcher until ctx ends. Nothing that is committed from now on is
// missed, be it by another process: the sequence that watchers were told of is
// compared with the first one that is found.
func (n *notifier) watch(ctx context.Context) <-chan struct{} {
	notice := make(chan struct{}, 1)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		close(notice)
		return notice
	}
	n.watchers[notice] = context.AfterFunc(ctx, func() { n.leave(notice) })
	n.start(ctx)
	return notice
}

// start follows other processes' changes while somebody watches.
func (n *notifier) start(ctx context.Context) {
	if n.unfollow != nil || n.follow == nil || n.paused || len(n.watchers) == 0 {
		return
	}
	ctx, n.unfollow = context.WithCancel(context.WithoutCancel(ctx))
	n.following.Go(func() { n.follow(ctx, n.found) })
}

// stop ends what start began, without waiting for it.
func (n *notifier) stop() {
	if n.unfollow != nil {
		n.unfollow()
		n.unfollow = nil
	}
}

// leave removes a watcher. With the last one the following ends.
func (n *notifier) leave(notice chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, watching := n.watchers[notice]; !watching {
		return
	}
	delete(n.watchers, notice)
	close(notice)
	if len(n.watchers) == 0 {
		n.stop()
	}
}

// pause ends the following until resume, and waits for its end.
func (n *notifier) pause() {
	n.mu.Lock()
	n.paused = true
	n.stop()
	n.mu.Unlock()
	n.following.Wait()
}

// resume follows again after a pause.
func (n *notifier) resume(ctx context.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paused = false
	n.start(ctx)
}

// begin takes note of the change sequence that a store begins with.
func (n *notifier) begin(sequence int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sequence, n.observed = sequence, sequence
}

// committed notifies of a commit of this process.
func (n *notifier) committed(sequence int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sequence = max(n.sequence, sequence)
	n.broadcast()
}

// found handles a change sequence read from the database. Another origin or a
// lower number means that a failover lost commits: then watchers are notified
// even if the number looks old.
func (n *notifier) found(sequence int64, origin string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	other := sequence < n.observed || n.origin != "" && origin != n.origin
	n.observed, n.origin = sequence, origin
	if !other && sequence <= n.sequence {
		return
	}
	n.sequence = sequence
	n.broadcast()
}

// notify tells all watchers to read anew.
func (n *notifier) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broadcast()
}

func (n *notifier) broadcast() {
	for notice := range n.watchers {
		select {
		case notice <- struct{}{}:
		default: // A notice lies there.
		}
	}
}

// close ends all watches and waits for the following to end.
func (n *notifier) close() {
	n.mu.Lock()
	n.closed = true
	for notice, stop := range n.watchers {
		stop()
		close(notice)
	}
	clear(n.watchers)
	n.stop()
	n.mu.Unlock()
	n.following.Wait()
}
