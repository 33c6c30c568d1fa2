package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

// maxBatch is how many changes share a commit at most. A larger batch stores no
// more events a second and only adds latency.
const maxBatch = 64

// errExited says that a change ended its goroutine (runtime.Goexit).
var errExited = errors.New("the change ended its goroutine")

// PanicError is a panic in a change. The change was rolled back.
type PanicError struct {
	Value any    // What was panicked with.
	Stack []byte // Where.
}

// Error returns the value that was panicked with.
func (e *PanicError) Error() string { return fmt.Sprintf("panic in a change: %v", e.Value) }

// changeError is a change's own error, as opposed to one of the commit.
type changeError struct{ error }

// Unwrap returns the change's error.
func (e changeError) Unwrap() error { return e.error }

// job is a change that waits for the writer.
type job struct {
	change func(*tx) error
	begun  atomic.Bool // By the writer, or given up by the caller.
	done   chan error  // One slot.
}

// writer runs changes on the one writing connection. One goroutine takes the
// jobs that wait, runs them in order in one transaction and commits once. When
// one of them fails, all are rolled back and each runs alone in a transaction
// of its own, so that none fails for another's error.
type writer struct {
	dialect Dialect
	files   Files
	faults  *faults
	open    func(ctx context.Context) (*session, error)
	notify  func(sequence int64) // Called after a commit that changed something.

	queue   chan *job
	ended   chan struct{} // Closed when the last job is done.
	handing sync.RWMutex  // Held for reading while a job is handed over.
	closed  bool
	using   sync.Mutex // Held while the connection is used.
	session *session   // Nil until the first change, and after an error.
}

// do runs a change and returns once it is durable. See [Store.Update].
func (w *writer) do(ctx context.Context, change func(*tx) error) error {
	j := &job{change: change, done: make(chan error, 1)}
	if err := w.hand(ctx, j); err != nil {
		return err
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		if j.begun.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-j.done
	}
}

// hand puts a job into the queue.
func (w *writer) hand(ctx context.Context, j *job) error {
	w.handing.RLock()
	defer w.handing.RUnlock()
	if w.closed {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case w.queue <- j:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run takes jobs until close.
func (w *writer) run(ctx context.Context) {
	defer close(w.ended)
	for first := range w.queue {
		batch := []*job{first}
		for len(batch) < maxBatch && len(w.queue) > 0 {
			batch = append(batch, <-w.queue)
		}
		w.using.Lock()
		w.answer(ctx, batch)
		w.using.Unlock()
	}
	w.drop(true)
}

// close refuses further jobs and waits for those that were handed over.
func (w *writer) close() {
	w.handing.Lock()
	w.closed = true
	close(w.queue)
	w.handing.Unlock()
	<-w.ended
}

// answer runs jobs and tells their callers what became of them.
func (w *writer) answer(ctx context.Context, batch []*job) {
	jobs := slices.DeleteFunc(batch, func(j *job) bool { return !j.begun.CompareAndSwap(false, true) })
	err := w.attempt(ctx, jobs)
	apart := len(jobs) > 1 && errors.As(err, new(changeError))
	for _, j := range jobs {
		if apart {
			err = w.attempt(ctx, []*job{j})
		}
		if own, is := err.(changeError); is { //nolint:errorlint // It is never wrapped.
			j.done <- own.error
			continue
		}
		j.done <- err
	}
}

// attempt runs jobs in one transaction unless there is a fault.
func (w *writer) attempt(ctx context.Context, jobs []*job) error {
	err := w.faults.current()
	if err == nil {
		err = w.transact(ctx, jobs)
		w.faults.report(err)
	}
	return err
}

// transact runs jobs in one transaction, commits it and looks whether the files
// are in their places. A [changeError] says that nothing was written.
func (w *writer) transact(ctx context.Context, jobs []*job) error {
	sequence, err := w.begin(ctx)
	if err != nil {
		return err
	}
	wrote, changed := false, false
	for _, j := range jobs {
		t := newTx(ctx, w.session)
		t.room = w.files.Room
		err := guard(j.change, t)
		t.over = true
		if err != nil {
			w.rollback(ctx)
			return changeError{err}
		}
		wrote, changed = wrote || t.wrote, changed || t.changed
	}
	if !wrote {
		w.rollback(ctx)
		return w.files.Check()
	}
	if changed {
		sequence++
		_, err = w.session.exec(ctx, updateSequence, sequence)
	}
	if err == nil {
		_, err = w.session.exec(ctx, "COMMIT")
	}
	if err != nil {
		w.drop(false)
		return fmt.Errorf("commit: %w", err)
	}
	err = w.files.Check()
	if err == nil && changed {
		w.notify(sequence)
	}
	return err
}

// guard runs a change and turns its panic into an error. The goroutine of its
// own keeps a change that calls runtime.Goexit from ending the writer.
func guard(change func(*tx) error, t *tx) error {
	result := make(chan error, 1)
	go func() {
		err := errExited
		defer func() {
			if value := recover(); value != nil {
				err = &PanicError{Value: value, Stack: debug.Stack()}
			}
			result <- err
		}()
		err = change(t)
	}()
	return <-result
}

// begin begins a transaction and returns the change sequence. Where the
// connection was lost since the last one, it begins on another.
func (w *writer) begin(ctx context.Context) (sequence int64, err error) {
	for {
		fresh := w.session == nil
		if fresh {
			if w.session, err = w.open(ctx); err != nil {
				return 0, err
			}
		}
		t := newTx(ctx, w.session)
		if _, err = t.exec(w.dialect.BeginWrite()); err == nil {
			sequence, err = one(t, scanOne[int64], selectSequence+w.dialect.ForUpdate())
		}
		if err == nil {
			return sequence, nil
		}
		w.drop(false)
		if fresh || !w.dialect.Lost(err) {
			return 0, fmt.Errorf("begin: %w", err)
		}
	}
}

func (w *writer) rollback(ctx context.Context) {
	if _, err := w.session.exec(ctx, "ROLLBACK"); err != nil {
		w.drop(false)
	}
}

// drop gives the connection back; sound says that nothing is open on it.
func (w *writer) drop(sound bool) {
	if w.session != nil {
		w.session.release(sound)
		w.session = nil
	}
}
