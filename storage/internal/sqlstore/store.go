// Package sqlstore implements [payments.Store] on database/sql. SQLite and PostgreSQL run the same
// statements; a [Dialect] contains the differences.
//
// It guarantees that
//   - a change is durable before Update returns nil;
//   - a change is written completely or not at all, and at most once;
//   - reads never wait for writes.
//
// If the database becomes unusable, every call fails. The package contains no payment rules: the
// caller's function applies them inside the transaction.
//
// One goroutine owns the write connection. It runs the queued changes in one transaction and
// commits once, so that they share the cost of one fsync. Then it returns each caller's result.
//
// A database package provides a [Config]: its pools, its [Dialect] and the function that reopens
// the database. Package storage chooses the database package by the address. Package storagetest
// tests packages sqlite and postgres.
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
	"checkout/till/payments/drawer"
)

var _ drawer.Store = (*Store)(nil)

// ReaderCount is the maximum number of concurrent reads.
const ReaderCount = 4

// Dialect contains the differences between the databases.
type Dialect struct {
	// BeginWrite begins a write transaction. BeginRead begins a read transaction; all its queries
	// see the same snapshot.
	BeginWrite, BeginRead string
	Check                 func() *Statement     // Returns a statement that checks the server, for the beginning of each transaction; nil without a check.
	Turn                  string                // Statement that waits until the changes before this one have ended; empty if BeginWrite waits.
	Send                  SendFunc              // Sends queued statements in one round trip; nil to send them one by one.
	ForUpdate             string                // Suffix of a SELECT for rows that the transaction will write.
	HasTables             string                // Query that reports whether the database has the tables of till.
	Version               int                   // [SchemaVersion]; higher in tests that add migrations.
	Migrations            []string              // Schema updates, each by one version; the last one ends at Version.
	StopChanges           string                // Statement that begins a migration and makes changes wait for the end of the migration; empty if BeginWrite makes them wait.
	Fault                 func(err error) bool  // Reports whether an error is a fault: no call can succeed until its cause is removed.
	Lost                  func(err error) bool  // Reports whether a COMMIT that returned this error may have taken place.
	Advise                func(err error) error // Adds a hint for the operator to an error of the database.
	// Structure contains queries that check the file of SQLite or the schema of PostgreSQL. Each
	// returned row is a problem: the table, the key and a description.
	Structure []string
	Fresh     func(ctx context.Context) ([]Object, error) // Returns the schema of a new database; nil if Structure checks the schema.
	Trigrams  bool                                        // Whether the table orders_search is an FTS5 index; otherwise searches use LIKE.
}

// Pools are the connections to a database.
type Pools struct {
	Writer  *sql.DB // Has one connection.
	Readers *sql.DB // For reads, and for the record of running listeners, which must not wait for changes. At most [ReaderCount] connections.
}

// Close closes the connections. It ignores errors, because they do not affect stored data.
func (p Pools) Close() { _ = errors.Join(p.Readers.Close(), p.Writer.Close()) }

// Config configures a store. [Store.Close] closes the pools. CheckCommit, CheckPoll, Room,
// Follow and AlsoPoll may be nil.
type Config struct {
	Pools   Pools
	Dialect Dialect
	// CheckCommit returns an error if the stored data would not be found when the database
	// is next opened. It is called after each commit, before the change is acknowledged.
	CheckCommit func() error
	// CheckPoll returns the errors of CheckCommit, and an error if another program has written to the
	// database file, or if the file is read-only. It is called at each poll.
	CheckPoll func() error
	// Room returns an error if the disk is too full for a new order or cash sale.
	Room func() error
	// Reopen is called when the database becomes unusable, and then at each poll. It returns the pools
	// to use from now on, or an error that says why the database still cannot be used.
	Reopen func(ctx context.Context, old Pools) (Pools, error)
	// Poll is the interval at which the change sequence is read. Each poll finds changes by other
	// processes, and finds a fault even if no call uses the database.
	Poll     time.Duration
	AlsoPoll func() *Statement // Returns another query that each poll sends in the same round trip; nil for none.
	Follow   FollowFunc        // Waits for notifications of other processes' changes; if nil, only polling finds the changes.
	Fault    error             // Fault at the start, if the database cannot be used yet; otherwise nil.
}

