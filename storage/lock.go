package storage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"checkout/till/storage/internal/owner"
	"checkout/till/storage/sqlite"
)

// LockedError says that another process holds the lock.
type LockedError struct {
	PID int // The other process; 0 if unknown.
}

func (e *LockedError) Error() string {
	who := "another till"
	if e.PID > 0 {
		who = fmt.Sprintf("another till (process %d)", e.PID)
	}
	return who + " has this database open: use that one, or end it first"
}

// Lock takes the lock of a database file without blocking, or returns a [*LockedError]. The
// file is a shop's database (for its only console or listener), a till's drafts, or an
// outbox. The system releases the lock when the process ends for any reason; release does
// so earlier.
//
// The lock is a separate file: opening and closing the database file would drop SQLite's
// POSIX locks. The PID is in a third file, because on Windows other processes cannot read a
// locked file.
func Lock(path string) (release func(), err error) {
	if err := checkFile(path); err != nil {
		return nil, err
	}
	if path, err = sqlite.RealPath(path); err != nil {
		return nil, fmt.Errorf("find the database: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the database's folder: %w", err)
	}
	lock, note := flock.New(path+".lock"), path+".pid"
	if about, err := os.Lstat(path + ".lock"); err == nil && !about.Mode().IsRegular() {
		return nil, fmt.Errorf("lock the database: %s.lock is no file: delete it, and let nobody else write to its folder", path)
	}
	if err := Touch(path + ".lock"); err != nil {
		return nil, fmt.Errorf("lock the database: %w", err)
	}
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the database: %w", err)
	}
	if !locked {
		text, _ := os.ReadFile(note)
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return nil, &LockedError{PID: pid}
	}
	// Replace follows no symbolic link that another user may have put here.
	err = Replace(note, func(out io.Writer) error {
		_, err := fmt.Fprintln(out, os.Getpid())
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("note who holds the database: %w", err), lock.Unlock())
	}
	return func() { // Keep the lock file: all processes must lock the same inode.
		_ = errors.Join(os.Remove(note), lock.Unlock()) // If unlocking fails, the system unlocks at the end of the program.
	}, nil
}

// Touch creates an empty file that only its owner may read, unless the file exists. If root
// runs, the file belongs to the owner of its folder.
func Touch(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(owner.Give(file), file.Close())
}

// Replace writes a file that only its owner may read. The file gets its name when it is
// complete and durable; until then an existing file is kept.
func Replace(path string, write func(io.Writer) error) error {
	draft, err := os.CreateTemp(filepath.Dir(path), ".till-*") // Created with mode 0600.
	if err != nil {
		return err
	}
	err = errors.Join(owner.Give(draft), write(draft), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		_ = errors.Join(folder.Sync(), folder.Close()) // Windows cannot sync folders.
	}
	return nil
}
