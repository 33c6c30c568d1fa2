package sqlite

import (
	"errors"
	"fmt"

	codes "modernc.org/sqlite/lib"
)

// Why a database is not opened. Each says what to do.
var (
	// ErrDamaged says that the file is no database, or not a whole one.
	ErrDamaged = errors.New("the file is damaged: move it and its -wal file away, do not delete them, " +
		"and put the latest backup in its place")
	// ErrEmpty says that the file has no content. A new shop has no file.
	ErrEmpty = errors.New("the file is empty, so what was in it is lost: put the latest backup in its place, " +
		"or delete it to begin anew")
	// ErrForeign says that the file is a database of another program, a folder
	// or a device.
	ErrForeign = errors.New("this is no database of till: name another file in the settings")
	// ErrRemains says that the database is gone but its log is there.
	ErrRemains = errors.New("the file is gone, but its -wal file is there: bring the file back, " +
		"or move the -wal file away and put the latest backup in place")
	// ErrUnsafe says that SQLite cannot keep the data safe on this file system.
	ErrUnsafe = errors.New("SQLite cannot keep data safe here: put the database on a local disk")
)

// advise adds what to do to an error of SQLite.
func advise(err error) error {
	const primary = 0xff // The extended codes hold the primary one in their low byte.
	switch code(err) & primary {
	case codes.SQLITE_NOTADB, codes.SQLITE_CORRUPT:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return fmt.Errorf("%w: you must be its owner, and be able to write to it and to its folder", err)
	case codes.SQLITE_FULL:
		return fmt.Errorf("%w: make room on the disk", err)
	case codes.SQLITE_BUSY:
		return fmt.Errorf("%w: another program holds it; end that program and try again", err)
	}
	return err
}
