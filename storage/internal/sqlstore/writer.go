package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
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
	begun  atomic.Bool // By the writer, or given up by the caller.
	done   chan error  // One slot.
}

// writer runs changes on the one writing connection. One goroutine takes the
// jobs that wait, runs them in order in one transaction and commits once. When
// one of them fails, all are rolled back and each runs alone in a transaction
// of its own, so that none fails for another's error.
type writer struct {
	dialect Dialect
	check   func() error // See [Config].
	room    func() error
	fault   func() error
	report  func(error)
	connect func(ctx context.Context) (*conn, error)
	notify  func(sequence int64) // Called after a commit that changed something.

	queue   chan *job
	closing chan struct{} // Closed when no further job is taken,
	ended   chan struct{} // and when the last one is done.
	using   sync.Mutex    // Held while the connection is used.
	conn    *conn         // Nil until the first change, and after an error.
}

// do runs a change and returns once it is durable. See [Store.Update].
func (w *writer) do(ctx context.Context, change func(*tx) error) error {
	err := ctx.Err()
	if err != nil {
		return err
	}
	j := &job{change: change, done: make(chan error, 1)}
	select {
	case w.queue <- j:
	case <-w.closing:
		return ErrClosed
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		err = ctx.Err()
	case <-w.ended:
		err = ErrClosed
	}
	if j.begun.CompareAndSwap(false, true) {
		return err
	}
	return <-j.done
}

func (w *writer) run(ctx context.Context) {
	defer close(w.ended)
	for open := true; open || len(w.queue) > 0; {
		select {
		case <-w.closing:
			open = false
		case first := <-w.queue:
			batch := []*job{first}
			for len(batch) < maxBatch && len(w.queue) > 0 {
				batch = append(batch, <-w.queue)
			}
			w.answer(ctx, batch)
		}
	}
	w.drop(true)
}

// close refuses further jobs and waits for those that were handed over.
func (w *writer) close() {
	close(w.closing)
	<-w.ended
}

// answer runs jobs and tells their callers what became of them.
func (w *writer) answer(ctx context.Context, batch []*job) {
	w.using.Lock()
	defer w.using.Unlock()
	jobs := slices.DeleteFunc(batch, func(j *job) bool { return !j.begun.CompareAndSwap(false, true) })
	refused, err := w.attempt(ctx, jobs)
	for _, j := range jobs {
		if refused && len(jobs) > 1 {
			_, err = w.attempt(ctx, []*job{j})
		}
		j.done <- err
	}
}

// attempt runs jobs in one transaction unless there is a fault.
func (w *writer) attempt(ctx context.Context, jobs []*job) (refused bool, err error) {
	if err = w.fault(); err == nil {
		refused, err = w.transact(ctx, jobs)
		w.report(err)
	}
	return refused, err
}

// transact runs jobs in one transaction, commits it and looks whether the files
// are in their places. refused says that a change failed by itself, so that
// nothing was written.
func (w *writer) transact(ctx context.Context, jobs []*job) (refused bool, err error) {
	sequence, err := w.begin(ctx)
	if err != nil {
		return false, err
	}
	changed := false
	for _, j := range jobs {
		t := newTx(ctx, w.conn, w.room)
		if err := t.run(j.change); err != nil {
			w.rollback(ctx)
			return true, err
		}
		changed = changed || t.changed
	}
	if changed {
		sequence++
		_, err = w.conn.exec(ctx, updateSequence, []any{sequence})
	}
	if err == nil {
		_, err = w.conn.exec(ctx, "COMMIT", nil)
	}
	if err != nil { // Nobody knows whether it is written.
		w.drop(false)
		return false, fmt.Errorf("commit: %w", err)
	}
	if err = w.check(); err == nil && changed {
		w.notify(sequence)
	}
	return false, err
}

// begin begins a transaction and returns the change sequence. Where the
// connection was lost since the last one, it begins on another.
func (w *writer) begin(ctx context.Context) (sequence int64, err error) {
	fresh := w.conn == nil
	if fresh {
		if w.conn, err = w.connect(ctx); err != nil {
			return 0, err
		}
	}
	t := newTx(ctx, w.conn, w.room)
	if err = t.write("begin", w.dialect.BeginWrite); err == nil {
		sequence, err = one(t, "begin", column[int64], selectSequence+w.dialect.ForUpdate)
	}
	if err == nil {
		return sequence, nil
	}
	w.drop(false)
	if !fresh && w.dialect.Lost(err) {
		return w.begin(ctx)
	}
	return 0, err
}

func (w *writer) rollback(ctx context.Context) {
	if _, err := w.conn.exec(ctx, "ROLLBACK", nil); err != nil {
		w.drop(false)
	}
}

// drop gives the connection back; sound says that nothing is open on it.
func (w *writer) drop(sound bool) {
	if w.conn != nil {
		w.conn.release(sound)
		w.conn = nil
	}
}
