// Package postgres stores a shop's orders, events and sales in a PostgreSQL database, which several
// tills and listeners can share.
//
// The package guarantees that the server flushes acknowledged changes to disk: it checks the
// server's settings at the beginning of each transaction. Processes write one after the other, in
// the order of the change sequence. The package refuses a server that may lose commits, a standby,
// and a database with a newer schema, and the error says what to do.
//
// No call of a store waits forever: the server limits statements, lock waits and idle transactions,
// and the package limits each read and write of the network. While the server is unavailable, every
// call fails within seconds, and the store reconnects by itself. If the answer to a commit is lost,
// it is unknown whether the commit took place, and the call returns an error. So a write must be
// safe to repeat.
//
// An address may name several servers; with target_session_attrs=read-write the store uses the
// primary. If an asynchronous replica takes over, acknowledged changes may be missing: only
// synchronous_standby_names on the server prevents that.
//
// No extension is required. A connection pooler is supported, also in transaction mode.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/storage/internal/sqlstore"
)

var _ drawer.Store = (*Store)(nil)

const (
	// The server's limits for a statement, for a lock wait and for an idle transaction.
	statementLimit = 5 * time.Second
	turnLimit      = 3 * time.Second
	idleLimit      = 10 * time.Second
	// pollEvery is how often the change sequence is read, with or without notifications.
	pollEvery = time.Second
)

const (
	keyError = "error"
	keyAhead = "server_ahead"
)

// Store is a [payments.Store] in a PostgreSQL database. It is safe for concurrent use, also
// by several processes.
type Store struct {
	*sqlstore.Store
	dialer     dialer
	mode       string
	polls      atomic.Bool
	signs      atomic.Pointer[signs] // Records of listeners at the last poll; nil before the first.
	logger     *slog.Logger
	logged     string // The last logged fault; empty without one.
	migrations []string
}

// Options configure [Open]; the zero value contains the defaults.
type Options struct {
	Clock  payments.Clock // This machine's clock, to compare with the server's; nil for the system clock.
	Logger *slog.Logger   // Messages for an operator; nil discards them.
	// Till is the name of the till; it may be empty. The name is locked while the store is open:
	// for another console of the shop with this name or the same [payments.TillCode], Open returns
	// [ErrNameTaken]. Behind a pooler, the name is not locked.
	Till string
	// Lazy is the longest time that [Open] waits for the server. If the server is unavailable, Open
	// returns a store that fails every call until the server is available. If Lazy is zero, Open
	// returns an error instead.
	Lazy time.Duration

	answer     time.Duration // Replaces answerLimit; set by tests.
	migrations []string      // Added to the migrations of the dialect; set by tests.
}

// Open opens the database at an address. It creates missing tables and updates older ones; the
// database itself must exist. ctx limits the opening; the open store does not depend on it.
//
// Its errors say what to do, and contain no password: [ErrAddress], [ErrNoDatabase],
// [ErrUnreachable], [ErrRefused], [ErrCrowded], [ErrUntrusted], [ErrUnsafe], [ErrStandby],
// [ErrTooOld], [ErrEncoding], [ErrForeign], [ErrOwner], [ErrNameTaken], [sqlstore.ErrNewerSchema],
// [*sqlstore.OldSchemaError], or another error of the server with advice.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	config, mode, err := parse(address)
	if err != nil {
		return nil, err
	}
	s := &Store{dialer: newDialer(config), mode: mode, logger: cmp.Or(options.Logger, slog.New(slog.DiscardHandler))}
	if s.dialer.clock.logger = s.logger; options.Clock != nil {
		s.dialer.clock.now = options.Clock
	}
	s.migrations = options.migrations
	s.dialer.till, s.dialer.answer = options.Till, cmp.Or(options.answer, answerLimit)
	err = s.open(ctx, options.Lazy)
	switch {
	case errors.Is(err, ErrNameTaken):
		return nil, fmt.Errorf("begin as %q: %w", options.Till, ErrNameTaken)
	case err != nil:
		return nil, fmt.Errorf("open the database %s: %w", name(config), advise(err))
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, lazy time.Duration) error {
	first := ctx
	if lazy > 0 {
		limited, cancel := context.WithTimeout(ctx, lazy)
		defer cancel()
		first = limited
	}
	fault := s.prepare(first)
	if lazy > 0 && ctx.Err() == nil && (Away(fault) || first.Err() != nil && fault != nil) {
		s.logFault(fault)
	} else if fault != nil {
		return fault
	}
	var err error
	s.Store, err = sqlstore.New(ctx, sqlstore.Config{
		Pools: s.pools(), Dialect: s.dialect(), Reopen: s.reopen, Poll: pollEvery, AlsoPoll: s.readListeners, Follow: s.follow, Fault: fault,
	})
	return err
}

