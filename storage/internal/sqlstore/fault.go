package sqlstore

import "sync"

// faults is a circuit breaker: while there is a fault every call fails with it at
// once.
type faults struct {
	is     func(error) bool // Classifies errors.
	notify func()           // Called when a fault begins or ends.
	raised chan struct{}    // One slot: a fault began.

	mu    sync.Mutex
	fault error
}

func newFaults(is func(error) bool, notify func()) *faults {
	return &faults{is: is, notify: notify, raised: make(chan struct{}, 1)}
}

// current returns the fault that there is.
func (f *faults) current() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fault
}

// report opens the circuit if an error is a fault.
func (f *faults) report(err error) {
	if err == nil || !f.is(err) {
		return
	}
	f.mu.Lock()
	begun := f.fault == nil
	f.fault = err
	f.mu.Unlock()
	if begun {
		f.notify()
		select {
		case f.raised <- struct{}{}:
		default:
		}
	}
}

// end closes the circuit: the database can be used again.
func (f *faults) end() {
	f.mu.Lock()
	f.fault = nil
	f.mu.Unlock()
	f.notify()
}
