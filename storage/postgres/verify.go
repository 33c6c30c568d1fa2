package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"checkout/till/storage/internal/sqlstore"
)

// ErrOlderSchema says that the database was written by an older version and not
// opened for use since, or never.
var ErrOlderSchema = errors.New("an older version of till wrote this database, or none: open it once with till, then examine it")

// Verify examines a database that may be in use meanwhile, as of one moment, and
// changes nothing in it: every row that can be computed anew is, see
// [sqlstore.Examine]. The server's files are the server's to examine.
//
// It returns how people know the database, without anything secret. Its error
// says that the database cannot be examined, as those of [Open] do; what was
// found until then comes with it.
func Verify(ctx context.Context, address string, decode sqlstore.Decoder) (found sqlstore.Audit, place string, err error) {
	config, err := parse(address)
	if err != nil {
		return found, "", err
	}
	pool := connector{config: config, patient: true}.openPool(1)
	defer pool.Close()
	place = name(config)
	if err := verify(ctx, pool, decode, &found); err != nil {
		return found, place, fmt.Errorf("examine the database %s: %w", place, discreet(advise(err), config))
	}
	return found, place, nil
}

func verify(ctx context.Context, pool *sql.DB, decode sqlstore.Decoder, found *sqlstore.Audit) error {
	newest, err := SchemaVersion()
	if err != nil {
		return err
	}
	var version int
	err = pool.QueryRowContext(ctx, dialect{}.Version()).Scan(&version)
	switch {
	case state(err) == undefinedTable || errors.Is(err, sql.ErrNoRows):
		return ErrOlderSchema
	case err != nil:
		return err
	case version > newest:
		return sqlstore.ErrNewerSchema
	case version < newest:
		return fmt.Errorf("%w (its schema is %d, not %d)", ErrOlderSchema, version, newest)
	}
	return sqlstore.Examine(ctx, pool, dialect{}, decode, found)
}
