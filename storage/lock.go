package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// ListenerLock is the right to receive the events of a database, held by one
// process at a time. A database at a server has room for several listeners.
type ListenerLock struct {
	lock *flock.Flock // Nil where nobody is kept out.
	note string
}

// LockedError says that another process holds the right to receive.
type LockedError struct {
	PID int // The other process; 0 when it did not say.
}

// Error names the process and says what can be done.
func (e *LockedError) Error() string {
	who := "another till"
	if e.PID > 0 {
		who = fmt.Sprintf("another till (process %d)", e.PID)
	}
	return who + " has this database open as its listener: use that one, or end it first"
}

// Lock takes the right to receive the events of the database in a file, or
// returns a [*LockedError]. The system gives the right back when the process
// ends in whatever way; [ListenerLock.Release] does so earlier.
//
// The lock is a file of its own beside the database, which must never be opened
// behind SQLite's back. The process is named in a third file: on Windows nobody
// else can read a file that is locked.
//
// Where the database is at a server everybody has the right: listeners hold
// nothing of their own, and no event is applied twice.
func Lock(path string) (*ListenerLock, error) {
	if Served(path) {
		return &ListenerLock{}, nil
	}
	if err := checkFile(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the database's folder: %w", err)
	}
	listener := &ListenerLock{lock: flock.New(path + ".lock"), note: path + ".pid"}
	if about, err := os.Lstat(path + ".lock"); err == nil && !about.Mode().IsRegular() {
		return nil, fmt.Errorf("lock the database: %s.lock is no file: delete it, and let nobody else write to its folder", path)
	}
	locked, err := listener.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the database: %w", err)
	}
	if !locked {
		return nil, &LockedError{PID: noted(listener.note)}
	}
	if err := note(listener.note); err != nil {
		return nil, errors.Join(fmt.Errorf("note who holds the database: %w", err), listener.lock.Unlock())
	}
	return listener, nil
}

// Release gives the right back. The lock file stays: it must be the same file
// for everybody.
func (l *ListenerLock) Release() error {
	if l.lock == nil {
		return nil
	}
	if err := os.Remove(l.note); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("remove the note of who holds the database: %w", err), l.lock.Unlock())
	}
	if err := l.lock.Unlock(); err != nil {
		return fmt.Errorf("unlock the database: %w", err)
	}
	return nil
}

// note names this process in a file. It replaces what has the file's name, and
// follows no symbolic link that somebody put there.
func note(path string) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, os.Getpid())
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// noted returns the process that a note names, 0 when there is none.
func noted(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}
