package sqlstore

import (
	"context"
	"sync"
)

// watchers are told that something changed. Each has a channel with one slot, and
// reads anew when a notice lies in it.
type watchers struct {
	mu      sync.Mutex
	notices map[chan struct{}]bool
}

// add adds a watcher until ctx ends.
func (w *watchers) add(ctx context.Context) <-chan struct{} {
	notice := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notices[notice] = true
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.notices[notice] {
			delete(w.notices, notice)
			close(notice)
		}
	})
	return notice
}

func (w *watchers) notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for notice := range w.notices {
		select {
		case notice <- struct{}{}:
		default: // One lies there.
		}
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for notice := range w.notices {
		close(notice)
	}
	clear(w.notices)
}
