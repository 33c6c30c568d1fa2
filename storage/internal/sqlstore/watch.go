package sqlstore

import (
	"cmp"
	"context"
	"sync"
)

// FollowFunc waits for notifications of other processes' changes until ctx ends,
// and calls observed with the change sequence and the name of the server that it
// was read at.
type FollowFunc func(ctx context.Context, observed func(sequence int64, origin string))

// notifier tells watchers that something changed. It is level-triggered: each
// watcher has a channel with one slot, and reads anew when a notice lies in it.
type notifier struct {
	follow FollowFunc // May be nil.

	mu        sync.Mutex
	watchers  map[chan struct{}]func() bool // Each with what stops its context's watch.
	sequence  int64                         // The last one that watchers were notified of.
	observed  int64                         // The last one that was read from the database.
	origin    string                        // The server that it was read at.
	unfollow  context.CancelFunc            // Nil until the first watcher.
	closed    bool
	following sync.WaitGroup
}

// watch adds a watcher until ctx ends. No commit from now on is missed, be it
// another process's: the sequence that watchers were notified of is compared with
// the next one that is read.
func (n *notifier) watch(ctx context.Context) <-chan struct{} {
	notice := make(chan struct{}, 1)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		close(notice)
		return notice
	}
	n.watchers[notice] = context.AfterFunc(ctx, func() { n.leave(notice) })
	if n.follow != nil && n.unfollow == nil {
		ctx, n.unfollow = context.WithCancel(context.WithoutCancel(ctx))
		n.following.Go(func() { n.follow(ctx, n.observe) })
	}
	return notice
}

func (n *notifier) leave(notice chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, watching := n.watchers[notice]; watching {
		delete(n.watchers, notice)
		close(notice)
	}
}

func (n *notifier) committed(sequence int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sequence = max(n.sequence, sequence)
	n.broadcast()
}

// observe handles a change sequence read from the database. Another origin or a
// lower number means that a failover lost commits: then watchers are notified
// even if the number looks old. Polling does not know the origin.
func (n *notifier) observe(sequence int64, origin string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	other := sequence < n.observed || n.origin != "" && origin != "" && origin != n.origin
	n.observed, n.origin = sequence, cmp.Or(origin, n.origin)
	if !other && sequence <= n.sequence {
		return
	}
	n.sequence = sequence
	n.broadcast()
}

func (n *notifier) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broadcast()
}

func (n *notifier) broadcast() {
	for notice := range n.watchers {
		signal(notice)
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
	if n.unfollow != nil {
		n.unfollow()
	}
	n.mu.Unlock()
	n.following.Wait()
}

// signal puts a notice into a channel with one slot, unless one lies there.
func signal(notice chan<- struct{}) {
	select {
	case notice <- struct{}{}:
	default:
	}
}
