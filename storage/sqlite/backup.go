package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// BackupResult is a backup that was written.
type BackupResult struct {
	Path           string // Absolute.
	Bytes          int64
	Orders, Events int64
}

// Backup writes a copy of a database into a new file, which is readable by its
// owner alone. The database may be in use meanwhile: the copy is of one moment,
// whole, with nothing of it in a log. It is examined and on disk before it gets
// its name, and what was begun is removed when it fails.
//
// [ErrExists] says that there is such a file already, for a backup never takes
// another's place. The other errors are SQLite's and the system's, with advice.
func Backup(ctx context.Context, path, target string) (BackupResult, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return BackupResult{}, fmt.Errorf("find the database: %w", err)
	}
	if target, err = filepath.Abs(target); err != nil {
		return BackupResult{}, fmt.Errorf("find the place of the backup: %w", err)
	}
	source, err := openFile(ctx, path, modeCopy)
	if err != nil {
		return BackupResult{}, fmt.Errorf("open the database %s: %w", path, advise(err))
	}
	defer source.Close()
	written, err := backup(ctx, source, target)
	if err != nil {
		return BackupResult{}, fmt.Errorf("write the backup %s: %w", target, advise(err))
	}
	return written, nil
}

func backup(ctx context.Context, source *sql.DB, target string) (BackupResult, error) {
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		return BackupResult{}, errors.Join(ErrExists, err)
	}
	folder := filepath.Dir(target)
	draft, err := os.CreateTemp(folder, filepath.Base(target)+".new-*")
	if err != nil {
		return BackupResult{}, err
	}
	defer discard(draft.Name())
	if err := draft.Close(); err != nil {
		return BackupResult{}, err
	}
	if _, err := source.ExecContext(ctx, "VACUUM INTO $1", draft.Name()); err != nil {
		return BackupResult{}, err
	}
	written, err := count(ctx, draft.Name())
	if err != nil {
		return BackupResult{}, fmt.Errorf("examine the copy: %w", err)
	}
	if err := syncFile(draft.Name()); err != nil {
		return BackupResult{}, err
	}
	if err := publish(draft.Name(), target); errors.Is(err, fs.ErrExist) {
		return BackupResult{}, ErrExists
	} else if err != nil {
		return BackupResult{}, err
	}
	written.Path = target
	return written, syncFolder(folder)
}

// count examines a copy and counts its rows.
func count(ctx context.Context, path string) (BackupResult, error) {
	if err := quickCheck(ctx, path); err != nil {
		return BackupResult{}, err
	}
	pool, err := openFile(ctx, path, modeInspect)
	if err != nil {
		return BackupResult{}, err
	}
	defer pool.Close()
	var written BackupResult
	const counts = "SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM events)"
	if err := pool.QueryRowContext(ctx, counts).Scan(&written.Orders, &written.Events); err != nil {
		return BackupResult{}, err
	}
	about, err := os.Stat(path)
	if err != nil {
		return BackupResult{}, err
	}
	written.Bytes = about.Size()
	return written, nil
}

// syncFile makes a file durable that no database is open in.
func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("make it durable: %w", err)
	}
	return nil
}