// FollowFunc calls committed for each commit that the database reports, until ctx ends. sequence is
// the change sequence after the commit. It is 0 if notifications may have been lost: the store then
// notifies all watchers.
type FollowFunc func(ctx context.Context, committed func(sequence int64))

// ErrClosed says that the store was closed before the call began.
var ErrClosed = errors.New("the store is closed")

// IsAny reports whether err wraps one of the targets.
func IsAny(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// selectSequence reads the change sequence, which grows by one with each commit that
// changed something.
const selectSequence = `SELECT value FROM meta WHERE key = 'change_seq'`

// Store is a [payments.Store] on an SQL database with an existing schema. It is safe for
// concurrent use.
//
// While the database cannot be used, every call fails and returns the reason, called the fault.
type Store struct {
	config Config
	pools  atomic.Pointer[Pools]
	follow func() // Starts config.Follow in a goroutine, at the first call only.

	mu       sync.Mutex             // Guards the fields below.
	fault    error                  // Current fault; while it is set, every call fails immediately.
	watchers map[chan struct{}]bool // The channels that Watch returned.
	sequence int64                  // Change sequence when the watchers were last notified.
	heard    time.Time              // When the change sequence was last read or written.

	calls   sync.RWMutex       // Read-locked during each call, so that Close can wait for the running calls.
	stop    context.CancelFunc // Ends the writer and config.Follow.
	running sync.WaitGroup

	queue   chan job
	faulted chan struct{} // Tells the writer that a fault began; has one slot.
}

// New returns a store and starts its writer. Only [Store.Close] ends the writer; the end of
// ctx does not.
func New(ctx context.Context, config Config) (*Store, error) {
	if config.Room == nil {
		config.Room = func() error { return nil }
	}
	s := &Store{
		config: config, fault: config.Fault, watchers: make(map[chan struct{}]bool),
		queue: make(chan job), faulted: make(chan struct{}, 1),
	}
	s.pools.Store(&config.Pools)
	if config.Fault == nil {
		if err := s.observe(ctx); err != nil {
			config.Pools.Close()
			return nil, err
		}
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.running.Go(func() { s.write(ctx) })
	s.follow = sync.OnceFunc(func() {
		if config.Follow != nil {
			s.running.Go(func() { config.Follow(ctx, s.committed) })
		}
	})
	return s, nil
}

// Update implements [payments.Store]. A panic in change becomes an error. change runs again after
// [ErrStale]. It also runs again if several changes share its transaction and one of them fails. If
// ctx ends before the writer accepts the change, Update returns ctx's error and change never runs.
func (s *Store) Update(ctx context.Context, change func(payments.Tx) error) error {
	return s.do(ctx, func(t *tx) error { return change(t) })
}

// View implements [drawer.Store].
func (s *Store) View(ctx context.Context, read func(drawer.Tx) error) error {
	return s.read(ctx, func(t *tx) error { return read(t) })
}

// read runs a function on one snapshot of the database.
func (s *Store) read(ctx context.Context, see func(*tx) error) error {
	s.calls.RLock()
	defer s.calls.RUnlock()
	if err := s.Outage(); err != nil {
		return err
	}
	pools := s.pools.Load()
	err := retried(func() error { return s.readFrom(ctx, pools.Readers, see) })
	ended := ctx.Err()
	switch {
	case ended == nil && pools == s.pools.Load(): // Do not report errors of pools that were replaced meanwhile.
		s.report(err)
	case ended != nil && err != nil && !errors.Is(err, ended):
		err = fmt.Errorf("%w (%w)", ended, err) // A driver may report a cancelled query as a closed connection, so return both errors.
	}
	return err
}

// retried runs a transaction again after [ErrStale]. Every connection of the pool may be lost, so
// retried tries once more than the number of connections.
func retried(transact func() error) (err error) {
	for range 1 + ReaderCount {
		if err = transact(); !errors.Is(err, ErrStale) {
			break
		}
	}
	return err
}

// readFrom runs a function in a read transaction. After an error other than [payments.ErrNotFound],
// it closes the connection instead of returning it to the pool.
func (s *Store) readFrom(ctx context.Context, readers *sql.DB, see func(*tx) error) error {
	t, err := begin(ctx, readers, s.config.Dialect, s.config.Dialect.BeginRead)
	if err != nil {
		return err
	}
	sound := false
	defer func() { t.release(sound) }()
	seen := see(t)
	if seen == nil || errors.Is(seen, payments.ErrNotFound) {
		t.queue(&Statement{What: "end", Text: "ROLLBACK"})
		if err := t.flush(); err != nil {
			return err
		}
		sound = true
	}
	return seen
}

func readAll[T any](ctx context.Context, s *Store, what string, columns func(*T) []any, text string, args ...any) (found []T, err error) {
	err = s.read(ctx, func(t *tx) error {
		askAll(t, &found, what, columns, text, args...)
		return nil
	})
	return found, err
}

// Probe commits a write, and then reads. It notifies no watcher.
func (s *Store) Probe(ctx context.Context) error {
	if err := s.do(ctx, probe); err != nil {
		return wrap("write to the database", err)
	}
	_, err := readAll(ctx, s, "read from the database", column[int64], selectSequence)
	return err
}

// probe writes to a separate row, not to the change sequence, so that no process is notified.
func probe(t *tx) error {
	_, err := one(t, "probe", column[int64], `UPDATE meta SET value = value + 1 WHERE key = 'probe' RETURNING value`)
	return err
}

// Watch implements [payments.Reader]. The channel also receives when another process
// commits a change, and when a fault begins or ends. It is closed when ctx ends or the
// store is closed.
func (s *Store) Watch(ctx context.Context) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	notice := make(chan struct{}, 1)
	if errors.Is(s.fault, ErrClosed) {
		close(notice)
		return notice
	}
	s.watchers[notice] = true
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.watchers[notice] {
			delete(s.watchers, notice)
			close(notice)
		}
	})
	s.follow()
	return notice
}

