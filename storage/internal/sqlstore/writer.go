package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// maxBatch is how many changes share a commit at most. Beyond about 64 a
// larger batch stores no more events a second and only adds latency.
const maxBatch = 128

// errEnded answers what was left behind by a goroutine that was ended from
// inside a change (runtime.Goexit). The writer's own is not replaced.
var errEnded = errors.New("the store's writer has ended")

// PanicError is a panic in a change. The change was taken back.
type PanicError struct {
	Value any    // What was panicked with.
	Stack []byte // Where.
}

// Error returns the value that was panicked with.
func (e *PanicError) Error() string { return fmt.Sprintf("panic in a change: %v", e.Value) }

// writer owns the writing connection.
type writer struct {
	pool    *sql.DB
	dialect Dialect
	queue   *queue
	wake    func(sequence int64)
	tally   *tally
	doctor  *doctor
	busy    sync.Mutex // Held while something is written.
	session *session   // Nil until the first change, and after a fault.
	doubted bool       // A commit failed, and none succeeded since.
	numbers numbers    // As the session's last commit left them.
}

// numbers are a change sequence, and the last number that was given to an event
// until then, or 0 when nobody knows. While the sequence stands there, nobody
// has stored an event since.
type numbers struct{ sequence, event int64 }

// do runs a change and waits for its answer. See [Store.Update].
func (w *writer) do(ctx context.Context, change func(*transaction) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	j := &job{change: change, answer: make(chan error, 1)}
	own, err := w.queue.offer(j)
	if err != nil {
		return err
	}
	if own {
		w.doAlone(context.WithoutCancel(ctx), j)
		return <-j.answer
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

// doAlone does a job on its caller's goroutine. Where nothing else waits, to
// hand it over and to be woken by the answer costs more than the change.
func (w *writer) doAlone(ctx context.Context, j *job) {
	defer w.queue.rest()
	w.work(ctx, []*job{j})
}

// run does the queue's jobs until the queue is closed and empty.
func (w *writer) run(ctx context.Context) {
	var jobs []*job
	defer func() {
		refuse(jobs, errEnded)
		w.queue.abandon(errEnded)
	}()
	// Now rather than at the first change, which then need not wait for it. A
	// failure is the next change's to report.
	_ = w.doctor.attend(w.doctor.keeper.Begin, func() error { return w.connect(ctx) })
	for {
		if jobs = w.queue.next(maxBatch); len(jobs) == 0 {
			_ = w.doctor.attend(w.doctor.keeper.Begin, func() error { return w.settle(ctx) })
			return
		}
		for len(jobs) > 0 {
			jobs = w.work(ctx, jobs)
		}
	}
}

// work runs jobs in one transaction, answers them, and returns those that were
// not begun because the transaction was lost. While there is a fault they are
// all refused.
func (w *writer) work(ctx context.Context, jobs []*job) (left []*job) {
	err := w.doctor.attend(w.doctor.keeper.Begin, func() error {
		left = w.perform(ctx, jobs)
		return nil
	})
	if err != nil {
		refuse(jobs, err)
	}
	return left
}

// perform does what work says, whatever the doctor says.
func (w *writer) perform(ctx context.Context, jobs []*job) []*job {
	w.busy.Lock()
	defer w.busy.Unlock()
	if len(jobs) == 1 {
		left, _ := w.attempt(ctx, jobs, alone)
		return left
	}
	left, failed := w.attempt(ctx, jobs, together)
	if failed {
		left, _ = w.attempt(ctx, jobs, apart)
	}
	return left
}

// attempt makes the changes of jobs in one transaction and answers them. It
// returns those that were not begun because the transaction was lost, or failed
// and no answer where the changes were made together and one of them failed.
func (w *writer) attempt(ctx context.Context, jobs []*job, way way) (left []*job, failed bool) {
	b, err := w.begin(ctx)
	if err != nil {
		w.drop()
		w.doctor.note(err)
		refuse(jobs, err)
		return nil, false
	}
	b.way = way
	defer w.abandon(b)
	for i, j := range jobs {
		if !j.claim() {
			continue
		}
		if err := b.apply(ctx, j); err != nil {
			if way == together && w.doctor.found() == nil {
				w.takeBack(ctx, b)
				return nil, true
			}
			w.drop()
			w.doctor.note(err)
			b.answer(fmt.Errorf("the transaction was lost: %w", err))
			return jobs[i+1:], false
		}
	}
	w.end(ctx, b)
	return nil, false
}

// takeBack ends a batch as if it had never been.
func (w *writer) takeBack(ctx context.Context, b *batch) {
	w.rollBack(ctx)
	b.held, b.current = nil, nil
}

func (w *writer) rollBack(ctx context.Context) {
	if _, err := w.session.exec(ctx, "ROLLBACK"); err != nil {
		w.drop()
	}
}

// connect opens the connection if there is none.
func (w *writer) connect(ctx context.Context) (err error) {
	if w.session == nil {
		w.session, err = newSession(ctx, w.pool)
	}
	return err
}

// begin begins a transaction. Where the connection was lost since the last one
// it is begun on another.
func (w *writer) begin(ctx context.Context) (*batch, error) {
	b, err := w.tryBegin(ctx)
	if err != nil && w.dialect.Lost(err) {
		w.drop()
		b, err = w.tryBegin(ctx)
	}
	return b, err
}

func (w *writer) tryBegin(ctx context.Context) (*batch, error) {
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	if _, err := w.session.exec(ctx, w.dialect.BeginWrite()); err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	b := &batch{calls: newCalls(ctx, w.session), session: w.session, begun: time.Now(), writer: w}
	sequence, err := pick[int64](ctx, w.session, selectSequence+w.dialect.ForUpdate())
	if err != nil {
		return nil, fmt.Errorf("read the change sequence: %w", err)
	}
	b.sequence = sequence + 1
	if sequence == w.numbers.sequence {
		b.events = w.numbers.event
	}
	return b, nil
}

// end commits what the batch wrote and answers its changes. After a fault
// nothing is assumed about the connection: the next batch has a new one.
func (w *writer) end(ctx context.Context, b *batch) {
	if b.spoilt || !b.wrote && !w.mustCommit() {
		w.rollBack(ctx)
		err := w.doctor.keeper.Look()
		if err == nil {
			w.tally.add(b.repeated)
		}
		w.doctor.note(err)
		b.answer(err)
		return
	}
	changed := time.Now()
	err := b.commit()
	if err != nil {
		w.drop()
	} else {
		w.queue.weigh(time.Since(changed), changed.Sub(b.begun), len(b.held))
		w.tally.clear()
		w.numbers = numbers{b.reached(), b.events}
		err = w.doctor.keeper.Committed(b.reached())
	}
	w.doubted = err != nil
	w.doctor.note(err)
	if err == nil && b.changed {
		w.wake(b.sequence)
	}
	b.answer(err)
}

// mustCommit tells whether even a batch that wrote nothing is committed. After
// a failed commit what is read may not be on disk, so that nobody is told of a
// duplicate before something reached it again.
func (w *writer) mustCommit() bool {
	_, full := w.tally.due()
	return full || w.doubted
}

// settle writes the counts that wait, before the writer ends. They are no
// reason to complain.
func (w *writer) settle(ctx context.Context) error {
	if some, _ := w.tally.due(); !some {
		return nil
	}
	b, err := w.begin(ctx)
	if err == nil {
		err = b.commit()
	}
	if err == nil {
		w.tally.clear()
	}
	return err
}

// prove writes to the database, durably, as a change does.
func (w *writer) prove(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.doctor.keeper.Look(); err != nil {
		return err
	}
	probe := &job{answer: make(chan error, 1), change: func(tx *transaction) error {
		_, err := tx.probe()
		return err
	}}
	w.perform(context.WithoutCancel(ctx), []*job{probe})
	return <-probe.answer
}

// execute runs a statement on the connection, if there is one, and returns the
// first number of its result.
func (w *writer) execute(ctx context.Context, text string) (int64, error) {
	if w.session == nil {
		return 0, nil
	}
	return w.session.first(ctx, text)
}

func (w *writer) drop() {
	if w.session != nil {
		w.session.drop()
		w.session, w.numbers = nil, numbers{}
	}
}

// abandon answers what is left of a batch whose goroutine is ended from inside
// a change, which the database takes back with its connection.
func (w *writer) abandon(b *batch) {
	if b.current != nil {
		w.drop()
		b.answer(errEnded)
	}
}
