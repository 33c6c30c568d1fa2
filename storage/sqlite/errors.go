package sqlite

import (
	"errors"
	"fmt"
	"io/fs"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"checkout/till/storage/internal/sqlstore"
)

// Errors of [Open], [OpenEndpoint], [Backup] and [Restore]. Each says what to do.
var (
	// ErrDamaged is returned for a file that is not an SQLite database, and for a database with a
	// damaged structure.
	ErrDamaged = errors.New("the file is damaged: move it and its -wal file away, do not delete them, " +
		"and put the latest backup in its place")
	// ErrHeader is returned for a file without the header of an SQLite database. It wraps [ErrDamaged].
	ErrHeader = fmt.Errorf("%w (no header)", ErrDamaged)
	// ErrEmpty is returned for an empty file. A new shop has no file at all, so the content of an empty
	// one was lost.
	ErrEmpty = errors.New("the file is empty, so what was in it is lost: put the latest backup in its place, " +
		"or delete it to begin anew")
	// ErrForeign is returned for a database of another program, a folder or a device.
	ErrForeign = errors.New("this is no database of till: name another file in the settings")
	ErrRemains = errors.New("the file is gone, but its -wal file is there: bring the file back, " +
		"or move the -wal file away and put the latest backup in place")
	ErrExists = errors.New("there is such a file already: name a new one")
	ErrDemo   = errors.New("this is a backup of the demo, whose sales are not real: name a backup of a shop")
	// ErrUnsafe says that SQLite cannot protect the data: the file system is a network one, or
	// SQLite did not accept the settings that protect the data.
	ErrUnsafe = errors.New("SQLite cannot keep data safe here: put the database on a local disk")
)

// Errors of an open database that cannot be used now. Calls work again without a restart when the
// cause is removed.
var (
	// ErrMoved is returned while the database file is missing from its path.
	ErrMoved = errors.New("the database file is missing: put it back; " +
		"until then nothing is stored")
	// ErrReplaced is returned while another file has the path of the database.
	ErrReplaced = errors.New("another file was put in the database's place: put the first one back, " +
		"or end till and start it again to go on with this one")
	// ErrChanged is returned if a program other than SQLite changed one of the database's files. The
	// store then reopens and checks the database.
	ErrChanged = errors.New("the database was changed by another program")
	ErrFull    = errors.New("the disk is full: make room on it")
	ErrIO      = errors.New("the disk cannot be read or written: is it still connected?")
	// ErrReadOnly is returned while the permissions of the database file, or a read-only file
	// system, forbid writing to it. Only Linux detects this.
	ErrReadOnly = errors.New("the database cannot be written to: make its file, its folder and its disk writable")
)

// advise adds to an SQLite error what the user can do about it.
func advise(err error) error {
	if sqlstore.IsAny(err, ErrHeader, ErrDamaged, ErrFull, ErrIO, fs.ErrPermission) { // It says so already.
		return err
	}
	switch primary(err) {
	case codes.SQLITE_NOTADB:
		return fmt.Errorf("%w (%w)", ErrHeader, err)
	case codes.SQLITE_CORRUPT:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return fmt.Errorf("%w: you must be its owner, and be able to write to it and to its folder (%w)", err, fs.ErrPermission)
	case codes.SQLITE_FULL:
		return fmt.Errorf("%w (%w)", ErrFull, err)
	case codes.SQLITE_IOERR:
		return fmt.Errorf("%w (%w)", ErrIO, err)
	case codes.SQLITE_BUSY:
		return fmt.Errorf("%w: another program holds it; end that program and try again", err)
	}
	return err
}

// primary returns the primary result code of an SQLite error: the low byte of the extended code. It
// returns 0 for any other error.
func primary(err error) int {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		return failure.Code() & 0xff
	}
	return 0
}

// unusable reports whether an error is a fault: no call can succeed until its cause is removed.
func unusable(err error) bool {
	switch primary(err) {
	case codes.SQLITE_IOERR, codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_FULL,
		codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM, codes.SQLITE_PROTOCOL:
		return true
	}
	return sqlstore.IsAny(err, ErrMoved, ErrReplaced, ErrChanged, ErrReadOnly, ErrFull, ErrDamaged, sqlstore.ErrNewerSchema)
}
