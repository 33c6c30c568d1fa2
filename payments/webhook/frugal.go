package webhook

import "time"

// lone is how long requests must have come one at a time before the next such
// one is answered on one processor.
const lone = 250 * time.Millisecond

// frugal lets a server whose requests come one at a time run on one processor.
// Where there are several, each wakes another one for every request, to find
// that there is nothing to do: a twentieth of the time that an answer takes. The
// first two requests that overlap give it all of them again.
type frugal struct {
	use  func(processors int) (before int) // See [WithProcessors]; nil for never.
	all  int                               // What it had before; 0 while it has all of them.
	busy int                               // Requests that are being answered.
	last time.Time                         // When there were several, or the server was made.
}

// begin notes that a request has come.
func (f *frugal) begin(now time.Time) {
	f.busy++
	switch {
	case f.use == nil:
	case f.busy > 1:
		f.last = now
		f.wake()
	case f.all == 0 && now.Sub(f.last) >= lone:
		f.all = f.use(1)
	}
}

// end notes that a request was answered.
func (f *frugal) end() { f.busy-- }

// wake gives the server all processors.
func (f *frugal) wake() {
	if f.all > 0 {
		f.use(f.all)
		f.all = 0
	}
}
