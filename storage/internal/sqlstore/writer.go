package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// maxBatch is how many changes share a commit at most. A larger batch stores no
// more events a second and only adds latency.
const maxBatch = 64

// ErrClosed says that the store was closed before the change was begun.
var ErrClosed = errors.New("the store is closed")

// The change sequence grows by one with each commit that changed something.
const (
	selectSequence = `SELECT value FROM meta WHERE key = 'change_seq'`
	updateSequence = `UPDATE meta SET value = $1 WHERE key = 'change_seq'`
)

// job is a change that waits for the writer.
type job struct {
	change func(*tx) error
	done   chan error // One slot.
}

// do runs a change and returns once it is durable. See [Store.Update].
func (s *Store) do(ctx context.Context, change func(*tx) error) error {
	s.calls.RLock()
	defer s.calls.RUnlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.Fault(); err != nil {
		return err
	}
	j := job{change: change, done: make(chan error, 1)}
	select {
	case s.queue <- j:
		return <-j.done
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write runs the changes on the one writing connection, and polls, until ctx ends.
// It takes the jobs that wait, runs them in order in one transaction and commits
// once.
func (s *Store) write(ctx context.Context) {
	ticker := time.NewTicker(s.config.Poll)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			s.drop(true)
			return
		case first := <-s.queue:
			s.runBatch(ctx, first)
		case anew := <-s.changes:
			s.observe(ctx, anew)
		case <-ticker.C:
			s.poll(ctx)
		case <-s.faulted:
			if time.Since(s.tried) >= s.config.Poll {
				s.poll(ctx)
			}
		}
	}
}

// runBatch runs a job with those that wait behind it, and tells their callers what
// became of them. When one of them fails, all were rolled back and each runs alone
// in a transaction of its own, so that none fails for another's error.
func (s *Store) runBatch(ctx context.Context, first job) {
	jobs := []job{first}
	for waiting := true; waiting && len(jobs) < maxBatch; {
		select {
		case next := <-s.queue:
			jobs = append(jobs, next)
		default:
			waiting = false
		}
	}
	refused, err := s.attempt(ctx, jobs)
	for _, j := range jobs {
		if refused && len(jobs) > 1 {
			_, err = s.attempt(ctx, []job{j})
		}
		j.done <- err
	}
}

// attempt runs jobs in one transaction unless there is a fault.
func (s *Store) attempt(ctx context.Context, jobs []job) (refused bool, err error) {
	if err = s.Fault(); err == nil {
		refused, err = s.transact(ctx, jobs)
		s.report(err)
	}
	return refused, err
}

// transact runs jobs in one transaction, commits it and looks whether the files
// are in their places. refused says that a change failed by itself, so that
// nothing was written.
func (s *Store) transact(ctx context.Context, jobs []job) (refused bool, err error) {
	var sequence int64
	err = s.connected(ctx, func(t *tx) error {
		if err := t.write("begin", s.config.Dialect.BeginWrite); err != nil {
			return err
		}
		sequence, err = one(t, "begin", column[int64], selectSequence+s.config.Dialect.ForUpdate)
		return err
	})
	if err != nil {
		return false, err
	}
	changed := false
	for _, j := range jobs {
		t := newTx(ctx, s.conn)
		t.room = s.config.Room
		if err := t.run(j.change); err != nil {
			if _, failed := s.conn.exec(ctx, "ROLLBACK", nil); failed != nil {
				s.drop(false)
			}
			return true, err
		}
		changed = changed || t.changed
	}
	if changed {
		sequence++
		_, err = s.conn.exec(ctx, updateSequence, []any{sequence})
	}
	if err == nil {
		_, err = s.conn.exec(ctx, "COMMIT", nil)
	}
	if err != nil { // Nobody knows whether it is written.
		s.drop(false)
		return false, fmt.Errorf("commit: %w", err)
	}
	if s.config.Check != nil {
		err = s.config.Check()
	}
	if err == nil && changed {
		s.sequence = sequence
		s.notify()
	}
	return false, err
}

// connected begins something on the writing connection, and where that was lost
// since the last time, on another one.
func (s *Store) connected(ctx context.Context, begin func(*tx) error) (err error) {
	fresh := s.conn == nil
	if fresh {
		if s.conn, err = connect(ctx, s.pools.Load().Writer, s.config.Dialect.Prepares); err != nil {
			return err
		}
	}
	if err = begin(newTx(ctx, s.conn)); err == nil {
		return nil
	}
	s.drop(false)
	if !fresh && s.config.Dialect.Lost(err) {
		return s.connected(ctx, begin)
	}
	return err
}

// drop gives the connection back; sound says that nothing is open on it.
func (s *Store) drop(sound bool) {
	if s.conn != nil {
		s.conn.release(sound)
		s.conn = nil
	}
}

// poll looks for faults and for the changes of other processes, and while there is
// a fault tries to end it.
func (s *Store) poll(ctx context.Context) {
	if s.Fault() == nil {
		s.observe(ctx, false)
	}
	fault := s.fault.Load()
	if fault == nil {
		return
	}
	s.drop(false)
	s.tried = time.Now()
	pools, err := s.config.Reopen(ctx, *s.pools.Load())
	if err == nil {
		s.pools.Store(&pools)
		_, err = s.transact(ctx, []job{{change: probe}}) // It can be written to.
	}
	if err != nil {
		s.report(err)
		return
	}
	if s.fault.CompareAndSwap(fault, nil) { // Else the store was closed meanwhile.
		s.notify()
	}
}

// observe notifies the watchers if the change sequence is another one: after a
// failover that lost commits it is lower. anew notifies them in any case.
func (s *Store) observe(ctx context.Context, anew bool) {
	sequence, err := s.look(ctx)
	s.report(err)
	if err == nil && (anew || sequence != s.sequence) {
		s.sequence = sequence
		s.notify()
	}
}

// look reads the change sequence, on the writing connection: long reads may have
// all others.
func (s *Store) look(ctx context.Context) (sequence int64, err error) {
	err = s.connected(ctx, func(t *tx) error {
		if sequence, err = one(t, "read the change sequence", column[int64], selectSequence); err != nil {
			return err
		}
		s.noteAnswer()
		return s.config.Look(ctx, t.conn.Conn)
	})
	return sequence, err
}
