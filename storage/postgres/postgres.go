// Package postgres keeps a shop's orders, events and sales in a PostgreSQL
// database that several tills and listeners share.
//
// It guarantees what reliability asks for: what was acknowledged is flushed by
// the server (its settings are read back before each transaction), and the
// processes write one after the other in the order of the change sequence, so
// that who reads from a sequence on misses nothing. A server that would lose what
// it acknowledged, that only follows another one, or whose schema is a newer
// version's is refused with advice.
//
// Nothing waits for ever: statements, turns and idle transactions are bounded
// here and at the server. While the server cannot be used every call fails
// within seconds, and it goes on by itself when the server is back. Of a commit
// whose answer was lost nobody knows what became: that is an error, and what is
// written again must be harmless then.
//
// An address may name several servers; with target_session_attrs=read-write the
// one that takes writes is used. A replica that follows asynchronously may lack
// what was acknowledged before it took over: only synchronous_standby_names at
// the server rules that out.
//
// No extension is needed, and a pooler may stand in between, also one that
// gives each transaction another connection.
package postgres

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

//go:embed schema.sql
var schema string

//go:embed roles.sql
var roles string

var _ payments.Store = (*Store)(nil)

const (
	// What the server limits: a statement, the waiting for another process's turn,
	// and a transaction in which nothing happens. See also answerLimit.
	statementLimit = 5 * time.Second
	turnLimit      = 3 * time.Second
	idleLimit      = 10 * time.Second
	// pollEvery is how often the change sequence is read, whether the server notified
	// or not.
	pollEvery = time.Second
)

// The keys of the store's log.
const (
	keyError = "error"
	keyAhead = "server_ahead"
)

// Store is a [payments.Store] in a PostgreSQL database. It is safe for
// concurrent use, by several processes too.
type Store struct {
	*sqlstore.Store
	dialer dialer
	mode   string      // See [Connection].
	polls  atomic.Bool // See [Connection].
	logger *slog.Logger
	logged string // The fault that was logged last; empty for none.
}

// Options are how a database is opened; the zero value has the defaults.
type Options struct {
	Clock  payments.Clock // This machine's, with which the server's is compared; nil for the system's.
	Logger *slog.Logger   // For what an operator should know; nil discards.
	// Till is a name to lock while the store is open, so that no other console of the
	// shop has it: [ErrNameTaken]. Behind a pooler in transaction mode there is no
	// lock. It may be empty.
	Till string
	// Lazy is how long [Open] waits for the server. Then it returns a store of which
	// every call fails until the server is there. Zero is an error instead.
	Lazy time.Duration

	answer time.Duration // See answerLimit; tests have another.
}

// Open opens the database at an address and makes its tables when it has none;
// the database itself must be there. ctx ends the opening, not the store.
//
// Its errors say what to do, and hold no password: [ErrAddress],
// [ErrUnreachable], [ErrUntrusted], [ErrUnsafe], [ErrStandby], [ErrTooOld],
// [ErrEncoding], [ErrForeign], [ErrOwner], [ErrNameTaken], a newer schema, or the
// server's own with advice.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	config, mode, err := parse(address)
	if err != nil {
		return nil, err
	}
	s := &Store{dialer: newDialer(config), mode: mode, logger: cmp.Or(options.Logger, slog.New(slog.DiscardHandler))}
	if s.dialer.clock.logger = s.logger; options.Clock != nil {
		s.dialer.clock.now = options.Clock
	}
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

// open makes a store whose writer is connected, and has the till's name. A lazy
// one may begin with the fault that the server is away.
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
		Pools: s.pools(), Dialect: dialect(), Reopen: s.reopen, Poll: pollEvery, Follow: s.follow, Fault: fault,
	})
	return err
}

// prepare makes the tables if they are not there.
func (s *Store) prepare(ctx context.Context) error {
	pool := newDialer(s.dialer.config).open(1, true)
	defer pool.Close()
	if err := pool.PingContext(ctx); err != nil {
		return connectError(err)
	}
	const oneAtATime = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(1953066092)"
	err := sqlstore.CreateSchema(ctx, pool, dialect(), oneAtATime, schema)
	if state(err) == forbidden {
		return fmt.Errorf("%w (%w)", ErrOwner, err)
	}
	return err
}

// pools returns the connections of a store, which are made when they are used.
func (s *Store) pools() sqlstore.Pools {
	return sqlstore.Pools{Writer: s.dialer.open(1, true), Readers: s.dialer.open(sqlstore.ReaderCount, false)}
}

// reopen connects anew after a fault.
func (s *Store) reopen(ctx context.Context, old sqlstore.Pools) (sqlstore.Pools, error) {
	if err := s.prepare(ctx); err != nil {
		err = advise(err)
		s.logFault(err)
		return old, err
	}
	old.Close() // What they held was lost or rolled back.
	s.logFault(nil)
	return s.pools(), nil
}

// logFault logs a fault once, and its end.
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

// Connection returns how the store reaches its server now. Whether it polls is
// known once somebody watches.
func (s *Store) Connection() Connection {
	clock := s.dialer.clock
	clock.mu.Lock()
	defer clock.mu.Unlock()
	return Connection{Local: local(s.dialer.config), SSLMode: s.mode, Polls: s.polls.Load(), Skew: clock.skew, Heard: s.Heard(), Fault: s.Fault()}
}

// Server returns the version of the server, and whether the user owns the tables,
// so that the rights of [Roles] do not bind it.
func (s *Store) Server(ctx context.Context) (version string, owner bool, err error) {
	row := s.Readers().QueryRowContext(ctx, `SELECT current_setting('server_version'),
		pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'orders'::regclass), 'USAGE')`)
	if err := row.Scan(&version, &owner); err != nil {
		return "", false, fmt.Errorf("ask the server: %w", advise(err))
	}
	return version, owner, nil
}

// Close waits for the changes that were handed over and closes the connections.
func (s *Store) Close() error {
	s.Store.Close()
	return nil
}

// Roles returns the statements that give a listener, a till and the owner the
// rights that each needs. The text says how it is used.
func Roles() string { return roles }

// dialect is what PostgreSQL does in its own way. The limits are set in each
// transaction: between a pooler and the server connections change with it.
func dialect() sqlstore.Dialect {
	d := patient()
	limits := fmt.Sprintf("; SET LOCAL statement_timeout = %d; SET LOCAL lock_timeout = %d; SET LOCAL idle_in_transaction_session_timeout = %d",
		statementLimit.Milliseconds(), turnLimit.Milliseconds(), idleLimit.Milliseconds())
	d.BeginWrite += limits
	d.BeginRead += limits
	return d
}

// patient is the dialect without limits, to read or write a whole shop.
func patient() sqlstore.Dialect {
	return sqlstore.Dialect{
		// A writer has its turn once it holds the row of the change sequence. It reads
		// what was committed before, so it must not stick to what it saw when it began.
		BeginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED",
		BeginRead:  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
		ForUpdate:  " FOR UPDATE",
		Version:    "SELECT coalesce(obj_description(to_regclass('meta'), 'pg_class')::int, 0)",
		Fault: func(err error) bool {
			_, fault := meaningOf(err)
			return fault || broken(err) || unfit(err)
		},
		Advise: func(err error) error { return advise(connectError(err)) },
	}
}
