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
	if f.set(err) == nil {
		f.notify()
		signal(f.raised)
	}
}

// end closes the circuit: the database can be used again.
func (f *faults) end() {
	_ = f.set(nil)
	f.notify()
}

func (f *faults) set(fault error) (before error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before, f.fault = f.fault, fault
	return before
}

// signal puts a notice into a channel with one slot, unless one lies there.
func signal(notice chan<- struct{}) {
	select {
	case notice <- struct{}{}:
	default:
	}
}
