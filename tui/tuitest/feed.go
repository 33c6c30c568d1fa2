package tuitest

import (
	"bytes"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// rawLimit is the maximum size of feed.raw, in bytes. Older output is dropped.
const rawLimit = 1 << 20

// feed is the output of a program. One goroutine writes to it; other goroutines wait for changes.
type feed struct {
	mu       sync.Mutex
	emulator *emulator
	raw      []byte
	// undrawn is the number of bytes at the end of raw that the emulator has not drawn yet.
	undrawn int
	ended   bool
	changed chan struct{}
}

func newFeed(cols, rows int) *feed {
	return &feed{emulator: newEmulator(cols, rows), changed: make(chan struct{})}
}

func (f *feed) take(p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raw = append(f.raw, p...)
	f.undrawn += len(p)
	// A synchronized update is drawn when it has ended.
	whole := bytes.LastIndex(f.raw, []byte(ansi.SetModeSynchronizedOutput))
	if whole <= bytes.LastIndex(f.raw, []byte(ansi.ResetModeSynchronizedOutput)) {
		whole = len(f.raw)
	}
	f.draw(whole)
	if over := len(f.raw) - rawLimit; over > 0 {
		f.raw = f.raw[over:]
	}
	f.wake()
}

// draw passes raw to the emulator, up to the offset end.
func (f *feed) draw(end int) {
	if drawn := len(f.raw) - f.undrawn; end > drawn {
		f.emulator.write(f.raw[drawn:end])
		f.undrawn = len(f.raw) - end
	}
}

func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.draw(len(f.raw))
	f.ended = true
	f.wake()
}

func (f *feed) resize(cols, rows int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.emulator.resize(cols, rows)
	f.wake()
}

// wake wakes all goroutines that wait for a change. The caller holds the lock.
func (f *feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// look returns the screen, whether the output has ended, and a channel that a change closes.
func (f *feed) look() (s Screen, ended bool, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.emulator.screen(), f.ended, f.changed
}

// await waits until good returns true for the screen, the output ends, or the duration patience is
// over. It returns the last screen and the last result of good.
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
