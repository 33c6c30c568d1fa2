package tuitest

import (
	"bytes"
	"fmt"
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
	total    int
	pastes   bool
	ended    bool
	changed  chan struct{}
}

func newFeed(cols, rows int) *feed {
	return &feed{emulator: newEmulator(cols, rows), changed: make(chan struct{})}
}

// longestQuery is the longest of the sequences that are looked for across the
// borders of reads.
const longestQuery = len("\x1b[?2004h")

// take shows what was written. It gives the answers to the questions in it.
func (f *feed) take(p []byte) (answers []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.emulator.write(p)
	seen := min(len(f.raw), longestQuery-1)
	f.raw = append(f.raw, p...)
	answers = f.read(f.raw[len(f.raw)-len(p)-seen:], seen)
	f.total += len(p)
	if over := len(f.raw) - rawLimit; over > 0 {
		f.raw = f.raw[over:]
	}
	f.wake()
	return answers
}

// read looks for sequences that the emulator does not know. What ends within
// the first seen bytes of p was read before.
func (f *feed) read(p []byte, seen int) (answers []byte) {
	for i := range p {
		for _, q := range []string{"\x1b]10;?", "\x1b]11;?", "\x1b[6n", "\x1b[c", "\x1b[0c", "\x1b[?2004h", "\x1b[?2004l"} {
			if i+len(q) <= seen || !bytes.HasPrefix(p[i:], []byte(q)) {
				continue
			}
			switch q {
			case "\x1b]10;?":
				answers = append(answers, "\x1b]10;rgb:cccc/cccc/cccc\x1b\\"...)
			case "\x1b]11;?":
				answers = append(answers, "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"...)
			case "\x1b[6n":
				cursor := f.emulator.screen().cursor
				answers = fmt.Appendf(answers, "\x1b[%d;%dR", cursor.Y+1, cursor.X+1)
			case "\x1b[c", "\x1b[0c":
				answers = append(answers, "\x1b[?62;22c"...)
			default:
				f.pastes = q == "\x1b[?2004h"
			}
		}
	}
	return answers
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
func (f *feed) await(patience time.Duration, good func(Screen) bool) (Screen, bool) {
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
