package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"checkout/till/storage/internal/sqlstore"
)

// Verify examines a database that may be in use meanwhile, as of one moment, and
// changes nothing in it: every row that can be computed anew is, see
// [sqlstore.Verify]. The server's files are the server's to examine.
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
	if err := checkSchema(ctx, pool); err != nil {
		return err
	}
	return sqlstore.Verify(ctx, pool, dialect{}, decode, found)
}

// checkSchema refuses a database without till's tables, and one of a newer
// version.
func checkSchema(ctx context.Context, pool *sql.DB) error {
	err := sqlstore.CheckSchema(ctx, pool, dialect{})
	if state(err) == undefinedTable || errors.Is(err, sql.ErrNoRows) {
		return sqlstore.ErrNoSchema
	}
	return err
}
