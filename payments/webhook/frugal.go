package webhook

import (
	"net/http"
	"sync"
	"time"
)

// lone is how long requests must have come one at a time before the next such
// one is answered on one processor.
const lone = 250 * time.Millisecond

// frugal lets a handler whose requests come one at a time run on one processor.
// Where there are several, each wakes another one for every request, to find
// that there is nothing to do: a twentieth of the time that an answer takes. The
// first two requests that overlap give it all of them again.
//
// A handler ends before its answer is sent, so that who waits for it before the
// next request never counts as two.
type frugal struct {
	http.Handler
	use func(processors int) (before int) // See [WithProcessors].

	mu   sync.Mutex
	all  int       // What it had before; 0 while it has all of them.
	busy int       // Requests that are being answered.
	last time.Time // When there were several, or the first.
}

// ServeHTTP answers a request.
func (f *frugal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.begin(time.Now())
	defer f.end()
	f.Handler.ServeHTTP(w, r)
}

func (f *frugal) begin(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy++
	switch {
	case f.last.IsZero():
		f.last = now
	case f.busy > 1:
		f.last = now
		f.restore()
	case f.all == 0 && now.Sub(f.last) >= lone:
		f.all = f.use(1)
	}
}

func (f *frugal) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy--
}

// close gives the program all its processors.
func (f *frugal) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.restore()
}

func (f *frugal) restore() {
	if f.all > 0 {
		f.use(f.all)
		f.all = 0
	}
}