func (s *Store) prepare(ctx context.Context) error {
	pool := newDialer(s.dialer.config).open(1, true)
	defer pool.Close()
	if err := pool.PingContext(ctx); err != nil {
		return connectError(err)
	}
	oneAtATime := fmt.Sprintf("BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(%d)", lockClass)
	err := sqlstore.UpdateSchema(ctx, pool, s.patient(), oneAtATime, schema())
	if state(err) == forbidden {
		return fmt.Errorf("%w (%w)", ErrOwner, err)
	}
	return err
}

func (s *Store) pools() sqlstore.Pools {
	return sqlstore.Pools{Writer: s.dialer.open(1, true), Readers: s.dialer.open(sqlstore.ReaderCount, false)}
}

func (s *Store) reopen(ctx context.Context, old sqlstore.Pools) (sqlstore.Pools, error) {
	if err := s.prepare(ctx); err != nil {
		err = advise(err)
		s.logFault(err)
		return old, err
	}
	old.Close() // The server rolls back the open transactions of these connections.
	s.logFault(nil)
	return s.pools(), nil
}

func (s *Store) logFault(fault error) {
	switch {
	case fault != nil && fault.Error() != s.logged:
		s.logged = fault.Error()
		s.logger.Warn("the database is away: it is opened when it is there", slog.String(keyError, s.logged))
	case fault == nil && s.logged != "":
		s.logged = ""
		s.logger.Info("the database is open")
	}
}

// Connection returns the state of the connection to the server. Polls is not set before the first
// Watch.
func (s *Store) Connection() Connection {
	clock := s.dialer.clock
	clock.mu.Lock()
	defer clock.mu.Unlock()
	return Connection{
		Local: local(s.dialer.config), SSLMode: s.mode, Polls: s.polls.Load(), Skew: clock.skew, Heard: s.Heard(), Fault: s.Outage(),
		Listeners: s.signs.Load().now(),
	}
}

// Server returns the server's version. owner reports whether the user owns the tables: the rights
// that [Roles] grants do not limit an owner.
func (s *Store) Server(ctx context.Context) (version string, owner bool, err error) {
	row := s.Readers().QueryRowContext(ctx, `SELECT current_setting('server_version'),
		pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'orders'::regclass), 'USAGE')`)
	if err := row.Scan(&version, &owner); err != nil {
		return "", false, fmt.Errorf("ask the server: %w", advise(err))
	}
	return version, owner, nil
}

// Probe is [sqlstore.Store.Probe] with errors that say what to do.
func (s *Store) Probe(ctx context.Context) error { return advise(s.Store.Probe(ctx)) }

// Close waits for the accepted changes and closes the connections.
func (s *Store) Close() error {
	s.Store.Close()
	return nil
}

// Roles returns the SQL that grants a listener, a till and the owner their rights. The comments in
// the SQL explain how to use it.
func Roles() string { return roles }

// dialect returns the dialect of a store. Each transaction in this dialect checks the server.
func (s *Store) dialect() sqlstore.Dialect {
	d := s.patient()
	d.Send = send
	d.Check = func() *sqlstore.Statement { return s.dialer.check(new(int64)) }
	return d
}

// patient returns the dialect without time limits, with the migrations that a test has added.
func (s *Store) patient() sqlstore.Dialect {
	d := patient()
	d.Version += len(s.migrations)
	d.Migrations = append(d.Migrations, s.migrations...)
	return d
}

// patient returns the dialect without time limits, for operations on all data of a shop.
func patient() sqlstore.Dialect {
	return sqlstore.Dialect{
		// A change first waits for its turn. With READ COMMITTED it sees what was committed during the
		// wait.
		BeginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED",
		// The server grants an advisory lock in the order of the requests. A row lock would not do: a busy
		// till could get it again before the tills that wait.
		Turn:      fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", lockClass),
		BeginRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
		ForUpdate: " FOR UPDATE",
		HasTables: "SELECT to_regclass('meta') IS NOT NULL AND to_regclass('orders') IS NOT NULL",
		Version:   sqlstore.SchemaVersion,
		// Each change first reads meta in a mode that conflicts with this lock.
		StopChanges: "LOCK TABLE meta IN EXCLUSIVE MODE",
		Structure:   schemaChecks(),
		Lost:        broken,
		Fault: func(err error) bool {
			_, fault := meaningOf(err)
			return fault || broken(err) || unfit(err)
		},
		Advise: func(err error) error { return advise(connectError(err)) },
	}
}
