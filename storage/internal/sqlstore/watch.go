package sqlstore

import (
	"context"
	"errors"
	"time"
)

// The change sequence grows by one with each commit that changed something.
const (
	selectSequence = `SELECT value FROM meta WHERE key = 'change_seq'`
	updateSequence = `UPDATE meta SET value = $1 WHERE key = 'change_seq'`
)

// Watch returns a channel with one slot. It is level-triggered: it holds a notice
// if something was committed since the last one was taken, by this process or
// another one, or a fault began or ended. The channel is closed when ctx ends or
// the store is closed.
func (s *Store) Watch(ctx context.Context) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	notice := make(chan struct{}, 1)
	if errors.Is(s.fault, ErrClosed) {
		close(notice)
		return notice
	}
	s.notices[notice] = true
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.notices[notice] {
			delete(s.notices, notice)
			close(notice)
		}
	})
	s.follow()
	return notice
}

// notify tells the watchers that something changed. The mutex is held.
func (s *Store) notify() {
	for notice := range s.notices {
		select {
		case notice <- struct{}{}:
		default: // One lies there.
		}
	}
}

// Fault returns why the database cannot be used now, nil when it can.
func (s *Store) Fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// report begins a fault if an error is one.
func (s *Store) report(err error) {
	if err != nil && s.config.Dialect.Fault(err) {
		s.setFault(err)
	}
}

// setFault begins a fault, or ends it with nil.
func (s *Store) setFault(fault error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(s.fault, ErrClosed) {
		return
	}
	if (s.fault == nil) != (fault == nil) {
		s.notify()
	}
	if s.fault = fault; fault != nil {
		select {
		case s.faulted <- struct{}{}:
		default: // The writer knows.
		}
	}
}

// observe reads the change sequence, on the writing connection: long reads may have
// all others. So it finds the changes of other processes, and faults.
func (s *Store) observe(ctx context.Context, anew bool) error {
	var sequence int64
	err := wrap("read the change sequence", s.pools.Load().Writer.QueryRowContext(ctx, selectSequence).Scan(&sequence))
	if err == nil && s.config.Look != nil {
		err = s.config.Look()
	}
	s.report(err)
	if err == nil {
		s.setSequence(sequence, anew)
	}
	return err
}

// setSequence notes the change sequence that was just read, and notifies the
// watchers if it is another one: after a failover that lost commits it is lower.
// anew notifies them in any case.
func (s *Store) setSequence(sequence int64, anew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Now()
	if anew || sequence != s.sequence {
		s.sequence = sequence
		s.notify()
	}
}

// Heard returns the time at which the change sequence was last read, with its
// monotonic reading; zero before the first.
func (s *Store) Heard() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}
