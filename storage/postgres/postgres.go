// Package postgres keeps a shop's orders, events and sales in a PostgreSQL
// database that several tills and listeners share.
//
// It guarantees what reliability asks for: what was acknowledged is flushed by
// the server (its settings are read back on every connection and with every
// change), the processes write one after the other in the order of the change sequence, so that who
// reads from a sequence on misses nothing, and a schema is brought forward in
// steps that happen wholly or not at all, by one process at a time. A server
// that would lose what it acknowledged, that only follows another one, or whose
// schema is a newer version's is refused with advice.
//
// Nothing waits for ever: statements, turns and idle transactions are bounded
// here and at the server. While the server cannot be used every call fails
// within seconds, and it goes on by itself when the server is back. A commit
// whose answer was lost is not repeated: the server is asked what became of it.
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
	"database/sql"
	_ "embed" // For the schema and the roles.
	"fmt"
	"log/slog"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

//go:embed schema.sql
var schema string

//go:embed roles.sql
var roles string

var _ payments.Store = (*Store)(nil)

// lookEvery is how often the server is asked for something when nobody else
// does.
const lookEvery = 2 * time.Second

// Store is a [payments.Store] in a PostgreSQL database. It is safe for
// concurrent use, by several processes too.
type Store struct {
	*sqlstore.Store
	readers    *sql.DB
	follower   *follower
	clock      *clock
	connection Connection
}

type options struct {
	poll   time.Duration
	answer time.Duration // How long the server may be silent.
	now    func() time.Time
	logger *slog.Logger
}

// Option changes how a [Store] works.
type Option func(*options)

// WithPoll sets how often a store reads the change sequence while somebody
// watches, beside being told. The default is 5 s.
func WithPoll(every time.Duration) Option { return func(o *options) { o.poll = every } }

// WithClock sets the machine's clock, with which the server's is compared. The
// default is the system's.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithLogger sets who is told of what an operator should know. The default is
// nobody.
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.logger = logger } }

// Open opens the database at an address and makes the tables if they are not
// there; the database itself must be. ctx ends the opening, not the store.
//
// Its errors say what to do, and hold no password: [ErrAddress],
// [ErrUnreachable], [ErrUnsafe], [ErrStandby], [ErrTooOld], [ErrEncoding],
// [ErrForeign], a newer schema, or the server's own with advice.
func Open(ctx context.Context, address string, opts ...Option) (*Store, error) {
	chosen := options{poll: 5 * time.Second, answer: answerLimit, now: time.Now, logger: slog.New(slog.DiscardHandler)}
	for _, opt := range opts {
		opt(&chosen)
	}
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	usual := connector{config: config, answer: chosen.answer, clock: &clock{now: chosen.now, logger: chosen.logger}}
	store, err := open(ctx, usual, chosen)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", name(config), discreet(advise(err), config))
	}
	store.connection = Connection{Local: local(config), SSLMode: cmp.Or(sslMode(address), verified)}
	return store, nil
}

func open(ctx context.Context, usual connector, chosen options) (*Store, error) {
	origin, err := migrate(ctx, usual)
	if err != nil {
		return nil, err
	}
	pools := sqlstore.Pools{Writer: usual.openPool(1), Readers: usual.openPool(sqlstore.ReaderCount)}
	follower := &follower{config: usual.config, clock: usual.clock, every: chosen.poll}
	store, err := sqlstore.New(ctx, sqlstore.Config{
		Pools: pools, Dialect: dialect{},
		Look: lookEvery, Follow: follower.follow, Origin: origin,
	})
	if err != nil {
		return nil, err
	}
	return &Store{Store: store, readers: pools.Readers, follower: follower, clock: usual.clock}, nil
}

// Connection returns how the store reaches its server now. Whether it polls is
// known once somebody watches.
func (s *Store) Connection() Connection {
	known := s.connection
	known.Polls, known.Skew = s.follower.deaf.Load(), s.clock.offset()
	return known
}

// Skew returns by how much the server's clock is ahead of this machine's, as
// measured with the last connection, the last probe and the last look for
// changes. It is zero before the first time.
func (s *Store) Skew() time.Duration { return s.clock.offset() }

// Probe writes and reads, durably, and measures the server's clock.
func (s *Store) Probe(ctx context.Context) error {
	if err := s.Store.Probe(ctx); err != nil {
		return err
	}
	return s.clock.measure(ctx, s.readers)
}

// Close waits for the changes that were handed over and closes the connections.
func (s *Store) Close() error {
	s.Store.Close()
	return nil
}

// migrate makes the tables if they are not there, however long that takes, and
// returns where they were found.
func migrate(ctx context.Context, usual connector) (origin string, err error) {
	usual.patient = true
	pool := usual.openPool(1)
	defer pool.Close()
	if err = prepare(ctx, pool); err == nil {
		err = sqlstore.CreateSchema(ctx, pool, dialect{}, beginMigrate, schema)
	}
	if state(err) == forbidden {
		return "", fmt.Errorf("%w (%w)", ErrOwner, err)
	}
	var found string
	if err == nil {
		err = pool.QueryRowContext(ctx, readSequence).Scan(&found)
	}
	if err == nil {
		_, _, origin, err = parseSequence(found)
	}
	return origin, err
}

// prepare makes the table of the schema's version if it is not there. Who has
// no right to make tables can open a database that has it.
func prepare(ctx context.Context, pool *sql.DB) error {
	var there bool
	if err := pool.QueryRowContext(ctx, "SELECT to_regclass('till_schema') IS NOT NULL").Scan(&there); err != nil || there {
		return err
	}
	const first = beginMigrate + "; CREATE TABLE IF NOT EXISTS till_schema (version integer NOT NULL); " +
		"INSERT INTO till_schema SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM till_schema); COMMIT"
	_, err := pool.ExecContext(ctx, first)
	return err
}

// Roles returns the statements that give a listener, a till and the owner the
// rights that each needs. The text says how it is used.
func Roles() string { return roles }
