package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Errors of [CheckSchema].
var (
	ErrNewerSchema = errors.New("a newer version of till wrote this database: update till")
	// ErrOlderSchema is returned for a database of an older version of till that [UpdateSchema] can
	// update.
	ErrOlderSchema = errors.New("an older version of till wrote this database: open it once with till")
	ErrNoSchema    = errors.New("the database has no tables of till: open it once with till")
)

// OldSchemaError is returned for a database of an older version of till that no migration can
// update.
type OldSchemaError struct {
	Version int
	Needed  int
}

// Is compares the versions, so that [errors.Is] finds an error with the same versions.
func (e *OldSchemaError) Is(target error) bool {
	other, ok := target.(*OldSchemaError)
	return ok && *e == *other
}

func (e *OldSchemaError) Error() string {
	return fmt.Sprintf("an early version of till made this database (its schema is %d, this version needs %d): "+
		"keep it, and begin with a new one (the setting database), or use the till that made it", e.Version, e.Needed)
}

// UpdateSchema creates the tables in a database that has none, or runs the migrations that an older
// schema needs, in one transaction. It returns [ErrNewerSchema] for a newer schema, and
// [*OldSchemaError] for one that no migration updates. Several processes may call it at the same
// time: the parameter lock is the statement that begins the transaction and makes the other
// processes wait.
func UpdateSchema(ctx context.Context, pool *sql.DB, dialect Dialect, lock, schema string) error {
	if err := CheckSchema(ctx, pool, dialect); !IsAny(err, ErrNoSchema, ErrOlderSchema) {
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
	version, err := dialect.check(ctx, t.conn) // Check again: another process may have updated the schema before this process got the lock.
	if !IsAny(err, ErrNoSchema, ErrOlderSchema) {
		return err
	}
	statements := []string{schema, fmt.Sprintf("INSERT INTO meta (key, value) VALUES ('tag', %d)", newTag())}
	if version > 0 {
		statements = append([]string{dialect.StopChanges}, dialect.Migrations[version-dialect.oldest():]...)
	}
	const record = "INSERT INTO meta (key, value) VALUES ('schema', %d) ON CONFLICT (key) DO UPDATE SET value = excluded.value; COMMIT"
	_, err = t.conn.ExecContext(ctx, strings.Join(statements, ";\n")+";\n"+fmt.Sprintf(record, dialect.Version))
	return wrap("update the tables", dialect.lost(err))
}

// letters is the size of the alphabet of tags.
const letters = 26

// newTag returns a random tag for the numbers that a database issues. The table meta stores the tag
// as a number.
func newTag() int64 {
	number, _ := rand.Int(rand.Reader, big.NewInt(letters*letters)) // Int never fails with this reader.
	return number.Int64()
}

// CheckSchema returns nil if the tables have the version of the dialect. Otherwise it returns
// [ErrNoSchema], [ErrOlderSchema], [*OldSchemaError] or [ErrNewerSchema], or an error of the database.
func CheckSchema(ctx context.Context, pool *sql.DB, dialect Dialect) error {
	_, err := dialect.check(ctx, pool)
	return err
}

func (d Dialect) oldest() int { return d.Version - len(d.Migrations) }

// check returns the version of the schema (0 if there are no tables) and the error of
// [CheckSchema]. A database that has tables but no version has version 1.
func (d Dialect) check(ctx context.Context, database interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
},
) (version int, err error) {
	var exists bool
	err = database.QueryRowContext(ctx, d.HasTables).Scan(&exists)
	if err == nil && exists {
		err = database.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = 'schema'), 1)").Scan(&version)
	}
	if err != nil {
		return 0, wrap("read the schema's version", err)
	}
	switch {
	case version == 0:
		err = ErrNoSchema
	case version < d.oldest():
		err = &OldSchemaError{version, d.Version}
	case version < d.Version:
		err = ErrOlderSchema
	default:
		err = d.refuseNewer(version)
	}
	return version, err
}

func (d Dialect) refuseNewer(version int) error {
	if version <= d.Version {
		return nil
	}
	return fmt.Errorf("%w (its schema is %d, this version knows %d)", ErrNewerSchema, version, d.Version)
}
