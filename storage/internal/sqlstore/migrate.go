package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNewerSchema says that a newer version of the program wrote the database.
var ErrNewerSchema = errors.New("a newer version of till wrote this database: update till")

// Migrate brings the schema forward to the newest of the steps: the .sql files
// of a folder, in the order of their names, step n from version n-1 to n. Each
// step and its version number are one transaction, so that a crash leaves the
// old schema or the new one. Several processes may do it at once.
//
// keep is called before the first step unless the database is new, with the
// schema's version, to put what there is in safety; nil does not.
func Migrate(
	ctx context.Context, pool *sql.DB, dialect Dialect, steps fs.FS, keep func(ctx context.Context, version int) error,
) error {
	names, err := fs.Glob(steps, "*.sql")
	if err != nil {
		return fmt.Errorf("list the migrations: %w", err)
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	for {
		version, err := schemaVersion(ctx, conn, dialect)
		if err != nil {
			return err
		}
		if version > len(names) {
			return fmt.Errorf("%w (its schema is %d, this version knows %d)", ErrNewerSchema, version, len(names))
		}
		if version == len(names) {
			return nil
		}
		if keep != nil && version > 0 {
			if err := keep(ctx, version); err != nil {
				return fmt.Errorf("keep a copy before the schema is migrated: %w", err)
			}
		}
		keep = nil
		if err := migrateStep(ctx, conn, dialect, steps, names, version); err != nil {
			return fmt.Errorf("migrate the schema from %d to %d: %w", version, version+1, err)
		}
	}
}

// migrateStep takes the step after version, unless another process was
// quicker.
func migrateStep(
	ctx context.Context, conn *sql.Conn, dialect Dialect, steps fs.FS, names []string, version int,
) error {
	text, err := fs.ReadFile(steps, names[version])
	if err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, dialect.BeginWrite()); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	current, err := schemaVersion(ctx, conn, dialect)
	end := "ROLLBACK"
	if err == nil && current == version {
		if _, err = conn.ExecContext(ctx, string(text)); err == nil {
			_, err = conn.ExecContext(ctx, dialect.SetVersion(version+1))
		}
		if err == nil {
			end = "COMMIT"
		}
	}
	// A context that ended must not leave the transaction open.
	_, ended := conn.ExecContext(context.WithoutCancel(ctx), end)
	if err != nil {
		return err
	}
	return ended
}

func schemaVersion(ctx context.Context, conn *sql.Conn, dialect Dialect) (version int, err error) {
	if err := conn.QueryRowContext(ctx, dialect.Version()).Scan(&version); err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return version, nil
}
