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
	Lost                  func(err error) bool  // The connection was lost before: another one may be tried.
	Fault                 func(err error) bool  // The database cannot be used until something was done about it.
	Advise                func(err error) error // Adds what to do to an error of the database.
	// Structure returns the queries that check the files, each for rows of a table and
	// a problem; nil where that is a server's own to do.
	Structure func() []string
	Prepares  bool // Statements are prepared once on each connection; else the driver sees to it.
	Trigrams  bool // The table orders_search is an FTS5 index; else LIKE uses what there is.
}

// Pools are the connections to a database.
type Pools struct {
	Writer  *sql.DB // One is used at a time.
	Readers *sql.DB // Read-only, at most [ReaderCount].
}

// Config is what a store is made of. [Store.Close] closes the pools. What is nil
// is not done.
type Config struct {
	Pools   Pools
	Dialect Dialect
	// Check returns why what is stored now would not be found by whoever opens
	// the database next. It is called before each acknowledgement.
	Check func() error
	// Look does the same more thoroughly. It is called once a second while there
	// is no fault. The errors of both are faults.
	Look func() error
	// Room returns why no order should be made. It is no fault.
	Room func() error
	// Reopen is called each second while there is a fault, and nobody uses a
	// connection meanwhile. It returns the pools to go on with, or why the
	// database cannot be used yet.
	Reopen func(ctx context.Context, old Pools) (Pools, error)
	// Poll is how often the change sequence is read, for the changes of other
	// processes and for faults that no call has met.
	Poll   time.Duration
	Follow FollowFunc // Notified of changes by the server; else only polling tells.
	Fault  error      // Why the database cannot be used yet; the store begins with it.
}

// Store is a [payments.Store] on an SQL database whose schema is there. It is
// safe for concurrent use.
type Store struct {
	config   Config
	pools    atomic.Pointer[Pools]
	writer   *writer
	notifier *notifier
	answered atomic.Pointer[time.Time] // The last contact.
	fault    atomic.Pointer[error]     // Opens the circuit: with it every call fails at once.
	faulted  chan struct{}             // One slot: a fault began.

	reading sync.RWMutex       // Held by each read; Close waits for it.
	stop    context.CancelFunc // Ends the supervisor.
	running sync.WaitGroup
	closing sync.Once
}

// New returns a store and starts its writer, which does not end with ctx but
// with [Store.Close].
func New(ctx context.Context, config Config) (*Store, error) {
	for _, check := range []*func() error{&config.Check, &config.Look, &config.Room} {
		if *check == nil {
			*check = nothing
		}
	}
	s := &Store{
		config: config, faulted: make(chan struct{}, 1),
		notifier: &notifier{follow: config.Follow, watchers: map[chan struct{}]func() bool{}},
	}
	s.pools.Store(&config.Pools)
	s.writer = &writer{
		dialect: config.Dialect, check: config.Check, room: config.Room, fault: s.Fault, report: s.report, notify: s.notifier.committed,
		connect: func(ctx context.Context) (*conn, error) {
			return connect(ctx, s.pools.Load().Writer, config.Dialect.Prepares)
		},
		queue: make(chan *job, maxBatch), closing: make(chan struct{}), ended: make(chan struct{}),
	}
	s.report(config.Fault)
	sequence, err := s.sequence(ctx)
	if err != nil && config.Fault == nil {
		_ = errors.Join(config.Pools.Readers.Close(), config.Pools.Writer.Close())
		return nil, err
	}
	s.notifier.sequence, s.notifier.observed = sequence, sequence
	ctx = context.WithoutCancel(ctx)
	go s.writer.run(ctx)
	ctx, s.stop = context.WithCancel(ctx)
	s.running.Go(func() { s.supervise(ctx) })
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
	return s.writer.do(ctx, func(t *tx) error { return change(t) })
}

// read runs a function that sees one moment of the database, unless there is a
// fault.
func (s *Store) read(ctx context.Context, see func(*tx) error) error {
	s.reading.RLock()
	defer s.reading.RUnlock()
	if err := s.Fault(); err != nil {
		return err
	}
	err := s.tryRead(ctx, see)
	if ended := ctx.Err(); ended == nil {
		s.report(err)
	} else if err != nil && !errors.Is(err, ended) {
		err = fmt.Errorf("%w (%w)", ended, err) // Drivers close the connection of a query that is cancelled.
	}
	return err
}

