package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// SchemaVersion is the only schema version that this program supports. [UpdateSchema] stores it in
// the database.
const SchemaVersion = 2

var (
	// ErrNewerSchema says that a newer version of till wrote the database.
	ErrNewerSchema = errors.New("a newer version of till wrote this database: update till")
	// ErrOlderSchema says that an older version of till wrote the database.
	ErrOlderSchema = errors.New("an older version of till wrote this database: open it once with till")
	// ErrNoSchema says that the database has no tables of till.
	ErrNoSchema = errors.New("the database has no tables of till: open it once with till")
)

// newest returns the schema version after all migrations of the dialect. The first version
// is 1.
func (d Dialect) newest() int { return 1 + len(d.Migrations) }

// UpdateSchema creates missing tables, or runs the migrations that an older schema needs, in one
// transaction. It returns [ErrNewerSchema] for a newer schema. Several processes may call it at the
// same time: the parameter lock is the statement that begins the transaction and makes the other
// processes wait.
func UpdateSchema(ctx context.Context, pool *sql.DB, dialect Dialect, lock, schema string) error {
	version, recorded, err := schemaVersion(ctx, pool, dialect)
	if err != nil || version == dialect.newest() && recorded {
		return err
	}
	// Pass a Dialect without Send, so that sendEach is used: only sendEach can run several
	// statements in one text, and lock may be such a text.
	t, err := begin(ctx, pool, Dialect{}, lock)
	if err != nil {
		return err
	}
	defer t.release(false) // Rolls back unless committed.
	if err := t.flush(); err != nil {
		return err
	}
	version, _, err = schemaVersion(ctx, t.conn, dialect) // Read again: another process may have updated the schema before this process got the lock.
	if err != nil {
		return err
	}
	statements := []string{schema}
	if version > 0 {
		statements = dialect.Migrations[version-1:]
	}
	script := strings.Join(statements, ";\n") + ";\n" + fmt.Sprintf(dialect.Record, dialect.newest()) + "; COMMIT" //nolint:gosec // All parts are constants.
	_, err = t.conn.ExecContext(ctx, script)
	if version == dialect.newest() {
		return nil // Ignore err: another process has updated the schema and recorded the version.
	}
	return wrap("update the tables", err)
}

// CheckSchema returns [ErrNoSchema] for a database without tables. It returns
// [ErrOlderSchema] or [ErrNewerSchema] if the schema has another version than the dialect.
func CheckSchema(ctx context.Context, pool *sql.DB, dialect Dialect) error {
	version, _, err := schemaVersion(ctx, pool, dialect)
	switch {
	case err != nil:
		return err
	case version == 0:
		return ErrNoSchema
	case version < dialect.newest():
		return ErrOlderSchema
	}
	return nil
}

// schemaVersion returns the version of the schema, or 0 without tables. recorded reports whether
// the database has a row with the version. The first databases of version 1 have no such row. For a
// newer version the error is [ErrNewerSchema].
func schemaVersion(ctx context.Context, database interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, dialect Dialect,
) (version int, recorded bool, err error) {
	var exists bool
	err = database.QueryRowContext(ctx, dialect.HasTables).Scan(&exists)
	if err == nil && exists {
		version, recorded = 1, true
		err = database.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'schema'").Scan(&version)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return version, false, nil
	}
	if err == nil && version > dialect.newest() {
		err = fmt.Errorf("%w (its schema is %d, this version knows %d)", ErrNewerSchema, version, dialect.newest())
	}
	return version, recorded, wrap("read the schema's version", err)
}
