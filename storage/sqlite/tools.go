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

// OpenEndpoint opens an existing database with one connection, to be examined or
// copied. The caller closes the pool. The errors are those of [Open].
func OpenEndpoint(ctx context.Context, path string) (sqlstore.Endpoint, error) {
	lockByFile()
	endpoint := sqlstore.Endpoint{Dialect: dialect()}
	var err error
	if endpoint.Name, err = filepath.Abs(path); err != nil {
		return endpoint, err
	}
	if err = inspect(ctx, endpoint.Name); err == nil {
		endpoint.Pool, err = openPool(endpoint.Name, modeTool, 1, nil)
	}
	if err != nil {
		err = &fs.PathError{Op: "open the database", Path: endpoint.Name, Err: advise(err)}
	}
	return endpoint, err
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
	if written.Path, err = filepath.Abs(target); err != nil {
		return written, err
	}
	source, err := OpenEndpoint(ctx, path)
	if err != nil {
		return written, err
	}
	defer source.Pool.Close()
	const counts = `SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM events), page_count * page_size
		FROM pragma_page_count, pragma_page_size`
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
				return pool.QueryRowContext(ctx, counts).Scan(&written.Orders, &written.Events, &written.Bytes)
			})
		})
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrExists
	}
	if err != nil {
		return written, &fs.PathError{Op: "write the backup", Path: written.Path, Err: advise(err)}
	}
	return written, nil
}

// Examine checks the structure of the file, without its indexes, as far as it gets
// before ctx ends, and returns how many bytes are free on its disk. The error says
// why no order should be made.
func (s *Store) Examine(ctx context.Context) (free int64, err error) {
	free, _ = freeSpace(s.path) // 0 where the system does not tell.
	if err := s.room(); err != nil {
		return free, err
	}
	if err := quickCheck(ctx, s.path); err != nil && ctx.Err() == nil {
		return free, advise(err)
	}
	return free, nil
}
