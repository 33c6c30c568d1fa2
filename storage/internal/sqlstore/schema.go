package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// SchemaVersion is the version of the one schema that this program knows. The
// schemas write it.
const SchemaVersion = 1

var (
	// ErrNewerSchema says that a newer version of the program wrote the database.
	ErrNewerSchema = errors.New("a newer version of till wrote this database: update till")
	// ErrNoSchema says that the tables are not there.
	ErrNoSchema = errors.New("the database has no tables of till: open it once with till")
)

// CreateSchema makes the tables in one transaction unless they are there, and
// refuses a newer schema. Several processes may do so at once: lock is the
// statement that begins the transaction and keeps others out.
func CreateSchema(ctx context.Context, pool *sql.DB, dialect Dialect, lock, schema string) error {
	if err := CheckSchema(ctx, pool, dialect); !errors.Is(err, ErrNoSchema) {
		return err
	}
	t, err := begin(ctx, pool, lock)
	if err != nil {
		return err
	}
	defer t.release(false) // What is not committed is rolled back.
	version, err := one(t, "read the schema's version", column[int], dialect.Version)
	if err == nil && version == 0 {
		_, err = t.conn.ExecContext(ctx, schema+"; COMMIT")
	}
	return wrap("make the tables", err)
}

// CheckSchema refuses a database whose schema this program does not know, or
// that has none.
func CheckSchema(ctx context.Context, pool *sql.DB, dialect Dialect) error {
	var version int
	if err := pool.QueryRowContext(ctx, dialect.Version).Scan(&version); err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	switch {
	case version == 0:
		return ErrNoSchema
	case version > SchemaVersion:
		return fmt.Errorf("%w (its schema is %d, this version knows %d)", ErrNewerSchema, version, SchemaVersion)
	}
	return nil
}
