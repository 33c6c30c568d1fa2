package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"checkout/till/storage/sqlite"
)

// Restored describes a restored database.
type Restored struct {
	BackupResult

	Kept string `json:"kept"` // File of the former database; "" if there was none.
}

// Restore puts a backup in place of the database file at an address, which must not be in use.
// The former file is kept under another name in its folder. It returns [ErrPostgres] for a
// PostgreSQL database, and a [*LockedError] while a console or listener runs.
func Restore(ctx context.Context, address, backup string, at time.Time) (restored Restored, err error) {
	if err := checkFile(address); err != nil {
		return restored, err
	}
	release, err := Lock(address) // Makes the folder, too.
	if err != nil {
		return restored, err
	}
	defer release()
	draft := address + ".restoring"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return restored, err
	}
	if restored.BackupResult, err = sqlite.Backup(ctx, backup, draft); err != nil {
		return restored, err
	}
	former := strings.TrimSuffix(address, filepath.Ext(address)) + "-before-" + at.Format(backupTime) + backupSuffix
	// A log without its database must not stay either: SQLite would apply it to the new file.
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Rename(address+suffix, former+suffix)
		switch {
		case err == nil:
			restored.Kept = former
		case !errors.Is(err, fs.ErrNotExist):
			return restored, fmt.Errorf("keep the former database: %w", err)
		}
	}
	if err := os.Rename(draft, address); err != nil {
		return restored, fmt.Errorf("put the backup in place: %w", err)
	}
	restored.Path = address
	return restored, nil
}
