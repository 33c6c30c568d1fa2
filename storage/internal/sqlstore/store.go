// Package sqlstore keeps orders, events and sales in an SQL database. It holds
// one SQL text for every database; what they do differently is a [Dialect].
//
// It guarantees that a change is durable before its caller hears so, that a
// change is written whole or not at all, that it is written at most once, and
// that reading never waits for writing. While the database cannot be trusted
// every call fails, rather than some. It holds no rule of money: those run
// inside the transaction, as the caller's function.
//
// One goroutine at a time uses the writing connection: the writer's, which takes
// the changes that wait, makes them, commits once and answers all, so that many
// share the cost of one fsync; or the caller's, where nothing else waits. Should
// one of many fail, all are taken back and made again, each in a savepoint of
// its own.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"checkout/till/payments"
)

var _ payments.Store = (*Store)(nil)

// ErrClosed says that the store was closed before the change was begun.
var ErrClosed = errors.New("the store is closed")

// Dialect is what databases do differently.
type Dialect interface {
	// BeginWrite is the statement that begins a writing transaction. It takes
	// the right to write at once, so that the transaction cannot lose it later.
	BeginWrite() string
	// BeginRead is the statement that begins a transaction which sees one
	// moment of the database.
	BeginRead() string
	// ForUpdate ends a SELECT whose row the transaction will write.
	ForUpdate() string
	// Version is the query for the schema's version; 0 when there is none.
	Version() string
	// SetVersion is the statement that sets the schema's version.
	SetVersion(version int) string
	// Lost tells whether an error says that the connection was lost before, so
	// that what failed on it may be tried again on another one.
	Lost(err error) bool
	// Fault tells whether an error says that the database cannot be used until
	// something was done about it.
	Fault(err error) bool
	// Grams is the index by which texts are searched for. Without one they are
	// compared with each order's.
	Grams() Grams
}

// Config is what a store is made of. The store does not close the pools.
type Config struct {
	// Writer gives the writing connection. One is used at a time.
	Writer *sql.DB
	// Readers gives read-only connections, at most ReaderCount at a time.
	Readers *sql.DB
	Dialect Dialect
	// Keeper looks after what the database is kept in. Nil when there is
	// nothing to look after.
	Keeper Keeper
	// Look is how often the database is read, so that a fault is noticed which
	// no call has met. For 0 it is as often as the keeper looks, and never
	// without one.
	Look time.Duration
	// Receives says that the database is opened to be copied into, which may
	// have been begun before. Otherwise a copy that is not whole is refused.
	Receives bool
	// Follow looks for other processes' changes until ctx ends, and calls found
	// with the change sequence that it finds and where: the name of the origin
	// is another one when another server, or one that was started anew, answers,
	// and is empty where there can be no other.
	// It runs while somebody watches. Nil when no other process can write.
	Follow func(ctx context.Context, found func(sequence int64, origin string))
	// Origin is where the database was found before it was opened.
	Origin string
}

// Store is a [payments.Store] on an SQL database whose schema is there. It is
// safe for concurrent use.
type Store struct {
	queue   *queue
	writer  *writer
	readers *readers
	hub     *hub
	tally   *tally
	doctor  *doctor
	ended   chan struct{} // Closed when the writer is done.
	closing sync.Once
}

// New returns a store and starts its writer, which does not end with ctx but
// with [Store.Close].
func New(ctx context.Context, config Config) (*Store, error) {
	store := &Store{
		queue:   newQueue(),
		readers: newReaders(config.Readers, config.Dialect),
		hub:     newHub(config.Follow),
		tally:   newTally(),
		ended:   make(chan struct{}),
	}
	store.writer = &writer{
		pool: config.Writer, dialect: config.Dialect, queue: store.queue,
		wake: store.hub.wake, tally: store.tally,
	}
	store.doctor = newDoctor(config, store)
	go func() {
		defer close(store.ended)
		store.writer.run(context.WithoutCancel(ctx))
	}()
	var found condition
	err := store.readers.read(ctx, func(query queryFunc) (err error) {
		if found, err = one(query, scanCondition, selectCondition(config.Dialect.Grams())); err != nil {
			return fmt.Errorf("read the change sequence: %w", err)
		}
		return nil
	})
	store.hub.start(found.sequence, config.Origin)
	if err == nil && found.copying != 0 && !config.Receives {
		err = ErrUnfinished
	}
	if err == nil && !config.Receives {
		err = store.catchUp(ctx, found)
	}
	if err != nil {
		store.Close()
		return nil, err
	}
	store.doctor.start(context.WithoutCancel(ctx))
	return store, nil
}

// Update runs change in a transaction and returns once that is durable. It
// returns change's error as it is, and then nothing was written. A panic in
// change becomes a [*PanicError]. While there is a fault change does not run.
// It runs again when another one fails that was to share its commit.
//
// When ctx ends before change was begun, Update returns ctx's error and change
// never runs. Once begun, change is not interrupted: Update waits and returns
// what became of it, whatever ctx says. Any other error is the database's.
// Then the change is almost always not written; after a failed commit nobody
// knows, and it may turn up when the database is read again.
func (s *Store) Update(ctx context.Context, change func(payments.Tx) error) error {
	return s.writer.do(ctx, func(tx *transaction) error { return change(tx) })
}

// Probe writes to the database, durably, and reads what it wrote. Its error
// says that events cannot be stored now. It wakes nobody who watches.
func (s *Store) Probe(ctx context.Context) error {
	var written int64
	err := s.writer.do(ctx, func(tx *transaction) (err error) {
		written, err = tx.probe()
		return err
	})
	if err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	var seen int64
	err = s.readers.read(ctx, func(query queryFunc) (err error) {
		seen, err = one(query, scanInt, selectProbe)
		return err
	})
	if err != nil {
		return fmt.Errorf("read from the database: %w", err)
	}
	if seen < written {
		return fmt.Errorf("the database does not keep what is written: wrote %d, read %d", written, seen)
	}
	return nil
}

// Watch returns a channel with one slot, in which a notice lies when something
// was committed since the last one was taken, by this process or another one,
// or when a fault began or ended.
// The channel is closed when ctx ends or the store is closed.
func (s *Store) Watch(ctx context.Context) <-chan struct{} { return s.hub.watch(ctx) }

// Heard returns when the database was read last and answered, by the machine's
// clock with its monotonic reading. Where other processes write too, what is
// shown is no newer.
func (s *Store) Heard() time.Time {
	if heard := s.readers.heard.Load(); heard != nil {
		return *heard
	}
	return time.Time{}
}

// Close waits for the changes that were handed over before it, and for the
// readers that are reading. What comes later is refused with [ErrClosed].
// Closing again does nothing.
func (s *Store) Close() {
	s.closing.Do(func() {
		s.doctor.stop()
		s.queue.close()
		<-s.ended
		s.hub.close()
		s.readers.close()
		// The last connection that is closed tidies up, if it can write.
		s.writer.drop()
	})
}
