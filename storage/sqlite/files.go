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
	// minimumFree is the least free space for a new order or cash sale, in bytes. The space below
	// it is reserved for the events of existing orders.
	minimumFree = 16 << 20
	// usableFree is how much free space a full disk must have again before the store uses the disk, in
	// bytes.
	usableFree = 1 << 20
	// logSuffix is the suffix of SQLite's write-ahead log.
	logSuffix = "-wal"
	// checkpointTime is how long after a commit SQLite itself may still write to the database file.
	checkpointTime = 10 * time.Second
)

// files detects that another program removed, renamed, replaced, truncated or overwrote a database
// file. SQLite does not detect this: it would continue to write to the old inode, and its commits
// would be missing after a restart. check and look are not safe for concurrent use.
//
// files never opens a database file: with POSIX locks, closing a file descriptor drops all of the
// process's locks on the file.
type files struct {
	path  string
	inode os.FileInfo // Device and inode of the open database.
	last  os.FileInfo // Size and modification time of the database when they were last checked.
	log   os.FileInfo // The open write-ahead log; nil before it is opened.
}

// stat looks up the database and its write-ahead log by their paths. It returns an error unless
// these are the files that the connections have open.
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

func (f *files) check() error {
	_, _, err := f.stat()
	return err
}

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

// inPlace returns an error unless path still names the open database. It is safe for concurrent
// use.
func (f *files) inPlace() error {
	_, err := f.find()
	return err
}

// look calls stat, and then looks for a file that another program truncated or wrote to, or that is
// read-only. SQLite itself writes to the database file only shortly after a commit to the log, so
// any later write comes from another program.
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

// RealPath returns the absolute path of a database. It resolves a symbolic link, because SQLite
// names its log after the target of the link.
func RealPath(path string) (string, error) {
	if _, err := os.Readlink(path); err == nil {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
	}
	return filepath.Abs(path)
}

// checkLocal refuses a path on a network file system: SQLite's locks and shared memory do
// not work there, and two machines could write at the same time. For a missing file it
// checks the nearest existing folder. An unknown file system counts as local.
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
