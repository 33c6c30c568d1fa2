package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// openTool opens a database with one connection and no limits, and returns its
// name without its credentials. The errors are those of [Open].
func openTool(ctx context.Context, address string, writes bool) (pool *sql.DB, place string, err error) {
	config, err := parse(address)
	if err != nil {
		return nil, "", err
	}
	place = name(config)
	pool = newDialer(config).open(1, writes)
	if err := sqlstore.CheckSchema(ctx, pool, patient()); err != nil {
		_ = pool.Close()
		return nil, place, fmt.Errorf("open the database %s: %w", place, advise(connectError(err)))
	}
	return pool, place, nil
}

// OpenEndpoint opens a database to be copied: from, which changes nothing in it,
// or into, where its tables are made if they are not there. The caller closes the
// pool. The errors are those of [Open].
func OpenEndpoint(ctx context.Context, address string, into bool) (sqlstore.Endpoint, error) {
	if into {
		store, err := Open(ctx, address, Options{})
		if err != nil {
			return sqlstore.Endpoint{}, err
		}
		_ = store.Close()
	}
	pool, _, err := openTool(ctx, address, into)
	return sqlstore.Endpoint{Pool: pool, Dialect: patient()}, err
}

// Verify examines a database that may be in use meanwhile, as of one moment, and
// changes nothing in it: every row that can be computed anew is, see
// [sqlstore.Verify]. The server's files are the server's to examine.
//
// It returns the database's name without its credentials. Its error
// says that the database cannot be examined, as those of [Open] do; what was
// found until then comes with it.
func Verify(ctx context.Context, address string, decode sqlstore.Decoder) (found sqlstore.Audit, place string, err error) {
	pool, place, err := openTool(ctx, address, false)
	if err != nil {
		return found, place, err
	}
	defer pool.Close()
	if err = sqlstore.Verify(ctx, sqlstore.Endpoint{Pool: pool, Dialect: patient()}, decode, &found); err != nil {
		err = fmt.Errorf("examine the database %s: %w", place, advise(connectError(err)))
	}
	return found, place, err
}

// disconnectLimit is how long the server may still list the connections of a
// program that has ended.
const disconnectLimit = 2 * time.Second

// Users returns how many connections other processes of till have to a database,
// by their application_name.
func Users(ctx context.Context, address string) (count int, err error) {
	config, err := parse(address)
	if err != nil {
		return 0, err
	}
	pool := newDialer(config).open(1, false)
	defer pool.Close()
	const users = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`
	waiting, cancel := context.WithTimeout(ctx, disconnectLimit)
	defer cancel()
	for {
		if err := pool.QueryRowContext(ctx, users).Scan(&count); err != nil {
			return 0, fmt.Errorf("ask who uses the database %s: %w", name(config), advise(connectError(err)))
		}
		if count == 0 || waiting.Err() != nil {
			return count, nil
		}
		wait(waiting, shortPause)
	}
}
