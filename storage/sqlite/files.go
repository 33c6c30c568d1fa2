package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	// minimumFree is the least free space for a new order, in bytes. It leaves room
	// for the events of the orders that there are.
	minimumFree = 16 << 20
	// usableFree is how many bytes must be free before a full disk is tried again.
	usableFree = 1 << 20
	// logSuffix is what SQLite appends to a database's name for its log.
	logSuffix = "-wal"
	// checkpointTime is how long after the log's last commit SQLite may still
	// write to the database's own file.
	checkpointTime = 10 * time.Second
)

// files detects what SQLite does not: that a database file was unlinked, renamed,
// replaced, truncated or overwritten. SQLite goes on writing to the old inode, and
// commits that nobody finds after a restart. Only the store's writer calls check
// and look.
//
// It uses stat alone and never opens one of the files: where SQLite's locks are
// POSIX locks of the process, closing a file descriptor would drop them.
type files struct {
	path  string
	inode os.FileInfo // Of the open database, with its device.
	last  os.FileInfo // Size and time of the database at the last look.
	log   os.FileInfo // The write-ahead log as it was opened; nil before.
}

// stat finds the database and its write-ahead log, and tells whether they are the
// files that the connections have open.
func (f *files) stat() (found, log os.FileInfo, err error) {
	if found, err = f.find(); err != nil {
		return nil, nil, err
	}
	log, err = os.Stat(f.path + logSuffix)
	if err != nil || f.log != nil && !os.SameFile(log, f.log) {
		err = fmt.Errorf("%w (its -wal file is gone)", ErrChanged)
	}
	return found, log, err
}

// check tells what is wrong with the files, see stat.
func (f *files) check() error {
	_, _, err := f.stat()
	return err
}

// find finds the database, if it has its name.
func (f *files) find() (os.FileInfo, error) {
	found, err := os.Stat(f.path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w (%w)", ErrMoved, err)
	case !os.SameFile(found, f.inode):
		return nil, ErrReplaced
	}
	return found, nil
}

// inPlace tells whether the database has its name. It is safe for concurrent use.
func (f *files) inPlace() error {
	_, err := f.find()
	return err
}

// look tells what else is wrong with the files: cut or written to by another
// program, or read-only. With a write-ahead log SQLite itself writes the
// database's file right after a commit only.
func (f *files) look() error {
	found, log, err := f.stat()
	if err != nil {
		return err
	}
	if err := writable(f.path); err != nil {
		return fmt.Errorf("%w (%w)", ErrReadOnly, err)
	}
	written := !found.ModTime().Equal(f.last.ModTime()) && found.ModTime().After(log.ModTime().Add(checkpointTime))
	if written || found.Size() < f.last.Size() {
		return fmt.Errorf("%w (its file was written to)", ErrChanged)
	}
	f.last = found
	return nil
}

// checkLocal refuses a place on a network file system: SQLite's locks and its
// shared memory do not hold there, and two machines would write at once. A file
// that is not there yet lies where its nearest folder does. What cannot be found
// out is taken for local: the settings that protect the data are read back in
// any case.
func checkLocal(path string, network func(path string) (string, error)) error {
	name, err := network(path)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
		path = filepath.Dir(path)
		name, err = network(path)
	}
	if err == nil && name != "" {
		return fmt.Errorf("%w (it lies on a network file system, %s)", ErrUnsafe, name)
	}
	return nil
}
