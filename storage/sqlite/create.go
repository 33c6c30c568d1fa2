package sqlite

import (
	"context"
	"database/sql"
	_ "embed" // Embeds the schema.
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"modernc.org/sqlite"

	"checkout/till/storage/internal/owner"
	"checkout/till/storage/internal/sqlstore"
)

// applicationID identifies the file as a till database: these are the bytes of "till". The schema
// writes it into the file.
const applicationID = 0x74696c6c

//go:embed schema.sql
var ownSchema string

func schema() string {
	return sqlstore.CreateTables("BOOLEAN", "INTEGER", "FALSE", "0") + ownSchema
}

// create creates an empty database if there is no file. If two processes do this at the same time,
// both use the file that got the name first.
func create(ctx context.Context, path string, dialect sqlstore.Dialect) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// Refuse a log without its database: SQLite would apply the log to a new database. Look for the
	// database again, because another process may have created it after the first check.
	if _, err := os.Stat(path + logSuffix); err == nil {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		return ErrRemains
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make its folder: %w", err)
	}
	err := writeNew(path, func(draft string) error { return update(ctx, draft, modeDraft, dialect) })
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a new database: %w", err)
	}
	return nil
}

// freshSchema creates a new database in memory and returns its schema. [sqlstore.Verify] compares
// this schema with that of the verified database.
func freshSchema(ctx context.Context) (objects []sqlstore.Object, err error) {
	base, err := sqlite.NewConnector(":memory:")
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(base)
	defer pool.Close()
	pool.SetMaxOpenConns(1) // With ":memory:", two connections have two databases.
	if _, err := pool.ExecContext(ctx, schema()); err != nil {
		return nil, err
	}
	rows, err := pool.QueryContext(ctx, sqlstore.Objects)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var object sqlstore.Object
		if err := rows.Scan(object.Columns()...); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, rows.Err()
}

func update(ctx context.Context, path string, m mode, dialect sqlstore.Dialect) error {
	pool, err := openPool(path, m, 1, nil)
	if err != nil {
		return err
	}
	return errors.Join(sqlstore.UpdateSchema(ctx, pool, dialect, dialect.BeginWrite, schema()), pool.Close())
}

// writeNew creates a file atomically: fill writes a temporary file, and writeNew then syncs this
// file and gives it the name path. It returns [fs.ErrExist] if path exists.
func writeNew(path string, fill func(draft string) error) error {
	folder := filepath.Dir(path)
	file, err := os.CreateTemp(folder, filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	draft := file.Name()
	defer func() {
		for _, suffix := range []string{"", logSuffix, "-shm", "-journal"} {
			_ = os.Remove(draft + suffix)
		}
	}()
	if err := errors.Join(owner.Give(file), fill(draft), file.Sync(), file.Close()); err != nil {
		return err
	}
	if err = os.Link(draft, path); err != nil && !errors.Is(err, fs.ErrExist) {
		// FAT and exFAT, which are usual on memory cards, have no hard links, so rename the file.
		if _, err = os.Lstat(path); err == nil {
			err = fs.ErrExist
		} else {
			err = os.Rename(draft, path)
		}
	}
	if err != nil || runtime.GOOS == "windows" {
		return err // Windows cannot sync folders, and does not need to.
	}
	names, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(names.Sync(), names.Close())
}

// inspect returns an error for a file that is not a complete database of till with the current
// schema. It does not change the data in the file.
func inspect(ctx context.Context, path string, dialect sqlstore.Dialect) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrForeign
	case info.Size() == 0:
		return ErrEmpty
	}
	return withTool(path, func(pool *sql.DB) error {
		var id int64
		if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
			return err
		}
		if id != applicationID {
			return ErrForeign
		}
		return sqlstore.CheckSchema(ctx, pool, dialect)
	})
}

// quickCheck lets SQLite check the structure of a database, except its indexes. It returns
// [ErrDamaged] with the first problem that SQLite finds.
func quickCheck(ctx context.Context, path string) error {
	return withTool(path, func(pool *sql.DB) error {
		var found string
		err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
		if err == nil && found != "ok" {
			err = fmt.Errorf("%w (%s)", ErrDamaged, found)
		}
		return err
	})
}

func withTool(path string, look func(pool *sql.DB) error) error {
	pool, err := openPool(path, modeTool, 1, nil)
	if err != nil {
		return err
	}
	defer pool.Close()
	return look(pool)
}
