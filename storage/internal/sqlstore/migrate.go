package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// SchemaVersion is the version of the one schema that this program knows.
const SchemaVersion = 1

var (
	// ErrNewerSchema says that a newer version of the program wrote the database.
	ErrNewerSchema = errors.New("a newer version of till wrote this database: update till")
	// ErrNoSchema says that the tables are not there.
	ErrNoSchema = errors.New("the database has no tables of till: open it once with till")
)

// CreateSchema makes the tables in one transaction unless they are there, and
// refuses a newer schema. Several processes may do so at once: begin is the
// statement that begins the transaction and keeps others out.
func CreateSchema(ctx context.Context, pool *sql.DB, dialect Dialect, begin, schema string) (err error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	if version, err := schemaVersion(ctx, conn, dialect); err != nil || version > 0 {
		return errors.Join(err, checkVersion(version))
	}
	if _, err := conn.ExecContext(ctx, begin); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	version, err := schemaVersion(ctx, conn, dialect)
	end := "ROLLBACK"
	if err == nil && version == 0 {
		if _, err = conn.ExecContext(ctx, schema); err == nil {
			_, err = conn.ExecContext(ctx, dialect.SetVersion)
		}
		if err == nil {
			end = "COMMIT"
		}
	}
	// A context that ended must not leave the transaction open.
	_, ended := conn.ExecContext(context.WithoutCancel(ctx), end)
	if err = errors.Join(err, ended); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	return nil
}

// CheckSchema refuses a database whose schema this program does not know.
func CheckSchema(ctx context.Context, pool *sql.DB, dialect Dialect) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	version, err := schemaVersion(ctx, conn, dialect)
	switch {
	case err != nil:
		return err
	case version == 0:
		return ErrNoSchema
	}
	return checkVersion(version)
}

// schemaVersion returns the version of a database's schema, 0 when it has none.
func schemaVersion(ctx context.Context, conn *sql.Conn, dialect Dialect) (version int, err error) {
	if err := conn.QueryRowContext(ctx, dialect.Version).Scan(&version); err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return version, nil
}

// checkVersion refuses a schema that this program does not know.
func checkVersion(version int) error {
	if version > SchemaVersion {
		return fmt.Errorf("%w (its schema is %d, this version knows %d)", ErrNewerSchema, version, SchemaVersion)
	}
	return nil
}
