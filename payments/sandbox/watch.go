package sandbox

import (
	"context"
	"crypto/rand"
	"strconv"
	"sync"
)

// watchers are woken by every change. Waking never blocks.
type watchers struct {
	start string        // Of every version, so that those of two runs differ.
	over  chan struct{} // Closed at the end.

	mu      sync.Mutex
	changes uint64
	ended   bool
	slots   map[chan struct{}]struct{}
}

func newWatchers() *watchers {
	return &watchers{
		start: rand.Text()[:8] + ".", over: make(chan struct{}), slots: make(map[chan struct{}]struct{}),
	}
}

// Watch returns a channel that is woken by every change of an order, a
// delivery or a fault. It has one slot: who is woken reads what there is now,
// and however slow that is, nobody waits for it. It is closed when ctx ends,
// and when [Sandbox.Run] has ended.
func (s *Sandbox) Watch(ctx context.Context) <-chan struct{} { return s.watchers.add(ctx) }

func (w *watchers) add(ctx context.Context) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	slot := make(chan struct{}, 1)
	if w.ended {
		close(slot)
		return slot
	}
	w.slots[slot] = struct{}{}
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.remove(slot)
	})
	return slot
}

// remove closes a channel, if that was not done yet. The lock must be held.
func (w *watchers) remove(slot chan struct{}) {
	if _, watching := w.slots[slot]; watching {
		delete(w.slots, slot)
		close(slot)
	}
}

// wake tells everybody that something changed.
func (w *watchers) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changes++
	for slot := range w.slots {
		select {
		case slot <- struct{}{}:
		default:
		}
	}
}

// version names what there is to see now; every change gives it another name.
func (w *watchers) version() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.start + strconv.FormatUint(w.changes, 10)
}

// end closes every channel, those that are still to be asked for too.
func (w *watchers) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return
	}
	w.ended = true
	close(w.over)
	for slot := range w.slots {
		w.remove(slot)
	}
}
