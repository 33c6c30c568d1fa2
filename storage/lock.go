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

// LockedError is returned if another process holds the lock of a database file.
type LockedError struct {
	PID int // 0 if unknown.
}

func (e *LockedError) Error() string {
	who := "another till"
	if e.PID > 0 {
		who = fmt.Sprintf("another till (process %d)", e.PID)
	}
	return who + " has this database open: use that one, or end it first"
}

// Lock locks a database file for this process. It does not wait: if another process has the lock,
// Lock returns a [*LockedError]. release unlocks the file. If the process ends without release, the
// system unlocks it.
//
// The lock is on a separate file, PATH.lock, because opening and closing the database file itself
// could drop SQLite's locks. The PID is in a third file, PATH.pid, because on Windows other
// processes cannot read a locked file.
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
	// Replace does not follow a symbolic link that another user may have put here: it replaces the
	// link.
	err = Replace(note, func(out io.Writer) error {
		_, err := fmt.Fprintln(out, os.Getpid())
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("note who holds the database: %w", err), lock.Unlock())
	}
	return func() { // Keep the lock file: all processes must lock the same inode.
		_ = errors.Join(os.Remove(note), lock.Unlock()) // If unlocking fails, the system unlocks when the process ends.
	}, nil
}

// Touch creates an empty file with mode 0600 unless the path exists. If root runs the program, the
// file gets the owner of its folder.
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

// Replace writes a file atomically, with mode 0600. The function write writes to a temporary file.
// The temporary file replaces the file at path only after its content is on disk. After an error,
// an existing file at path is unchanged.
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
		_ = errors.Join(folder.Sync(), folder.Close()) // Ignore errors: Windows cannot sync folders.
	}
	return nil
}
