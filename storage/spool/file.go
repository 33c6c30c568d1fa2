package spool

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"checkout/till/payments"
)

// Why a spool's file cannot be opened. Each says what to do.
var (
	// ErrDamaged says that the file is no database, or not a whole one.
	ErrDamaged = errors.New("the file is damaged: move it and its -wal file away and keep them, " +
		"for there may be events in them that the service does not send again")
	// ErrForeign says that the file is no spool, or one of a newer version.
	ErrForeign = errors.New("this is no spool of this version of till: name another file in the settings")
	// ErrInUse says that another process has the file.
	ErrInUse = errors.New("another listener uses this file: name another one in the settings (spool)")
)

const (
	// applicationID marks the file as a spool: the bytes of "tspl".
	applicationID = 0x7473706c
	schemaVersion = 1
	// busyTimeout is how long another process's lock is waited for, in
	// milliseconds: a listener that is about to end gives it back.
	busyTimeout = 1000
)

// schema is that of a new file. The number tells the order of arrival, and is
// never given twice.
const schema = `
CREATE TABLE spooled (
  number          INTEGER PRIMARY KEY AUTOINCREMENT,
  event           BLOB NOT NULL UNIQUE,
  order_reference TEXT NOT NULL,
  came_at         INTEGER NOT NULL,
  body            BLOB NOT NULL,
  tries           INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX spooled_order ON spooled (order_reference)`

// file is the SQLite file of a spool, open in this process alone.
type file struct{ db *sql.DB }

// entry is one kept event.
type entry struct {
	number int64
	came   time.Time
	body   []byte
}

// openFile opens the file or makes it, and the folders on its path.
func openFile(ctx context.Context, path string) (*file, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// Whoever opens a database first decides on the kind of locks of the whole
	// process; that all use the same kind matters more than which.
	_, _ = driver.OFDLocking(true)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make its folder: %w", err)
	}
	// SQLite would let others read it. An empty file is a new one.
	made, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = made.Close()
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	db, err := openDB(path)
	if err != nil {
		return nil, err
	}
	opened := &file{db: db}
	if err := opened.prepare(ctx); err != nil {
		return nil, errors.Join(advise(err), db.Close())
	}
	return opened, nil
}

// openDB returns a pool of one connection, which has the file for itself from
// its first use on.
func openDB(path string) (*sql.DB, error) {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/spool.db
	}
	query := url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {fmt.Sprint(busyTimeout)},
		"_pragma":       {"locking_mode=EXCLUSIVE"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"},
		"_defensive":    {"1"},
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
		"_txlock":       {"immediate"},
	}
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// prepare takes the file for this process, looks whether it is whole and ours,
// and makes the schema of a new one.
func (f *file) prepare(ctx context.Context) error {
	var found, mode string
	var id, version, synchronous int64
	for _, ask := range []struct {
		pragma string
		into   any
	}{
		{"quick_check(1)", &found},
		{"journal_mode", &mode},
		{"synchronous", &synchronous},
		{"application_id", &id},
		{"user_version", &version},
	} {
		if err := f.db.QueryRowContext(ctx, "PRAGMA "+ask.pragma).Scan(ask.into); err != nil {
			return err
		}
	}
	const full = 2
	switch {
	case found != "ok":
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	case mode != "wal" || synchronous != full:
		return fmt.Errorf("SQLite cannot keep data safe here (journal mode %s): use a local disk", mode)
	case id == applicationID && version == schemaVersion:
		return nil
	}
	return f.create(ctx, id, version)
}

// create makes the schema in one transaction, in a file without any.
func (f *file) create(ctx context.Context, id, version int64) error {
	var tables int64
	if err := f.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if id != 0 || version != 0 || tables != 0 {
		return ErrForeign
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, step := range []string{
		schema, fmt.Sprint("PRAGMA application_id = ", applicationID), fmt.Sprint("PRAGMA user_version = ", schemaVersion),
	} {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// advise adds what to do to an error of SQLite.
func advise(err error) error {
	failure, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return err
	}
	switch failure.Code() & 0xff {
	case codes.SQLITE_NOTADB, codes.SQLITE_CORRUPT:
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case codes.SQLITE_BUSY:
		return fmt.Errorf("%w (%w)", ErrInUse, err)
	}
	return err
}

// begin gives every kept event its tries back, and returns what there is.
func (f *file) begin(ctx context.Context) (events int, bytes int64, err error) {
	if _, err := f.db.ExecContext(ctx, "UPDATE spooled SET tries = 0 WHERE tries > 0"); err != nil {
		return 0, 0, err
	}
	err = f.db.QueryRowContext(ctx, "SELECT count(*), coalesce(sum(length(body)), 0) FROM spooled").Scan(&events, &bytes)
	return events, bytes, err
}

// has tells whether an event is kept.
func (f *file) has(ctx context.Context, id payments.EventID) (found bool, err error) {
	err = f.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM spooled WHERE event = $1)", id[:]).Scan(&found)
	return found, err
}

// awaits tells whether an event of an order waits for its turn.
func (f *file) awaits(ctx context.Context, orderReference string) (found bool, err error) {
	err = f.db.QueryRowContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM spooled WHERE order_reference = $1 AND tries < $2)", orderReference, maxTries).Scan(&found)
	return found, err
}

// add keeps an event.
func (f *file) add(ctx context.Context, event payments.Event, body []byte, came time.Time) error {
	id := event.ID()
	_, err := f.db.ExecContext(ctx, "INSERT INTO spooled (event, order_reference, came_at, body) VALUES ($1, $2, $3, $4)",
		id[:], event.OrderReference, came.UnixMilli(), body)
	return err
}

// next returns the oldest event that waits for its turn, and whether there is
// one.
func (f *file) next(ctx context.Context) (entry, bool, error) {
	var found entry
	var came int64
	err := f.db.QueryRowContext(ctx, "SELECT number, came_at, body FROM spooled WHERE tries < $1 ORDER BY number LIMIT 1",
		maxTries).Scan(&found.number, &came, &found.body)
	if errors.Is(err, sql.ErrNoRows) {
		return entry{}, false, nil
	}
	found.came = time.UnixMilli(came).UTC()
	return found, err == nil, err
}

// oldest returns when the oldest event came, and the zero time when there is
// none.
func (f *file) oldest(ctx context.Context) (time.Time, error) {
	var came int64
	err := f.db.QueryRowContext(ctx, "SELECT came_at FROM spooled ORDER BY number LIMIT 1").Scan(&came)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return time.UnixMilli(came).UTC(), err
}

// try counts so many tries of an event that the database did not take, and
// returns how many there were.
func (f *file) try(ctx context.Context, number int64, more int) (tries int, err error) {
	err = f.db.QueryRowContext(ctx, "UPDATE spooled SET tries = tries + $2 WHERE number = $1 RETURNING tries",
		number, more).Scan(&tries)
	return tries, err
}

// remove drops an event that the database has.
func (f *file) remove(ctx context.Context, number int64) error {
	_, err := f.db.ExecContext(ctx, "DELETE FROM spooled WHERE number = $1", number)
	return err
}
