package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	driver "modernc.org/sqlite"

	"checkout/till/payments/sandbox"
)

// busyTimeout is how long another process's lock is waited for, in
// milliseconds: one that is about to end gives it back.
const busyTimeout = 1000

// File is the archive of one sandbox. It is safe for concurrent use.
type File struct {
	db           *sql.DB
	keep, forget *sql.Stmt
}

var _ sandbox.Archive = (*File)(nil)

// Open opens a data file, or makes one, and the folders on its path, where
// there is none. ctx ends the opening, not the file. Its errors say what to do:
// [ErrForeign], [ErrDamaged], [ErrNewer], [ErrInUse], [ErrRemains], or SQLite's
// own with advice. A file that was refused was not changed.
func Open(ctx context.Context, path string) (*File, error) {
	file, err := open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox's data file %s: %w", path, advise(err))
	}
	return file, nil
}

func open(ctx context.Context, path string) (*File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// That all databases of a process use one kind of locks matters more than
	// which; whoever is first decides.
	_, _ = driver.OFDLocking(true)
	if err := create(ctx, path); err != nil {
		return nil, err
	}
	if err := inspect(path); err != nil {
		return nil, err
	}
	db, err := openDB(path)
	if err != nil {
		return nil, err
	}
	file := &File{db: db}
	if err := file.prepare(ctx); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// openDB returns a pool of one connection, which alone has the file from its
// first use on. Commits go to the log without waiting for the disk: the end of
// a process loses none of them.
func openDB(path string) (*sql.DB, error) {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/sandbox.db
	}
	query := url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {fmt.Sprint(busyTimeout)},
		"_pragma":       {"locking_mode=EXCLUSIVE"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"NORMAL"},
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
	db.SetMaxIdleConns(1)
	return db, nil
}

// prepare takes the file for this process and looks whether it is whole.
func (f *File) prepare(ctx context.Context) error {
	var found string
	if err := f.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w (%s)", ErrDamaged, found)
	}
	var mode string
	if err := f.db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("SQLite cannot keep data safe on this file system (journal mode %s): use a local disk", mode)
	}
	if err := f.statements(ctx); err != nil {
		return fmt.Errorf("%w (%w)", ErrDamaged, err) // The schema is not what it was.
	}
	return nil
}

func (f *File) statements(ctx context.Context) (err error) {
	if f.keep, err = f.db.PrepareContext(ctx, `
INSERT INTO records (kind, name, body) VALUES ($1, $2, $3)
ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body`); err != nil {
		return err
	}
	f.forget, err = f.db.PrepareContext(ctx, "DELETE FROM records WHERE kind = $1 AND name = $2")
	return err
}

// Load returns all records.
func (f *File) Load(ctx context.Context) ([]sandbox.Record, error) {
	records, err := f.load(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the sandbox's data file: %w", advise(err))
	}
	return records, nil
}

func (f *File) load(ctx context.Context) ([]sandbox.Record, error) {
	rows, err := f.db.QueryContext(ctx, "SELECT kind, name, body FROM records ORDER BY number")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var records []sandbox.Record
	for rows.Next() {
		var record sandbox.Record
		if err := rows.Scan(&record.Kind, &record.Name, &record.Body); err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	return records, rows.Err()
}

// Save keeps records in one transaction.
func (f *File) Save(ctx context.Context, records []sandbox.Record) error {
	if err := f.save(ctx, records); err != nil {
		return fmt.Errorf("write the sandbox's data file: %w", advise(err))
	}
	return nil
}

func (f *File) save(ctx context.Context, records []sandbox.Record) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	keep, forget := tx.StmtContext(ctx, f.keep), tx.StmtContext(ctx, f.forget)
	defer keep.Close()
	defer forget.Close()
	for _, record := range records {
		if len(record.Body) == 0 {
			_, err = forget.ExecContext(ctx, record.Kind, record.Name)
		} else {
			_, err = keep.ExecContext(ctx, record.Kind, record.Name, string(record.Body))
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Close closes the file and leaves no log beside it.
func (f *File) Close() error {
	for _, statement := range []*sql.Stmt{f.keep, f.forget} {
		if statement != nil {
			statement.Close()
		}
	}
	return f.db.Close()
}
