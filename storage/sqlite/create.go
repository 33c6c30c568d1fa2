package sqlite

import (
	"context"
	"database/sql"
	_ "embed" // For the schema.
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"checkout/till/storage/internal/sqlstore"
)

// applicationID marks the file as ours: the bytes of "till". The schema writes
// it.
const applicationID = 0x74696c6c

//go:embed schema.sql
var schema string

// create makes an empty database where there is no file, atomically: under a
// temporary name that is linked to the path when it is complete. Of two processes
// that do so at once one wins, and both use its file.
func create(ctx context.Context, path string) error {
	if strings.ContainsRune(path, 0) {
		return errors.New("a path holds no NUL")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A log without its database would be taken for the new one's.
	// Another process may have made and opened the database since the first look.
	if _, err := os.Stat(path + "-wal"); err == nil {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		return ErrRemains
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make its folder: %w", err)
	}
	draft, err := os.CreateTemp(folder, filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer discard(draft.Name())
	if err := draft.Close(); err != nil {
		return err
	}
	if err := fill(ctx, draft.Name()); err != nil {
		return fmt.Errorf("make a new database: %w", err)
	}
	if err := publish(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("give the new database its name: %w", err)
	}
	return syncFolder(folder)
}

// fill writes the schema into an empty file and closes it, so that all of it is
// in the file and nothing in a log.
func fill(ctx context.Context, path string) error {
	pool, err := openPool(path, modeWrite, 1, nil)
	if err != nil {
		return err
	}
	return errors.Join(sqlstore.CreateSchema(ctx, pool, dialect(), dialect().BeginWrite, schema), pool.Close())
}

// publish gives a file a name that no other file has, or returns
// [fs.ErrExist].
func publish(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// File systems of memory cards know no second name for a file.
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	return os.Rename(draft, path)
}

// discard removes a temporary database with its log and its journal.
func discard(draft string) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		_ = os.Remove(draft + suffix)
	}
}

// syncFolder makes a new name durable. Windows has no such call and needs none.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("make the new database's name durable: %w", err)
	}
	return nil
}

// openFile opens an existing database with one connection, for a tool. The errors
// are SQLite's and the reasons of [Open], without advice.
func openFile(ctx context.Context, path string, m mode) (*sql.DB, error) {
	lockByFile()
	if err := inspect(ctx, path); err != nil {
		return nil, err
	}
	return openPool(path, m, 1, nil)
}

// inspect refuses a file that is no complete database of this program and this
// version, before anything is written to it.
func inspect(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrForeign
	case info.Size() == 0:
		return ErrEmpty
	}
	pool, err := openPool(path, modeInspect, 1, nil)
	if err != nil {
		return err
	}
	defer pool.Close()
	var id int64
	if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID {
		return ErrForeign
	}
	return sqlstore.CheckSchema(ctx, pool, dialect())
}
