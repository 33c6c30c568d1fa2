// Package sqlite stores a shop's orders, events and sales in one SQLite file.
//
// It guarantees that acknowledged changes are on disk: each connection of a store checks that the
// write-ahead log and synchronous FULL are in effect. The package refuses a file that is damaged,
// empty, from another program or from a newer version, and does not change its data. The error says
// what to do.
//
// While a database is open, the store notices a moved, deleted or replaced file within a second. It
// notices a full or failing disk at the next call that uses the disk. From then on every call
// fails: otherwise, an acknowledged change could be missing at the next start. When the cause is
// gone, the store continues by itself. It repairs nothing: a person restores the backup.
//
// On Linux, a database on a network file system is refused. On other systems the package cannot
// detect one: the operator must use a local disk.
//
// A new database gets its name only when it is complete, so an empty file means that its data was
// lost.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	sqlite "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/storage/internal/space"
	"checkout/till/storage/internal/sqlstore"
)

var _ drawer.Store = (*Store)(nil)

// Store is a [payments.Store] in an SQLite file. It is safe for concurrent use, also by
// several processes.
type Store struct {
	*sqlstore.Store
	files
	options options
	// own is a pool with one connection for the statements of this package. Only Open, SetAhead,
	// Close and the writer's goroutine use it, because reopen replaces it.
	own *sql.DB
	// checkpoint writes the log into the open database, for a database file that was moved away.
	// Otherwise SQLite would apply the log to the next file with the database's name.
	checkpoint func()
	ahead      atomic.Int64 // Result of [Store.Ahead], in milliseconds.
}

// options are the values that tests can replace.
type options struct {
	Minimum int64                             // Free bytes required for a new order or cash sale.
	Network func(path string) (string, error) // Returns the network file system that a path is on; "" for a local one.
	Pool    func(path string, m mode, size int, check func() error) (*sql.DB, error)
	Dialect sqlstore.Dialect
}

func defaults() options {
	return options{Minimum: minimumFree, Network: networkOf, Pool: openPool, Dialect: dialect()}
}

// pollEvery is how often a store looks for changes of other processes. Reading an unchanged
// page needs no disk access.
const pollEvery = 500 * time.Millisecond

// Open opens the database in a file. If the file is missing, Open creates an empty database,
// readable only by its owner, and the folders of its path. ctx limits the opening; the open store
// does not depend on it.
//
// An error says what to do; it is usually an [*fs.PathError]. It may wrap [ErrDamaged], [ErrEmpty],
// [ErrForeign], [ErrRemains], [ErrUnsafe], [ErrFull], [sqlstore.ErrNewerSchema] or
// [*sqlstore.OldSchemaError].
func Open(ctx context.Context, path string) (*Store, error) {
	return openWith(ctx, path, defaults())
}