// notify sends a message to each watcher. The caller holds s.mu.
func (s *Store) notify() {
	for notice := range s.watchers {
		select {
		case notice <- struct{}{}:
		default: // Skip this watcher: it has not received its last notice yet.
		}
	}
}

// Outage returns why the database cannot be used now, or nil.
func (s *Store) Outage() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

func (s *Store) report(err error) {
	if err != nil && s.config.Dialect.Fault(err) {
		s.setFault(err)
	}
}

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
		default: // Skip: the writer has not received the last signal yet.
		}
	}
}

// observe reads the change sequence, to find changes by other processes and to notice faults. It
// uses the write connection, because long reads may use all read connections.
func (s *Store) observe(ctx context.Context) error {
	var polled *tx
	err := retried(func() error {
		return s.readFrom(ctx, s.pools.Load().Writer, func(t *tx) error {
			polled = t
			s.askHead(t, "")
			if s.config.AlsoPoll != nil {
				t.queue(s.config.AlsoPoll())
			}
			return nil
		})
	})
	if err == nil && polled.head == nil {
		err = wrap("read the change sequence", sql.ErrNoRows)
	}
	if err == nil && s.config.CheckPoll != nil {
		err = s.config.CheckPoll()
	}
	s.report(err)
	if err == nil {
		s.setSequence(polled.head.sequence)
	}
	return err
}

// setSequence stores a change sequence that was just read or written. After a failover that lost
// commits, the sequence may be lower than before.
func (s *Store) setSequence(sequence int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = time.Now()
	if sequence != s.sequence {
		s.sequence = sequence
		s.notify()
	}
}

// committed is the function that a [FollowFunc] calls. It ignores commits that the store knows
// already.
func (s *Store) committed(sequence int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sequence == 0 || sequence > s.sequence {
		s.sequence = max(s.sequence, sequence)
		s.notify()
	}
}

// Heard returns when the change sequence was last read or written, as a time with a monotonic
// reading. It is zero before the first read.
func (s *Store) Heard() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}

// Readers returns the pool of the connections for reads. The pool may be closed after the next
// fault.
func (s *Store) Readers() *sql.DB { return s.pools.Load().Readers }

// Close waits for the accepted changes and the running reads, and closes all connections. Later
// changes and reads return [ErrClosed]. A second Close does nothing.
func (s *Store) Close() {
	s.calls.Lock()
	s.mu.Lock()
	s.fault = ErrClosed
	for notice := range s.watchers {
		close(notice)
	}
	clear(s.watchers)
	s.mu.Unlock()
	s.calls.Unlock()
	s.stop()
	s.running.Wait()
	s.pools.Load().Close()
}
