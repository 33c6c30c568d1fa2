package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"checkout/till/storage/internal/sqlstore"
)

// openTool opens an existing database with one connection. The errors are those
// of [Open].
func openTool(ctx context.Context, path string, m mode) (*sql.DB, error) {
	lockByFile()
	err := inspect(ctx, path)
	if err == nil {
		var pool *sql.DB
		if pool, err = openPool(path, m, 1, nil); err == nil {
			return pool, nil
		}
	}
	return nil, fmt.Errorf("open the database %s: %w", path, advise(err))
}

// OpenEndpoint opens a database to be examined or copied: from, which changes
// nothing in it, or into, where it is made if it is not there. The caller closes the pool. The
// errors are those of [Open].
func OpenEndpoint(ctx context.Context, path string, into bool) (sqlstore.Endpoint, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return sqlstore.Endpoint{}, err
	}
	m := modeTool
	if into {
		m = modeWrite
		store, err := Open(ctx, path)
		if err == nil {
			err = store.Close()
		}
		if err != nil {
			return sqlstore.Endpoint{}, err
		}
	}
	pool, err := openTool(ctx, path, m)
	return sqlstore.Endpoint{Name: path, Pool: pool, Dialect: dialect()}, err
}

// BackupResult is a backup that was written.
type BackupResult struct {
	Path   string `json:"file"` // Absolute.
	Bytes  int64  `json:"bytes"`
	Orders int64  `json:"orders"`
	Events int64  `json:"events"`
}

// Backup writes a copy of a database into a new file, which is readable by its
// owner alone. The database may be in use meanwhile: the copy is of one moment,
// whole, with nothing of it in a log. It is examined and on disk before it gets
// its name, and what was begun is removed when it fails.
//
// [ErrExists] says that there is such a file already, for a backup never takes
// another's place. The other errors are SQLite's and the system's, with advice.
func Backup(ctx context.Context, path, target string) (written BackupResult, err error) {
	path, err = filepath.Abs(path)
	if err == nil {
		written.Path, err = filepath.Abs(target)
	}
	if err != nil {
		return written, err
	}
	source, err := openTool(ctx, path, modeTool)
	if err != nil {
		return written, err
	}
	defer source.Close()
	if _, err = os.Lstat(written.Path); err == nil {
		err = fs.ErrExist
	} else if errors.Is(err, fs.ErrNotExist) {
		err = writeNew(written.Path, func(draft string) error {
			if _, err := source.ExecContext(ctx, "VACUUM INTO $1", draft); err != nil {
				return err
			}
			return examine(ctx, draft, &written)
		})
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrExists
	}
	if err != nil {
		return written, fmt.Errorf("write the backup %s: %w", written.Path, advise(err))
	}
	return written, nil
}

// examine examines a copy and counts its rows.
func examine(ctx context.Context, path string, written *BackupResult) error {
	if err := quickCheck(ctx, path); err != nil {
		return fmt.Errorf("examine the copy: %w", err)
	}
	const counts = `SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM events), page_count * page_size
		FROM pragma_page_count, pragma_page_size`
	return withTool(path, func(pool *sql.DB) error {
		return pool.QueryRowContext(ctx, counts).Scan(&written.Orders, &written.Events, &written.Bytes)
	})
}

// Examine checks the structure of the file, without its indexes, as far as it gets
// before ctx ends, and returns how many bytes are free on its disk. The error says
// why no order should be made.
func (s *Store) Examine(ctx context.Context) (free int64, err error) {
	free, _ = freeSpace(s.database.path) // 0 where the system does not tell.
	if err := s.database.files.room(); err != nil {
		return free, err
	}
	if err := quickCheck(ctx, s.database.path); err != nil && ctx.Err() == nil {
		return free, advise(err)
	}
	return free, nil
}
