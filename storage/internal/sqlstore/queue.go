package sqlstore

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// job is a change that waits for the writer, is run by it, or was withdrawn.
type job struct {
	change func(*transaction) error
	taken  atomic.Bool // By the writer, to be run; or by the caller, to be dropped.
	answer chan error  // One slot: the writer never waits for a caller.
}

// take claims the job. It is true once: for the writer, who then runs and
// answers it, or for the caller, who then leaves.
func (j *job) take() bool { return j.taken.CompareAndSwap(false, true) }

// queue holds the jobs that wait, in the order in which they came. It is
// bounded by its callers, each of whom waits for one job.
type queue struct {
	mu     sync.Mutex
	jobs   []*job
	closed error         // Why nothing is accepted any more.
	ready  chan struct{} // One slot: something waits, or the queue was closed.
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// do hands a change over and waits for its answer. See [Store.Update].
func (q *queue) do(ctx context.Context, change func(*transaction) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{change: change, answer: make(chan error, 1)}
	if err := q.push(j); err != nil {
		return err
	}
	select {
	case err := <-j.answer:
		return err
	case <-ctx.Done():
		if j.take() {
			return ctx.Err()
		}
		return <-j.answer
	}
}

func (q *queue) push(j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed != nil {
		return q.closed
	}
	q.jobs = append(q.jobs, j)
	q.signal()
	return nil
}

func (q *queue) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// next waits for jobs and returns at most limit of them; none once the queue
// is closed and empty. It gathers them where a commit is dear.
func (q *queue) next(limit int, dear bool) []*job {
	for {
		if dear {
			q.gather(limit)
		}
		q.mu.Lock()
		jobs, closed := q.jobs[:min(limit, len(q.jobs))], q.closed
		q.jobs = q.jobs[len(jobs):]
		if len(q.jobs) == 0 {
			q.jobs = nil
		}
		q.mu.Unlock()
		if len(jobs) > 0 || closed != nil {
			return jobs
		}
		<-q.ready
	}
}

// gather lets the callers run that are about to hand something over, for as
// long as some do. Where there is one caller it returns at once; where there are
// many, more of them share a commit. Where a commit is cheap that is no gain:
// the callers who were answered last can do their part while the changes of the
// others are made.
func (q *queue) gather(limit int) {
	for before := 0; ; {
		q.mu.Lock()
		waiting := len(q.jobs)
		q.mu.Unlock()
		if waiting <= before || waiting >= limit {
			return
		}
		before = waiting
		runtime.Gosched()
	}
}

// close refuses what comes from now on; what waits is still done.
func (q *queue) close() { q.shut(ErrClosed) }

// abandon refuses what waits and what comes from now on.
func (q *queue) abandon(reason error) {
	q.shut(reason)
	q.mu.Lock()
	defer q.mu.Unlock()
	refuse(q.jobs, reason)
	q.jobs = nil
}

// refuse answers the jobs that nobody has taken.
func refuse(jobs []*job, reason error) {
	for _, j := range jobs {
		if j.take() {
			j.answer <- reason
		}
	}
}

func (q *queue) shut(reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed == nil {
		q.closed = reason
	}
	q.signal()
}
