// Package sqlstore implements [payments.Store] on database/sql. Both databases
// run the same statements; their differences are a [Dialect].
//
// It guarantees that a change is durable before its caller hears so, that a
// change is written whole or not at all, that it is written at most once, and
// that reading never waits for writing. While the database cannot be trusted
// every call fails, rather than some. It holds no rule of money: those run
// inside the transaction, as the caller's function.
//
// One goroutine owns the writing connection: it takes the changes that wait,
// makes them in one transaction, commits once and answers all, so that many
// share the cost of one fsync. Each file but a few is a table's: its SQL, its
// scan and its save.
//
// A database is a package that makes a [Config]: its pools, its [Dialect], how its
// files are looked after and how it is opened anew. Package storage chooses it by its address, and
// package storagetest is what it must hold to.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"checkout/till/payments"
)

var _ payments.Store = (*Store)(nil)

// ReaderCount is how many reads run at a time at most.
const ReaderCount = 4

// Dialect is what databases do differently.
type Dialect struct {
	// BeginWrite begins a writing transaction, and BeginRead one that sees one
	// moment of the database.
	BeginWrite, BeginRead string
	ForUpdate             string                // Ends a SELECT whose row the transaction will write.
	Version               string                // The query for the schema's version, 0 when there is none.
	Fault                 func(err error) bool  // The database cannot be used until something was done about it.
	Advise                func(err error) error // Adds what to do to an error of the database.
	// Structure is the queries that check the files, each for rows of a table, a key
	// and a problem; none where that is a server's own to do.
	Structure []string
	Trigrams  bool // The table orders_search is an FTS5 index; else LIKE uses what there is.
}

// Pools are the connections to a database.
type Pools struct {
	Writer  *sql.DB // One is used at a time.
	Readers *sql.DB // Read-only, at most [ReaderCount].
}

// Close closes the connections. Nothing that they say concerns what is stored.
func (p Pools) Close() { _ = errors.Join(p.Readers.Close(), p.Writer.Close()) }

// Config is what a store is made of. [Store.Close] closes the pools. What is nil
// is not done.
type Config struct {
	Pools   Pools
	Dialect Dialect
	// Check returns why what is stored now would not be found by whoever opens
	// the database next. It is called before each acknowledgement.
	Check func() error
	// Look does the same more thoroughly. It is called at each poll while there is
	// no fault. The errors of both are faults.
	Look func() error
	// Room returns why no order should be made. It is no fault.
	Room func() error
	// Reopen is called when a fault begins and at each poll while there is one, and
	// nobody writes meanwhile. It returns the pools to go on with, or why the database
	// cannot be used yet.
	Reopen func(ctx context.Context, old Pools) (Pools, error)
	// Poll is how often the change sequence is read, for the changes of other
	// processes and for faults that no call has met.
	Poll   time.Duration
	Follow FollowFunc // Notified of changes by the server; else only polling tells.
	Fault  error      // Why the database cannot be used yet; the store begins with it.
}

// FollowFunc waits for notifications of other processes' changes until ctx ends,
// and sends to changes at each: true when some may have been missed, and lost by
// the server. Nobody receives once ctx has ended.
type FollowFunc func(ctx context.Context, changes chan<- bool)

// ErrClosed says that the store was closed before the call was begun.
var ErrClosed = errors.New("the store is closed")

// selectSequence reads the change sequence, which grows by one with each commit that
// changed something.
const selectSequence = `SELECT value FROM meta WHERE key = 'change_seq'`

// Store is a [payments.Store] on an SQL database whose schema is there. It is
// safe for concurrent use.
type Store struct {
	config Config
	pools  atomic.Pointer[Pools]
	follow func() // Starts following, once.

	mu       sync.Mutex             // Guards what follows.
	fault    error                  // Opens the circuit: with it every call fails at once.
	notices  map[chan struct{}]bool // Of each watcher. It reads anew when a notice lies in its channel.
	sequence int64                  // The change sequence that watchers were notified of.
	heard    time.Time              // When it was read last.

	calls   sync.RWMutex       // Held by each call; Close waits for it.
	stop    context.CancelFunc // Ends the writer and the following.
	running sync.WaitGroup

	// What the writer receives.
	queue   chan job
	changes chan bool     // See [FollowFunc].
	faulted chan struct{} // There is a fault. One slot.
}