// tryRead begins a read transaction, on another connection where an idle one was
// lost.
func (s *Store) tryRead(ctx context.Context, see func(*tx) error) error {
	t, err := begin(ctx, s.pools.Load().Readers, false, s.config.Dialect.BeginRead)
	for idle := ReaderCount; err != nil && idle > 0 && s.config.Dialect.Lost(err); idle-- {
		t, err = begin(ctx, s.pools.Load().Readers, false, s.config.Dialect.BeginRead)
	}
	if err != nil {
		return err
	}
	sound := false
	defer func() { t.conn.release(sound) }()
	seen := see(t)
	if seen != nil && !errors.Is(seen, payments.ErrNotFound) {
		return seen
	}
	if err := t.write("end", "ROLLBACK"); err != nil {
		return err
	}
	now := time.Now()
	s.answered.Store(&now)
	sound = true
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

// The probe's row is what [Store.Probe] writes.
const (
	selectProbe = `SELECT value FROM meta WHERE key = 'probe'`
	updateProbe = `UPDATE meta SET value = value + 1 WHERE key = 'probe' RETURNING value`
)

func (s *Store) sequence(ctx context.Context) (sequence int64, err error) {
	err = s.read(ctx, func(t *tx) error {
		sequence, err = one(t, "read the change sequence", column[int64], selectSequence)
		return err
	})
	return sequence, err
}

// Probe tests the database: it commits a write and reads it back. Its error says
// that events cannot be stored now. It notifies no watcher.
func (s *Store) Probe(ctx context.Context) error {
	var written int64
	err := s.writer.do(ctx, func(t *tx) (err error) {
		written, err = probe(t)
		return err
	})
	if err != nil {
		return wrap("write to the database", err)
	}
	seen, err := readAll(ctx, s, "read from the database", column[int64], selectProbe)
	if err == nil && (len(seen) != 1 || seen[0] < written) {
		err = fmt.Errorf("the database does not keep what is written: wrote %d, read %d", written, seen)
	}
	return err
}

// probe increments the probe's row without notifying watchers.
func probe(t *tx) (int64, error) {
	return one(t, "probe", column[int64], updateProbe)
}

// Watch returns a channel with one slot. It is level-triggered: it holds a notice
// if something was committed since the last one was taken, by this process or
// another one, or a fault began or ended. The channel is closed when ctx ends or
// the store is closed.
func (s *Store) Watch(ctx context.Context) <-chan struct{} { return s.notifier.watch(ctx) }

// Heard returns the time of the last successful read, with its monotonic
// reading; zero before the first.
func (s *Store) Heard() time.Time {
	if answered := s.answered.Load(); answered != nil {
		return *answered
	}
	return time.Time{}
}

// Fault returns why the database cannot be used now, nil when it can.
func (s *Store) Fault() error {
	if fault := s.fault.Load(); fault != nil {
		return *fault
	}
	return nil
}

// report opens the circuit if an error is a fault.
func (s *Store) report(err error) {
	if err == nil || !errors.Is(err, ErrClosed) && !s.config.Dialect.Fault(err) {
		return
	}
	if s.fault.Swap(&err) == nil {
		s.notifier.notify()
		signal(s.faulted)
	}
}

// retryEvery is the least time between two attempts to end a fault.
const retryEvery = time.Second

// supervise polls the files and the change sequence until ctx ends, and while
// there is a fault tries to end it.
func (s *Store) supervise(ctx context.Context) {
	ticker := time.NewTicker(min(s.config.Poll, retryEvery))
	defer ticker.Stop()
	var tried, polled time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if s.Fault() == nil {
				s.report(s.config.Look())
			}
			if time.Since(polled) >= s.config.Poll {
				polled = time.Now()
				if sequence, err := s.sequence(ctx); err == nil { // An error that is a fault was reported.
					s.notifier.observe(sequence, "")
				}
			}
		case <-s.faulted:
		}
		if s.Fault() != nil && time.Since(tried) >= retryEvery {
			tried = time.Now()
			if err := s.reopen(ctx); err != nil {
				s.report(err)
			} else {
				s.fault.Store(nil)
				s.notifier.notify()
			}
		}
	}
}

// reopen opens the database anew and proves that it can be written to.
func (s *Store) reopen(ctx context.Context) error {
	s.writer.using.Lock()
	defer s.writer.using.Unlock()
	s.writer.drop(false)
	pools, err := s.config.Reopen(ctx, *s.pools.Load())
	if err != nil {
		return err
	}
	s.pools.Store(&pools)
	_, err = s.writer.transact(ctx, []*job{{change: func(t *tx) error {
		_, err := probe(t)
		return err
	}}})
	return err
}

// Close waits for the changes that were handed over before it and for the reads
// under way: a [sql.DB] closes a connection that is in use only once it is given
// back. What comes later is refused with [ErrClosed]. Closing again does nothing.
func (s *Store) Close() {
	s.closing.Do(func() {
		s.stop()
		s.running.Wait()
		s.writer.close()
		s.notifier.close()
		s.report(ErrClosed)
		s.reading.Lock()
		defer s.reading.Unlock()
		pools := s.pools.Load()
		_ = errors.Join(pools.Readers.Close(), pools.Writer.Close()) // Nothing that they say concerns what is stored.
	})
}
