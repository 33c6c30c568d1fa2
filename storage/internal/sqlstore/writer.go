package sqlstore

import (
	"context"
	"fmt"
	"time"

	"checkout/till/payments"
)

// maxBatch is the maximum number of changes that share a commit. A larger batch would make each
// change wait longer.
const maxBatch = 64

// maxTurn is the longest time for which one transaction runs the changes of a batch; the rest of the
// batch waits for the next transaction. It is short, because other processes wait for the end of the
// transaction, and a database server makes such a wait fail after some seconds.
const maxTurn = time.Second

type job struct {
	change func(*tx) error
	done   chan error // Receives the result. It has one slot, so that the writer never blocks.
}

// do runs a change and returns after it is durable.
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
			// A context that cannot end spares the driver a goroutine for each statement. Close
			// waits for the changes anyway, before it ends ctx.
			s.runBatch(context.WithoutCancel(ctx), first)
		case <-ticker.C:
			if s.Outage() == nil {
				_ = s.observe(ctx) // Ignore the error: observe reports it itself.
			}
			if s.Outage() != nil {
				tried = time.Now()
				s.reopen(ctx)
			}
		case <-s.faulted: // Try to reopen immediately: the most frequent fault is a lost connection to a server that still runs.
			if time.Since(tried) >= s.config.Poll {
				tried = time.Now()
				s.reopen(ctx)
			}
		}
	}
}

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

// runBatch runs the queued jobs in one transaction, or in several if they take longer than maxTurn.
// It sends each caller the result. If one of the changes of a transaction fails, each of them runs
// again in a transaction of its own.
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

// attempt runs jobs in one transaction until maxTurn is over, and returns how many it ran.
// rolledBack is true if nothing was written because a change or a statement failed. During an
// outage, no job runs, but all jobs count as run and get the outage as their error.
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

// transact runs jobs in one transaction, commits it and calls CheckCommit. ran is how many of the
// jobs have their result: at least one, and no more after maxTurn. If the transaction cannot begin,
// that is all of them. rolledBack is true if a change failed, or a statement that was sent before the
// commit, so that nothing was written. lost is true if there were
// changes to write, and the commit may have taken place despite the error.
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
	if t.head == nil || !t.changed || ran > 1 {
		err := t.flush()
		if err == nil {
			_, err = t.readHead()
		}
		if err != nil {
			sound = t.rollBack()
			return ran, true, false, err
		}
	}
	changed := t.changed
	if changed {
		t.head.sequence++
		t.queue(&Statement{
			What: "count the change", Text: `UPDATE meta SET value = $1, transfers = $2, digest = $3 WHERE key = 'change_seq'`,
			Args: []any{t.head.sequence, t.head.Last, t.head.Digest},
		})
	}
	t.queue(&Statement{What: "commit", Text: "COMMIT"})
	if err := t.flush(); err != nil { // Do not run the jobs again: the commit may have taken place.
		return ran, false, changed && s.config.Dialect.Lost(err), err
	}
	sound = true
	if s.config.CheckCommit != nil {
		err = s.config.CheckCommit()
	}
	if err == nil {
		s.setSequence(t.head.sequence)
	}
	return ran, false, changed && err != nil, err
}

func unknown(err error) error { return fmt.Errorf("%w (%w)", payments.ErrCommitUnknown, err) }

// lost adds [payments.ErrCommitUnknown] to the error of a COMMIT if the commit may have taken
// place.
func (d Dialect) lost(err error) error {
	if err != nil && d.Lost(err) {
		err = unknown(err)
	}
	return err
}

// reopen reopens the database. If a test write and a poll then succeed, the outage ends.
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
