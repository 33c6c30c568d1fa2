package tuitest

import (
	"sync"
	"time"
)

// rawLimit is how many bytes of output are kept.
const rawLimit = 1 << 20

// feed takes what a program writes, from one goroutine, and shows it to
// others, which it wakes up.
type feed struct {
	mu       sync.Mutex
	emulator *emulator
	raw      []byte
	ended    bool
	changed  chan struct{}
}

func newFeed(cols, rows int) *feed {
	return &feed{emulator: newEmulator(cols, rows), changed: make(chan struct{})}
}

// take shows what was written.
func (f *feed) take(p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.emulator.write(p)
	f.raw = append(f.raw, p...)
	if over := len(f.raw) - rawLimit; over > 0 {
		f.raw = f.raw[over:]
	}
	f.wake()
}

// end says that nothing more will come.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	f.wake()
}

func (f *feed) resize(cols, rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.emulator.resize(cols, rows)
	f.wake()
}

// wake is called with the lock held.
func (f *feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// look gives the screen, whether the program has ended, and a channel that is
// closed when either changes.
func (f *feed) look() (s Screen, ended bool, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.emulator.screen(), f.ended, f.changed
}

// await looks at the screen whenever it changes, until good says that it is
// what was waited for, the program has ended, or patience is over.
func (f *feed) await(good func(Screen) bool) (Screen, bool) {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		s, ended, changed := f.look()
		if good(s) {
			return s, true
		}
		if ended {
			return s, false
		}
		select {
		case <-changed:
		case <-limit.C:
			s, _, _ = f.look()
			return s, good(s)
		}
	}
}
