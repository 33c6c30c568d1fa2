package sqlstore

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// way is how the changes of a batch are kept from taking part in each other's
// failure.
type way int

const (
	// There is one change, and with it fails the batch.
	alone way = iota
	// Nothing keeps them apart: where one fails all are made again, apart. A
	// savepoint costs more than most changes, and they seldom fail.
	together
	// Each has a savepoint of its own.
	apart
)

// batch is one transaction of the database and the changes that share it.
type batch struct {
	calls
	writer   *writer
	session  *session
	begun    time.Time
	sequence int64 // What the change sequence becomes.
	way      way
	spoilt   bool // It holds what was to be taken back, and is not committed.
	wrote    bool // There is something to commit.
	changed  bool // There is something that watchers want to know.
	current  *job // Being run.
	held     []*job
	events   int64       // The last number given to an event; 0 when it is not known.
	repeated []delivered // Events that were known.
	takings  takings     // What the changes make of the sums.
}

// nextEvent returns the number of the next event. Numbers are given here and
// not by the database: only one transaction writes at a time, and an INSERT
// that returns what the database made costs SQLite a journal of its own.
func (b *batch) nextEvent(query queryFunc) (int64, error) {
	if b.events == 0 {
		last, err := one(query, scanInt, lastSequence)
		if err != nil {
			return 0, err
		}
		b.events = last
	}
	b.events++
	return b.events, nil
}

// apply runs a job's change. Its error says that the transaction is lost; what
// becomes of the change itself is answered to its caller.
func (b *batch) apply(ctx context.Context, j *job) error {
	b.current = j
	if err := b.savepoint(ctx, "SAVEPOINT one_change"); err != nil {
		return err
	}
	tx := &transaction{calls: b.calls, batch: b}
	err := guard(j.change, tx)
	tx.over = true
	b.writer.doctor.note(err)
	if err != nil {
		return b.fail(ctx, err)
	}
	if err := b.savepoint(ctx, "RELEASE one_change"); err != nil {
		return err
	}
	b.wrote, b.changed = b.wrote || tx.wrote, b.changed || tx.changed
	b.repeated = append(b.repeated, tx.repeated...)
	b.takings.merge(tx.takings)
	b.held, b.current = append(b.held, j), nil
	return nil
}

// fail takes back what the current change wrote, and answers it.
func (b *batch) fail(ctx context.Context, err error) error {
	if b.way == together {
		return err
	}
	lost := b.savepoint(ctx, "ROLLBACK TO one_change")
	if lost == nil {
		lost = b.savepoint(ctx, "RELEASE one_change")
	}
	b.current.reply(err)
	b.current, b.spoilt = nil, b.way == alone
	return lost
}

// savepoint runs a statement that keeps a change apart from its neighbours.
func (b *batch) savepoint(ctx context.Context, text string) error {
	if b.way != apart {
		return nil
	}
	_, err := b.session.exec(ctx, text)
	return err
}

// guard runs a change and turns its panic into an error.
func guard(change func(*transaction) error, tx *transaction) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return change(tx)
}

// commit makes what was written durable.
func (b *batch) commit() error {
	if err := b.writeTally(b.run); err != nil {
		return err
	}
	if err := b.takings.write(b.run); err != nil {
		return err
	}
	// Something is always written: a commit of nothing would not touch the disk.
	if _, err := b.run(updateSequence, b.reached()); err != nil {
		return fmt.Errorf("write the change sequence: %w", err)
	}
	if _, err := b.run("COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// reached is the change sequence once the batch is committed.
func (b *batch) reached() int64 {
	if b.changed {
		return b.sequence
	}
	return b.sequence - 1
}

// answer tells the callers of the changes that were run what became of them.
func (b *batch) answer(err error) {
	if b.current != nil {
		b.held = append(b.held, b.current)
	}
	for _, j := range b.held {
		j.reply(err)
	}
	b.held, b.current = nil, nil
}
