package sqlstore

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// job is a change that waits for the writer, is run by it, or was withdrawn.
type job struct {
	change func(*transaction) error
	taken  atomic.Bool // By the writer, to be run; or by the caller, to be dropped.
	answer chan error  // One slot: the writer never waits for a caller.
	// What only the writer knows: that it took the job, and answered it.
	mine, answered bool
}

// take claims the job. It is true once: for the writer, who then runs and
// answers it, or for the caller, who then leaves.
func (j *job) take() bool { return j.taken.CompareAndSwap(false, true) }

// claim tells the writer whether it is to run or refuse the job.
func (j *job) claim() bool {
	if !j.mine {
		j.mine = j.take()
	}
	return j.mine && !j.answered
}

// reply tells the caller what became of the job, which was claimed.
func (j *job) reply(err error) {
	j.answered = true
	j.answer <- err
}

// queue holds the jobs that wait, in the order in which they came. It is
// bounded by its callers, each of whom waits for one job. Only one goroutine is
// at work at a time: whom next or offer told to be.
type queue struct {
	slow atomic.Bool // The last commit was.

	mu     sync.Mutex
	jobs   []*job
	busy   bool          // Somebody is at work.
	crowd  bool          // What was taken last was more than one job.
	closed error         // Why nothing is accepted any more.
	ready  chan struct{} // One slot: something waits and nobody is at work, or the queue was closed.
}

// newQueue returns a queue at which its maker is at work, until next.
func newQueue() *queue { return &queue{busy: true, ready: make(chan struct{}, 1)} }

// offer takes a job into the queue. Where nobody is at work the caller is told
// to be, until rest: the job is then not in the queue. Where callers come in
// crowds it is left to the others, who can be done together.
func (q *queue) offer(j *job) (own bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed != nil {
		return false, q.closed
	}
	if !q.busy && !q.crowd && len(q.jobs) == 0 {
		q.busy = true
		return true, nil
	}
	q.jobs = append(q.jobs, j)
	if !q.busy {
		q.signal()
	}
	return false, nil
}

// rest says that the work is done which the caller was told to do.
func (q *queue) rest() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy = false
	if len(q.jobs) > 0 || q.closed != nil {
		q.signal()
	}
}

func (q *queue) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// next says that the caller has done what it took before, waits for jobs and
// returns at most limit of them; none once the queue is closed and empty.
func (q *queue) next(limit int) []*job {
	for q.rest(); ; <-q.ready {
		if q.slow.Load() {
			q.gather(limit)
		} else {
			q.gather(fewest)
		}
		if jobs, over := q.take(limit); over || len(jobs) > 0 {
			return jobs
		}
	}
}

// take takes jobs, unless somebody is at work. over says that there will be
// none any more.
func (q *queue) take(limit int) (jobs []*job, over bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.busy {
		return nil, false
	}
	jobs = q.jobs[:min(limit, q.share())]
	if q.jobs = q.jobs[len(jobs):]; len(q.jobs) == 0 {
		q.jobs = nil
	}
	q.busy, q.crowd = len(jobs) > 0, len(jobs) > 1
	return jobs, q.closed != nil && len(jobs) == 0
}

const (
	// So many jobs are worth a commit of their own where it is quick.
	fewest = 32
	// A commit that takes longer than so many changes is slow.
	many = 100
)

// weigh learns from a commit how long it took beside so many changes.
func (q *queue) weigh(commit, changes time.Duration, made int) {
	q.slow.Store(commit*time.Duration(made) > many*changes)
}

// share is how many of the jobs that wait are to share a commit. Where it is
// quick it is half of a crowd: while their changes are made, the callers of the
// other half can do their part, and the other way round.
func (q *queue) share() int {
	if q.slow.Load() {
		return len(q.jobs)
	}
	return min(len(q.jobs), max(fewest, len(q.jobs)/2))
}

// gather lets the callers run that are about to hand something over, for as
// long as some do and fewer than enough wait. Where there is one caller it
// returns at once; where there are many, more of them share a commit.
func (q *queue) gather(enough int) {
	for before := 0; ; {
		q.mu.Lock()
		waiting := len(q.jobs)
		q.mu.Unlock()
		if waiting <= before || waiting >= enough {
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

// refuse answers the jobs that nobody has answered and whose callers wait.
func refuse(jobs []*job, reason error) {
	for _, j := range jobs {
		if j.claim() {
			j.reply(reason)
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
