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

	"checkout/till/storage/internal/space"
	"checkout/till/storage/internal/sqlstore"
)

// OpenEndpoint opens an existing database with one connection, to verify or copy it. The caller
// closes the endpoint's Pool. The errors are those of [Open], and [sqlstore.ErrNoSchema] or
// [sqlstore.ErrOlderSchema] for tables that Open would create or update. For a missing file, the
// error is [fs.ErrNotExist].
func OpenEndpoint(ctx context.Context, path string) (sqlstore.Endpoint, error) {
	lockByFile()
	endpoint := sqlstore.Endpoint{Dialect: dialect()}
	var err error
	if endpoint.Name, err = RealPath(path); err != nil {
		return endpoint, err
	}
	if err = inspect(ctx, endpoint.Name, endpoint.Dialect); err == nil {
		endpoint.Pool, err = openPool(endpoint.Name, modeTool, 1, nil)
	}
	if err != nil {
		err = &fs.PathError{Op: "open the database", Path: endpoint.Name, Err: advise(err)}
	}
	return endpoint, err
}

// BackupResult is the result of [Backup]. The numbers of rows are those in the backup.
type BackupResult struct {
	Path  string `json:"file"` // Absolute path of the backup.
	Bytes int64  `json:"bytes"`
	// SameDisk says that the backup is on the same file system as the database, so that a broken disk
	// destroys both.
	SameDisk bool  `json:"same_disk"`
	Orders   int64 `json:"orders"`
	Cash     int64 `json:"cash_sales"`
	Events   int64 `json:"events"`

	ahead int64 // Value of selectAhead in the copy, in milliseconds; 0 except in the demo's database.
}

// Contents is how many orders, cash sales and events a database has, and how recent they are.
type Contents struct {
	Orders, Cash, Events int64
	Newest               time.Time // When the newest order or cash sale was made; zero if there is none.
}

// Less reports whether a database has fewer orders, cash sales or events than another one, or its
// newest order or cash sale is older.
func (c Contents) Less(than Contents) bool {
	return c.Orders < than.Orders || c.Cash < than.Cash || c.Events < than.Events || c.Newest.Before(than.Newest)
}

// Count returns what a database file contains. The errors are those of [OpenEndpoint].
func Count(ctx context.Context, path string) (found Contents, err error) {
	database, err := OpenEndpoint(ctx, path)
	if err != nil {
		return found, err
	}
	defer database.Pool.Close()
	const counts = `SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM cash_sales), (SELECT count(*) FROM events),
		max((SELECT coalesce(max(created_at), 0) FROM orders), (SELECT coalesce(max(sold_at), 0) FROM cash_sales))`
	var newest int64
	err = database.Pool.QueryRowContext(ctx, counts).Scan(&found.Orders, &found.Cash, &found.Events, &newest)
	if newest != 0 {
		found.Newest = time.UnixMilli(newest).UTC()
	}
	return found, err
}

// SkipNumbers makes the copy of a backup continue above the numbers of the replaced database
// (former); see [sqlstore.SkipNumbers]. If the replaced database is missing or cannot be read, the
// last numbers are unknown, and SkipNumbers returns true.
func SkipNumbers(ctx context.Context, backup, former, till string, now time.Time) (thousand bool, err error) {
	given, err := readNumbers(ctx, former)
	if err != nil {
		given = sqlstore.Numbers{}
	}
	pool, err := openPool(backup, modeTool, 1, nil)
	if err != nil {
		return false, err
	}
	thousand, err = sqlstore.SkipNumbers(ctx, sqlstore.Endpoint{Pool: pool, Dialect: dialect()}, given, till, now)
	return thousand, errors.Join(err, pool.Close())
}

// readNumbers reads the last numbers of a database that may be damaged. It opens the file
// read-only, so that SQLite does not change the log.
func readNumbers(ctx context.Context, path string) (given sqlstore.Numbers, err error) {
	pool, err := openPool(path, modeRead, 1, nil)
	if err != nil {
		return given, err
	}
	defer pool.Close()
	database := sqlstore.Endpoint{Pool: pool, Dialect: dialect()}
	if err = sqlstore.CheckSchema(ctx, pool, database.Dialect); err == nil {
		given, err = sqlstore.ReadNumbers(ctx, database)
	}
	return given, err
}

// Restore writes a backup into a new file that will be a shop's database; see [Backup]. For a
// backup of the demo it leaves no file and returns [ErrDemo].
func Restore(ctx context.Context, backup, target string) (written BackupResult, err error) {
	written, err = Backup(ctx, backup, target)
	if err == nil && written.ahead != 0 { // Only the demo's clock is ahead.
		err = errors.Join(ErrDemo, os.Remove(written.Path))
	}
	return written, err
}

// Backup writes a copy of a database into a new file, readable only by its owner. The database may
// be in use: the copy is one complete snapshot without a separate log. The copy gets its name only
// after it was checked and synced. After an error, Backup removes the incomplete file.
//
// [ErrExists] says that the file exists already: a backup never replaces a file. The other errors
// are those of [OpenEndpoint], and errors of SQLite and of the system, with advice added.
func Backup(ctx context.Context, path, target string) (written BackupResult, err error) {
	if written.Path, err = filepath.Abs(target); err != nil {
		return written, err
	}
	source, err := OpenEndpoint(ctx, path)
	if err != nil {
		return written, err
	}
	defer source.Pool.Close()
	const counts = `SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM cash_sales), (SELECT count(*) FROM events), page_count * page_size,
		(` + selectAhead + `) FROM pragma_page_count, pragma_page_size`
	if _, err = os.Lstat(written.Path); err == nil {
		err = fs.ErrExist
	} else if errors.Is(err, fs.ErrNotExist) {
		err = writeNew(written.Path, func(draft string) error {
			if _, err := source.Pool.ExecContext(ctx, "VACUUM INTO $1", draft); err != nil {
				return err
			}
			if err := quickCheck(ctx, draft); err != nil {
				return fmt.Errorf("examine the copy: %w", err)
			}
			return withTool(draft, func(pool *sql.DB) error {
				return pool.QueryRowContext(ctx, counts).Scan(&written.Orders, &written.Cash, &written.Events, &written.Bytes, &written.ahead)
			})
		})
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrExists
	}
	if err != nil {
		return written, &fs.PathError{Op: "write the backup", Path: written.Path, Err: advise(err)}
	}
	written.SameDisk = space.Same(source.Name, written.Path)
	return written, nil
}

// NoteBackup records in a database that a backup of it was made at the time at.
func NoteBackup(ctx context.Context, path string, at time.Time) error {
	return withTool(path, func(pool *sql.DB) error {
		_, err := pool.ExecContext(ctx, saveBackup, at.UnixMilli())
		return err
	})
}

// Probe is [sqlstore.Store.Probe] with errors that say what to do.
func (s *Store) Probe(ctx context.Context) error { return advise(s.Store.Probe(ctx)) }

// Examine returns the free bytes on the disk of the file, or 0 if unknown. It returns
// [payments.ErrNoRoom] if the disk is nearly full. Otherwise it checks the structure of the file,
// except its indexes; an error says what is damaged. If ctx ends, Examine stops the check without
// an error.
func (s *Store) Examine(ctx context.Context) (free int64, err error) {
	free, _ = space.Free(s.path) // free is 0 if it is unknown.
	if err := s.room(); err != nil {
		return free, err
	}
	if err := quickCheck(ctx, s.path); err != nil && ctx.Err() == nil {
		return free, advise(err)
	}
	return free, nil
}
