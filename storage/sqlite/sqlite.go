// Package sqlite keeps a shop's orders, events and sales in one SQLite file.
//
// It guarantees what reliability asks for: what was acknowledged is on disk
// (write-ahead log, synchronous FULL, both read back on every connection),
// a database appears under its name only when it is whole, a schema is brought
// forward in steps that happen wholly or not at all, and a file that is
// damaged, empty, of another program or of a newer version is refused with
// advice and left as it is.
//
// While it is open the database is watched by its names alone, without opening
// anything: a file that was moved, deleted, replaced, cut or written over, a log
// that is lost, a disk that fails, is full or read-only make every call fail
// within a second, and nothing is acknowledged that the next one to open the
// file would not find. It goes on by itself when the cause is gone. Some room
// is kept on the disk, so that outcomes can still be stored when new orders are
// refused for want of it.
//
// On Linux a database on a network file system is refused; elsewhere nothing
// here can tell, and it is the operator who keeps it on a local disk.
//
// An empty file counts as damaged: databases are made beside their name and
// then moved there, so that an empty one was never whole. What was in it is
// lost, and beginning anew is the operator's decision.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

//go:embed migrations/*.sql
var migrations embed.FS

var _ payments.Store = (*Store)(nil)

// Store is a [payments.Store] in an SQLite file. It is safe for concurrent use,
// by several processes too.
type Store struct {
	*sqlstore.Store
	pools pools
	guard *guard
}

// pools are the connections of a store. Nobody who holds a connection asks its
// own pool for another.
type pools struct{ writer, readers, follower *sql.DB }

func (p pools) close() {
	for _, pool := range []*sql.DB{p.follower, p.readers, p.writer} {
		pool.Close()
	}
}

type options struct {
	poll    time.Duration
	reserve int64 // Bytes.
	// receives says that another database is copied into this one.
	receives bool
	// network names the network file system that a path lies on.
	network func(path string) (string, error)
}

// Option changes how a [Store] works.
type Option func(*options)

// WithPoll sets how often a store looks for the changes of other processes
// while somebody watches. The default is 500 ms.
func WithPoll(every time.Duration) Option { return func(o *options) { o.poll = every } }

// WithReceiving opens a database to copy another one into it, also where that
// was begun and not ended.
func WithReceiving() Option { return func(o *options) { o.receives = true } }

// Open opens the database in a file and brings its schema forward. Where there
// is no file it makes an empty database, readable by its owner alone, and the
// folders on its path. ctx ends the opening, not the store.
//
// Its errors say what to do: [ErrDamaged], [ErrEmpty], [ErrForeign],
// [ErrRemains], [ErrUnsafe], a newer schema, or SQLite's own with advice.
func Open(ctx context.Context, path string, opts ...Option) (*Store, error) {
	chosen := options{poll: 500 * time.Millisecond, reserve: reserveSize, network: networkOf}
	for _, opt := range opts {
		opt(&chosen)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the database: %w", err)
	}
	store, err := open(ctx, path, chosen)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", path, advise(err))
	}
	return store, nil
}

func open(ctx context.Context, path string, chosen options) (*Store, error) {
	lockByFile()
	if err := checkPlace(path, chosen.network); err != nil {
		return nil, err
	}
	if err := create(ctx, path); err != nil {
		return nil, err
	}
	known, err := inspect(ctx, path)
	if err != nil {
		return nil, err
	}
	g, err := newGuard(path, chosen.reserve)
	if err != nil {
		return nil, err
	}
	p, err := openPools(path, g)
	if err != nil {
		return nil, err
	}
	var store *sqlstore.Store
	if err = bringForward(ctx, p.writer, path, known); err == nil {
		store, err = start(ctx, p, g, chosen)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return &Store{Store: store, pools: p, guard: g}, nil
}

// openPools opens no connection yet.
func openPools(path string, g *guard) (p pools, err error) {
	if p.writer, err = openPool(path, modeWrite, 1, g); err != nil {
		return pools{}, err
	}
	if p.readers, err = openPool(path, modeRead, sqlstore.ReaderCount, g); err != nil {
		return pools{}, err
	}
	p.follower, err = openPool(path, modeRead, 1, g)
	return p, err
}

func start(ctx context.Context, p pools, g *guard, chosen options) (*sqlstore.Store, error) {
	follower := follower{pool: p.follower, every: chosen.poll, guard: g}
	return sqlstore.New(ctx, sqlstore.Config{
		Writer: p.writer, Readers: p.readers, Dialect: dialect{}, Keeper: g, Follow: follower.follow,
		Receives: chosen.receives,
	})
}

// bringForward migrates the schema, and keeps a copy of what there was. A
// database that can be used as it is saves the start a connection.
func bringForward(ctx context.Context, writer *sql.DB, path string, known inspected) error {
	if newest, err := SchemaVersion(); err != nil || known.ready(newest) {
		return err
	}
	steps, err := steps()
	if err != nil {
		return err
	}
	keep := func(ctx context.Context, version int) error { return keepCopy(ctx, path, version) }
	return sqlstore.Migrate(ctx, writer, dialect{}, steps, keep)
}

// Close waits for the changes that were handed over and closes the file.
// [ErrDeleted] says that there is none any more, and where its content is.
func (s *Store) Close() error {
	s.Store.Close()
	s.pools.close()
	return s.guard.found()
}

// steps returns the folder of the migrations.
func steps() (fs.FS, error) { return fs.Sub(migrations, "migrations") }

// SchemaVersion returns the version of the schema that this program writes.
// Every open store has it.
func SchemaVersion() (int, error) {
	entries, err := migrations.ReadDir("migrations")
	return len(entries), err
}
