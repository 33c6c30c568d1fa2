package archive

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// Why a data file is not opened. Each says what to do.
var (
	// ErrForeign says that the file is of another program, a folder or a
	// device.
	ErrForeign = errors.New("this is no data file of a sandbox: name another file, or one that is not there yet")
	// ErrDamaged says that the file is a sandbox's, but not whole.
	ErrDamaged = errors.New("the file is damaged: move it and its -wal file away, and begin anew")
	// ErrNewer says that a newer version of the program made the file.
	ErrNewer = errors.New("a newer version of this program made the file: use that one, or another file")
	// ErrInUse says that another sandbox has the file.
	ErrInUse = errors.New("another sandbox has this file: end it first, or name another file")
	// ErrRemains says that the file is gone but its log is there.
	ErrRemains = errors.New("the file is gone, but its -wal file is there: bring the file back, or move the -wal file away")
)

// advise adds what to do to an error of SQLite.
func advise(err error) error {
	const primary = 0xff // The extended codes hold the primary one in their low byte.
	failed, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return err
	}
	switch failed.Code() & primary {
	case codes.SQLITE_NOTADB, codes.SQLITE_CORRUPT:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fmt.Errorf("%w (%w)", ErrInUse, err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return fmt.Errorf("%w: you must be its owner, and be able to write to it and to its folder", err)
	case codes.SQLITE_FULL:
		return fmt.Errorf("%w: make room on the disk", err)
	}
	return err
}
