package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// SchemaVersion is the only schema version that this program supports. The schema files
// store it in the database.
const SchemaVersion = 1

var (
	// ErrNewerSchema says that a newer version of till wrote the database.
	ErrNewerSchema = errors.New("a newer version of till wrote this database: update till")
	// ErrNoSchema says that the database has no tables of till.
	ErrNoSchema = errors.New("the database has no tables of till: open it once with till")
)

// CreateSchema creates the tables in one transaction if they are missing. It returns
// [ErrNewerSchema] for a newer schema. Several processes may call it at the same time: the
// statement lock begins the transaction and blocks the others.
func CreateSchema(ctx context.Context, pool *sql.DB, dialect Dialect, lock, schema string) error {
	if err := CheckSchema(ctx, pool, dialect); !errors.Is(err, ErrNoSchema) {
		return err
	}
	t, err := begin(ctx, pool, lock)
	if err != nil {
		return err
	}
	defer t.release(false) // Rolls back without a commit.
	version, err := one(t, "read the schema's version", column[int], dialect.Version)
	if err == nil && version == 0 {
		_, err = t.conn.ExecContext(ctx, schema+"; COMMIT")
	}
	return wrap("make the tables", err)
}

// CheckSchema returns [ErrNoSchema] for a database without tables, and [ErrNewerSchema] for
// a schema newer than [SchemaVersion].
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