func openWith(ctx context.Context, path string, chosen options) (*Store, error) {
	path, err := RealPath(path)
	if err != nil {
		return nil, fmt.Errorf("find the database: %w", err)
	}
	store, err := open(ctx, path, chosen)
	// On a full disk, SQLite cannot create its shared memory and reports an I/O error.
	if free, unknown := space.Free(path); primary(err) == codes.SQLITE_IOERR && unknown == nil && free < usableFree {
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
	if err := create(ctx, path, chosen.Dialect); err != nil {
		return nil, err
	}
	err := inspect(ctx, path, chosen.Dialect)
	if errors.Is(err, sqlstore.ErrOlderSchema) {
		err = update(ctx, path, modeWrite, chosen.Dialect)
	}
	if err != nil {
		return nil, err
	}
	found, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	s := &Store{options: chosen, files: files{path: path, inode: found}}
	// Ignore the error: each poll tries again.
	s.checkpoint = func() {
		_, _ = s.own.ExecContext(context.WithoutCancel(ctx), "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	pools, err := s.openPools(ctx)
	if err != nil {
		return nil, err
	}
	s.Store, err = sqlstore.New(ctx, sqlstore.Config{
		Pools: pools, Dialect: chosen.Dialect, Reopen: s.reopen, Poll: pollEvery, CheckCommit: s.check, CheckPoll: s.look, Room: s.room,
	})
	if err != nil {
		return nil, errors.Join(err, s.own.Close())
	}
	return s, nil
}

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
	// Query a write connection first: opening it sets the journal mode and creates the log, so that
	// stat finds the log.
	var ahead int64
	if err = s.own.QueryRowContext(ctx, selectAhead).Scan(&ahead); err == nil {
		s.ahead.Store(ahead)
		s.log = nil // Make stat accept the current log.
		s.last, s.log, err = s.stat()
	}
	if err != nil {
		pools.Close()
		err = errors.Join(err, s.own.Close())
	}
	return pools, err
}

const (
	selectAhead = "SELECT coalesce((SELECT value FROM meta WHERE key = 'clock_ahead'), 0)"
	// The row "backup" contains the time of the last backup, in milliseconds. It is missing before the
	// first backup.
	selectBackup = "SELECT coalesce((SELECT value FROM meta WHERE key = 'backup'), 0), coalesce((SELECT booked_at FROM transfers WHERE id = 1), 0)"
	saveBackup   = "INSERT INTO meta (key, value) VALUES ('backup', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
	saveAhead    = "INSERT INTO meta (key, value) VALUES ('clock_ahead', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)

// Ahead returns how far the clock of the programs that use this database is ahead of the
// machine's clock. It is zero unless [Store.SetAhead] changed it.
func (s *Store) Ahead() time.Duration { return time.Duration(s.ahead.Load()) * time.Millisecond }

// SetAhead sets the result of [Store.Ahead], in whole milliseconds, and stores it in the database.
func (s *Store) SetAhead(ctx context.Context, ahead time.Duration) error {
	_, err := s.own.ExecContext(ctx, saveAhead, ahead.Milliseconds())
	if err == nil {
		s.ahead.Store(ahead.Milliseconds())
	}
	return err
}

// LastBackup returns the time of the last [NoteBackup], and the time of the first transfer in the
// database. Each is zero if there was none.
func (s *Store) LastBackup(ctx context.Context) (last, first time.Time, err error) {
	var copied, moved int64
	err = s.Readers().QueryRowContext(ctx, selectBackup).Scan(&copied, &moved)
	if err == nil && copied > 0 {
		last = time.UnixMilli(copied).UTC()
	}
	if err == nil && moved > 0 {
		first = time.UnixMilli(moved).UTC()
	}
	return last, first, err
}

// reopen reopens and checks the database. It keeps the connections open while the file is missing,
// replaced or read-only, or the disk is full, because the cause may go away.
func (s *Store) reopen(ctx context.Context, old sqlstore.Pools) (sqlstore.Pools, error) {
	if err := s.inPlace(); err != nil {
		s.checkpoint()
		return old, err
	}
	if err := writable(s.path); err != nil {
		return old, fmt.Errorf("%w (%w)", ErrReadOnly, err)
	}
	if free, err := space.Free(s.path); err == nil && free < usableFree {
		return old, ErrFull
	}
	old.Close()
	_ = s.own.Close() // Ignore the error: no write of this pool is unfinished, and openPools replaces the pool.
	if err := quickCheck(ctx, s.path); err != nil {
		return old, advise(err)
	}
	return s.openPools(ctx)
}

// room returns [payments.ErrNoRoom] if the disk is nearly full. If the free space is
// unknown, room returns nil.
func (s *Store) room() error {
	if free, err := space.Free(s.path); err == nil && free < s.options.Minimum {
		return payments.ErrNoRoom
	}
	return nil
}

// Close waits for the accepted changes and closes the file.
func (s *Store) Close() error {
	s.Store.Close()
	if s.inPlace() != nil {
		s.checkpoint()
	}
	return s.own.Close()
}

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		BeginWrite: "BEGIN IMMEDIATE", // Waits up to _busy_timeout for the write lock on the whole database.
		BeginRead:  "BEGIN",           // The first query defines the snapshot.
		HasTables:  "SELECT count(*) = 2 FROM sqlite_schema WHERE name IN ('meta', 'orders')",
		Version:    sqlstore.SchemaVersion,
		Fault:      unusable, Advise: advise, Trigrams: true,
		// If writing the log fails, SQLite reports SQLITE_FULL or SQLITE_IOERR. After SQLITE_FULL, the log
		// does not contain the commit; after SQLITE_IOERR it may.
		Lost:  func(err error) bool { return primary(err) == codes.SQLITE_IOERR },
		Fresh: freshSchema,
		Structure: []string{
			"SELECT 'file', '', integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
			`SELECT "table", '', 'a row refers to one of ' || parent || ' that is not there' FROM pragma_foreign_key_check`,
		},
	}
}

// lockByFile makes SQLite use open file description (OFD) locks where the system has them. POSIX
// locks are lost if any other code of the process closes the database file.
//
// The error is ignored: after a failure, all connections of the process still use the same kind of
// lock. Only a mix of the two kinds would be dangerous.
func lockByFile() { _, _ = sqlite.OFDLocking(true) }
