// Package sqlite keeps a shop's orders, events and sales in one SQLite file.
//
// It guarantees what reliability asks for: what was acknowledged is on disk
// (write-ahead log, synchronous FULL, both read back on every connection), a
// database appears under its name only when it is whole, and a file that is
// damaged, empty, of another program or of a newer version is refused with
// advice and left as it is.
//
// While a database is open its files are watched by their names: one that was
// moved, deleted or replaced is noticed within a second, a full or failing disk by
// the first call that meets it. From then on every call fails, and nothing is
// acknowledged that the next one to open the file would not find. It goes on by
// itself when the cause is gone. Nothing is rescued: a person brings the backup back.
//
// On Linux a database on a network file system is refused; elsewhere nothing
// here can tell, and it is the operator who keeps it on a local disk.
//
// An empty file counts as damaged: databases are made beside their name and
// then moved there, so that an empty one was never whole.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	sqlite "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

var _ payments.Store = (*Store)(nil)

// Store is a [payments.Store] in an SQLite file. It is safe for concurrent use,
// by several processes too.
type Store struct {
	*sqlstore.Store
	files
	options options
	// own is a connection that lasts as long as the store, to checkpoint a
	// database that was moved away.
	own *sql.DB
	// checkpoint writes the log into a database that was moved away: the log stays
	// behind, and would be read with whatever file takes its place.
	checkpoint func()
}

// options are what tests replace.
type options struct {
	Minimum int64                             // Bytes that must be free for a new order.
	Network func(path string) (string, error) // Names the network file system of a path.
	Pool    func(path string, m mode, size int, check func() error) (*sql.DB, error)
}

func defaults() options { return options{Minimum: minimumFree, Network: networkOf, Pool: openPool} }

// pollEvery is how often a store looks for the changes of other processes. To
// read an unchanged page costs no disk access.
const pollEvery = 500 * time.Millisecond

// Open opens the database in a file. Where there is no file it makes an empty
// database, readable by its owner alone, and the folders on its path. ctx ends
// the opening, not the store.
//
// Its errors are an [*fs.PathError] and say what to do: [ErrDamaged], [ErrEmpty],
// [ErrForeign], [ErrRemains], [ErrUnsafe], a newer schema, or SQLite's own with advice.
func Open(ctx context.Context, path string) (*Store, error) {
	return openWith(ctx, path, defaults())
}

func openWith(ctx context.Context, path string, chosen options) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the database: %w", err)
	}
	store, err := open(ctx, path, chosen)
	// On a full disk SQLite cannot make its shared memory, and calls that a fault of
	// the disk.
	if free, unknown := freeSpace(path); primary(err) == codes.SQLITE_IOERR && unknown == nil && free < usableFree {
		err = ErrFull
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open the database", Path: path, Err: advise(err)}
	}
	return store, nil
}

func open(ctx context.Context, path string, chosen options) (*Store, error) {
	lockByFile()
	if err := checkLocal(path, chosen.Network); err != nil {
		return nil, err
	}
	if err := create(ctx, path); err != nil {
		return nil, err
	}
	if err := inspect(ctx, path); err != nil {
		return nil, err
	}
	found, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	s := &Store{options: chosen, files: files{path: path, inode: found}}
	s.checkpoint = func() { // What fails is tried again at each poll.
		_, _ = s.own.ExecContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	pools, err := s.openPools(ctx)
	if err != nil {
		return nil, err
	}
	s.Store, err = sqlstore.New(ctx, sqlstore.Config{
		Pools: pools, Dialect: dialect(), Reopen: s.reopen, Poll: pollEvery, Check: s.check, Look: s.look, Room: s.room,
	})
	if err != nil {
		return nil, errors.Join(err, s.own.Close())
	}
	return s, nil
}

// openPools opens the connections of a store, and its own one.
func (s *Store) openPools(ctx context.Context) (pools sqlstore.Pools, err error) {
	for _, open := range []struct {
		pool **sql.DB
		mode mode
		size int
	}{{&s.own, modeWrite, 1}, {&pools.Writer, modeWrite, 1}, {&pools.Readers, modeRead, sqlstore.ReaderCount}} {
		if *open.pool, err = s.options.Pool(s.path, open.mode, open.size, s.inPlace); err != nil {
			return pools, err
		}
	}
	// A connection that may write sets the journal mode, and its first query
	// opens the log.
	if _, err = s.own.ExecContext(ctx, "SELECT count(*) FROM meta"); err == nil {
		s.log = nil // The files as they are now are what is compared with later.
		s.last, s.log, err = s.stat()
	}
	if err != nil {
		pools.Close()
		err = errors.Join(err, s.own.Close())
	}
	return pools, err
}

// reopen opens the database anew after a fault, and lets SQLite check all of it.
// One that is not in its place keeps its connections: it may come back.
func (s *Store) reopen(ctx context.Context, old sqlstore.Pools) (sqlstore.Pools, error) {
	if err := s.inPlace(); err != nil {
		s.checkpoint()
		return old, err
	}
	if err := writable(s.path); err != nil {
		return old, fmt.Errorf("%w (%w)", ErrReadOnly, err)
	}
	if free, err := freeSpace(s.path); err == nil && free < usableFree {
		return old, ErrFull
	}
	old.Close()
	_ = s.own.Close() // What they held was lost or rolled back.
	if err := quickCheck(ctx, s.path); err != nil {
		return old, advise(err)
	}
	return s.openPools(ctx)
}

// room returns [payments.ErrNoRoom] when the disk is nearly full. Where the
// system does not tell how much room there is, there is some.
func (s *Store) room() error {
	if free, err := freeSpace(s.path); err == nil && free < s.options.Minimum {
		return payments.ErrNoRoom
	}
	return nil
}

// Close waits for the changes that were handed over and closes the file.
func (s *Store) Close() error {
	s.Store.Close()
	if s.inPlace() != nil {
		s.checkpoint()
	}
	return s.own.Close()
}

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		BeginWrite: "BEGIN IMMEDIATE", // It waits up to busyTimeout for the write lock, and then has the whole database.
		BeginRead:  "BEGIN",           // The first query decides which moment is seen.
		Version:    "PRAGMA user_version",
		Fault:      unusable, Advise: advise, Trigrams: true,
		Structure: []string{
			"SELECT 'file', '', integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
			`SELECT "table", '', 'a row refers to one of ' || parent || ' that is not there' FROM pragma_foreign_key_check`,
		},
	}
}

// lockByFile makes SQLite's locks survive that something in this process opens
// and closes the database file. Only Linux has such locks; elsewhere nothing in
// the process may touch the file. Whoever opens a database first decides for
// the whole process. That all use the same kind matters more than which, so a
// refusal is no error.
func lockByFile() { _, _ = sqlite.OFDLocking(true) }
