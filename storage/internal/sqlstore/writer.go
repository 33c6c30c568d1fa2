package sqlstore

import (
	"context"
	"fmt"
	"time"

	"checkout/till/payments"
)

// maxBatch is the maximum number of changes that share a commit. A larger batch stores no
// more events per second and only adds latency.
const maxBatch = 64

// maxTurn is how long a batch may take before it commits and the rest of it waits for another
// transaction: other processes wait for their turn, and a server ends their wait after some seconds.
const maxTurn = time.Second

type job struct {
	change func(*tx) error
	done   chan error // Receives the result. It has one slot, so that the writer never blocks.
}

// do runs a change and returns after it is durable. See [Store.Update].
func (s *Store) do(ctx context.Context, change func(*tx) error) error {
	s.calls.RLock()
	defer s.calls.RUnlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.Outage(); err != nil {
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

// write runs the queued changes on the only write connection until ctx ends. It also polls
// for changes by other processes, and during an outage tries to reopen the database.
func (s *Store) write(ctx context.Context) {
	ticker := time.NewTicker(s.config.Poll)
	defer ticker.Stop()
	var tried time.Time // When write last tried to reopen the database.
	for {
		select {
		case <-ctx.Done():
			return
		case first := <-s.queue:
			s.runBatch(ctx, first)
		case <-ticker.C:
			if s.Outage() == nil {
				_ = s.observe(ctx) // Ignore the error: observe has reported it already.
			}
			if s.Outage() != nil {
				tried = time.Now()
				s.reopen(ctx)
			}
		case <-s.faulted: // Try to reopen immediately: most faults are a lost connection to a server that still runs.
			if time.Since(tried) >= s.config.Poll {
				tried = time.Now()
				s.reopen(ctx)
			}
		}
	}
}

// batch returns the first job and the jobs that are queued now, at most [maxBatch] in all.
func (s *Store) batch(first job) []job {
	jobs := []job{first}
	for len(jobs) < maxBatch {
		select {
		case next := <-s.queue:
			jobs = append(jobs, next)
		default:
			return jobs
		}
	}
	return jobs
}

// runBatch runs the queued jobs in one transaction, or in several if they take longer than maxTurn. It
// sends each caller its result. If one of the changes of a transaction fails, each runs again in a
// separate transaction.
func (s *Store) runBatch(ctx context.Context, first job) {
	for jobs := s.batch(first); len(jobs) > 0; {
		ran, rolledBack, err := s.attempt(ctx, jobs)
		for _, j := range jobs[:ran] {
			if rolledBack && ran > 1 {
				_, _, err = s.attempt(ctx, []job{j})
			}
			j.done <- err
		}
		jobs = jobs[ran:]
	}
}

// attempt runs the first of the jobs in one transaction, and returns how many it ran.
func (s *Store) attempt(ctx context.Context, jobs []job) (ran int, rolledBack bool, err error) {
	ran = len(jobs)
	if err = s.Outage(); err == nil {
		lost := false
		err = retried(func() (err error) {
			ran, rolledBack, lost, err = s.transact(ctx, jobs)
			return err
		})
		s.report(err)
		if lost {
			err = unknown(err)
		}
	}
	return ran, rolledBack, err
}

// transact runs jobs in one transaction, commits it and calls CheckCommit. It returns how many of the
// jobs it ran. It always runs one, and stops after maxTurn. If rolledBack is true, a change or a statement
// before the commit failed, and nothing was written. If the commit may have taken place despite the
// error, and would have changed something, lost is true.
func (s *Store) transact(ctx context.Context, jobs []job) (ran int, rolledBack, lost bool, err error) {
	t, err := begin(ctx, s.pools.Load().Writer, s.config.Dialect, s.config.Dialect.BeginWrite)
	if err != nil {
		return len(jobs), false, false, err
	}
	sound := false
	defer func() { t.release(sound) }()
	if turn := s.config.Dialect.Turn; turn != "" {
		t.queue(&Statement{What: "wait for the turn", Text: turn})
	}
	s.askHead(t, s.config.Dialect.ForUpdate)
	for began := time.Now(); ran < len(jobs) && (ran == 0 || time.Since(began) < maxTurn); ran++ {
		if err := newTx(t.transaction, s.config.Room).run(jobs[ran].change); err != nil {
			sound = t.rollBack()
			return ran + 1, true, false, err
		}
	}
	// The last statements are usually sent together with the commit. Send them now if BEGIN was not
	// sent yet, if it is unknown whether a row was changed, or if one of several changes may fail.
	if len(t.head) == 0 || !t.changed || ran > 1 {
		err := t.flush()
		if err == nil {
			_, err = t.readHead()
		}
		if err != nil {
			sound = t.rollBack()
			return ran, true, false, err
		}
	}
	head := &t.head[0]
	changed := t.changed
	if changed {
		head.sequence++
		t.queue(&Statement{
			What: "count the change", Text: `UPDATE meta SET value = $1, transfers = $2, digest = $3 WHERE key = 'change_seq'`,
			Args: []any{head.sequence, head.Last, head.Digest},
		})
	}
	t.queue(&Statement{What: "commit", Text: "COMMIT"})
	if err := t.flush(); err != nil { // The commit may have taken place, so the jobs must not run again.
		return ran, false, changed && s.config.Dialect.Lost(err), err
	}
	sound = true
	if s.config.CheckCommit != nil {
		err = s.config.CheckCommit()
	}
	if err == nil {
		s.setSequence(head.sequence)
	}
	return ran, false, changed && err != nil, err
}

// unknown wraps the error of a commit that may have taken place.
func unknown(err error) error { return fmt.Errorf("%w (%w)", payments.ErrCommitUnknown, err) }

// lost returns the error of a COMMIT, which wraps [payments.ErrCommitUnknown] if the commit may have
// taken place.
func (d Dialect) lost(err error) error {
	if err != nil && d.Lost(err) {
		err = unknown(err)
	}
	return err
}

// reopen reopens the database. It ends the fault if a test write and a poll then succeed.
func (s *Store) reopen(ctx context.Context) {
	pools, err := s.config.Reopen(ctx, *s.pools.Load())
	if err == nil {
		s.pools.Store(&pools)
		_, _, _, err = s.transact(ctx, []job{{change: probe}}) // Test that the database can be written.
	}
	if err == nil {
		err = s.observe(ctx)
	}
	if err == nil {
		s.setFault(nil)
	} else {
		s.report(err)
	}
}
