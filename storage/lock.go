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
)

// FileLock is an exclusive lock of one process on a database file: on a shop's, to
// be its only console or listener, on a till's drafts, or on an outbox. A database at
// a server has no lock.
type FileLock struct {
	lock *flock.Flock // Nil for a database at a server.
	note string       // The file with the holder's PID.
}

// LockedError says that another process holds the lock.
type LockedError struct {
	PID int // The other process; 0 when it did not say.
}

// Error names the process and says what can be done.
func (e *LockedError) Error() string {
	who := "another till"
	if e.PID > 0 {
		who = fmt.Sprintf("another till (process %d)", e.PID)
	}
	return who + " has this database open: use that one, or end it first"
}

// Lock takes the lock of a database file without blocking, or returns a
// [*LockedError]. The system releases it when the process ends in whatever way;
// [FileLock.Release] does so earlier.
//
// The lock is a file of its own: opening and closing the database's would drop
// SQLite's POSIX locks. The PID is in a third file: on Windows nobody else can
// read a file that is locked.
//
// Listeners at a server have no state of their own, and no event is applied twice:
// there the lock is always free.
func Lock(path string) (*FileLock, error) {
	if Served(path) {
		return &FileLock{}, nil
	}
	if err := checkFile(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the database's folder: %w", err)
	}
	held := &FileLock{lock: flock.New(path + ".lock"), note: path + ".pid"}
	if about, err := os.Lstat(path + ".lock"); err == nil && !about.Mode().IsRegular() {
		return nil, fmt.Errorf("lock the database: %s.lock is no file: delete it, and let nobody else write to its folder", path)
	}
	locked, err := held.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the database: %w", err)
	}
	if !locked {
		text, _ := os.ReadFile(held.note)
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		return nil, &LockedError{PID: pid}
	}
	// It replaces what is there, and follows no symbolic link.
	err = Replace(held.note, func(note io.Writer) error {
		_, err := fmt.Fprintln(note, os.Getpid())
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("note who holds the database: %w", err), held.lock.Unlock())
	}
	return held, nil
}

// Release releases the lock. The lock file stays: all processes must lock the same
// inode.
func (l *FileLock) Release() error {
	if l.lock == nil {
		return nil
	}
	err := os.Remove(l.note)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err = errors.Join(err, l.lock.Unlock()); err != nil {
		return fmt.Errorf("release the lock of the database: %w", err)
	}
	return nil
}

// Replace writes a file that only its owner may read. It gets its name when it is
// whole and durable; until then what was there before stays.
func Replace(path string, write func(io.Writer) error) error {
	draft, err := os.CreateTemp(filepath.Dir(path), ".till-*") // Its mode is 0600.
	if err != nil {
		return err
	}
	err = errors.Join(write(draft), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		_ = errors.Join(folder.Sync(), folder.Close()) // Windows syncs no folders.
	}
	return nil
}