// New returns a store and starts its writer, which does not end with ctx but
// with [Store.Close].
func New(ctx context.Context, config Config) (*Store, error) {
	s := &Store{
		config: config, fault: config.Fault, notices: make(map[chan struct{}]bool),
		queue: make(chan job), changes: make(chan bool), faulted: make(chan struct{}, 1),
	}
	s.pools.Store(&config.Pools)
	if config.Fault == nil {
		if err := s.observe(ctx, false); err != nil {
			config.Pools.Close()
			return nil, err
		}
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.running.Go(func() { s.write(ctx) })
	s.follow = sync.OnceFunc(func() {
		if config.Follow != nil {
			s.running.Go(func() { config.Follow(ctx, s.changes) })
		}
	})
	return s, nil
}

// Update runs change in a transaction and returns once that is durable. It
// returns change's error as it is, and then nothing was written. A panic in
// change becomes an error. While there is a fault change does not run.
// It runs again when another one fails that was to share its commit.
//
// When ctx ends before change was begun, Update returns ctx's error and change
// never runs. Once begun, change is not interrupted: Update waits and returns
// what became of it, whatever ctx says. Any other error is the database's.
// Then the change is almost always not written; after a failed commit nobody
// knows, and it may turn up when the database is read again.
func (s *Store) Update(ctx context.Context, change func(payments.Tx) error) error {
	return s.do(ctx, func(t *tx) error { return change(t) })
}

// read runs a function that sees one moment of the database, unless there is a
// fault.
func (s *Store) read(ctx context.Context, see func(*tx) error) error {
	s.calls.RLock()
	defer s.calls.RUnlock()
	if err := s.Fault(); err != nil {
		return err
	}
	pools := s.pools.Load()
	err := s.readFrom(ctx, pools.Readers, see)
	ended := ctx.Err()
	switch {
	case ended == nil && pools == s.pools.Load(): // What befell closed pools says nothing about their successors.
		s.report(err)
	case ended != nil && err != nil && !errors.Is(err, ended):
		err = fmt.Errorf("%w (%w)", ended, err) // Drivers close the connection of a query that is cancelled.
	}
	return err
}

// readFrom runs a function in a read transaction.
func (s *Store) readFrom(ctx context.Context, readers *sql.DB, see func(*tx) error) error {
	t, err := begin(ctx, readers, s.config.Dialect.BeginRead)
	if err != nil {
		return err
	}
	sound := false
	defer func() { t.release(sound) }()
	seen := see(t)
	if seen == nil || errors.Is(seen, payments.ErrNotFound) {
		if err := t.write("end", "ROLLBACK"); err != nil {
			return err
		}
		sound = true
	}
	return seen
}

// readAll returns all rows of a query, in a transaction of its own.
func readAll[T any](ctx context.Context, s *Store, what string, columns func(*T) []any, text string, args ...any) (found []T, err error) {
	err = s.read(ctx, func(t *tx) error {
		found, err = list(t, what, columns, text, args...)
		return err
	})
	return found, err
}

// Probe tests the database: it commits a write, and then reads. Its error says
// that events cannot be stored now. It notifies no watcher.
func (s *Store) Probe(ctx context.Context) error {
	if err := s.do(ctx, probe); err != nil {
		return wrap("write to the database", err)
	}
	_, err := readAll(ctx, s, "read from the database", column[int64], selectSequence)
	return err
}

// probe writes to a row of its own, which notifies no watcher.
func probe(t *tx) error {
	_, err := one(t, "probe", column[int64], `UPDATE meta SET value = value + 1 WHERE key = 'probe' RETURNING value`)
	return err
}

// Watch returns a channel with one slot. It is level-triggered: it holds a notice
// if something was committed since the last one was taken, by this process or
// another one, or a fault began or ended. The channel is closed when ctx ends or
// the store is closed.
func (s *Store) Watch(ctx context.Context) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	notice := make(chan struct{}, 1)
	if errors.Is(s.fault, ErrClosed) {
		close(notice)
		return notice
	}
	s.notices[notice] = true
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.notices[notice] {
			delete(s.notices, notice)
			close(notice)
		}
	})
	s.follow()
	return notice
}

// notify tells the watchers that something changed. The mutex is held.
func (s *Store) notify() {
	for notice := range s.notices {
		select {
		case notice <- struct{}{}:
		default: // One lies there.
		}
	}
}

// Fault returns why the database cannot be used now, nil when it can.
func (s *Store) Fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// report begins a fault if an error is one.
func (s *Store) report(err error) {
	if err != nil && s.config.Dialect.Fault(err) {
		s.setFault(err)
	}
}

// setFault begins a fault, or ends it with nil.
func (s *Store) setFault(fault error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(s.fault, ErrClosed) {
		return
	}
	if (s.fault == nil) != (fault == nil) {
		s.notify()
	}
	if s.fault = fault; fault != nil {
		select {
		case s.faulted <- struct{}{}:
		default: // The writer knows.
		}
	}
}

// observe reads the change sequence, on the writing connection: long reads may have
// all others. So it finds the changes of other processes, and faults.
func (s *Store) observe(ctx context.Context, anew bool) error {
	var sequence int64
	err := wrap("read the change sequence", s.pools.Load().Writer.QueryRowContext(ctx, selectSequence).Scan(&sequence))
	if err == nil && s.config.Look != nil {
		err = s.config.Look()
	}
	s.report(err)
	if err == nil {
		s.setSequence(sequence, anew)
	}
	return err
}

// setSequence notes the change sequence that was just read, and notifies the
// watchers if it is another one: after a failover that lost commits it is lower.
// anew notifies them in any case.
func (s *Store) setSequence(sequence int64, anew bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Now()
	if anew || sequence != s.sequence {
		s.sequence = sequence
		s.notify()
	}
}

// Heard returns the time at which the change sequence was last read, with its
// monotonic reading; zero before the first.
func (s *Store) Heard() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}

// Readers returns the pool of the read-only connections, until the next fault.
func (s *Store) Readers() *sql.DB { return s.pools.Load().Readers }

// Close waits for the changes that were handed over before it and for the reads
// under way: a [sql.DB] closes a connection that is in use only once it is given
// back. What comes later is refused with [ErrClosed]. Closing again does nothing.
func (s *Store) Close() {
	s.calls.Lock()
	s.mu.Lock()
	s.fault = ErrClosed
	for notice := range s.notices {
		close(notice)
	}
	clear(s.notices)
	s.mu.Unlock()
	s.calls.Unlock()
	s.stop()
	s.running.Wait()
	s.pools.Load().Close()
}
