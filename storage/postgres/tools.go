package postgres

import (
	"context"
	"fmt"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// OpenEndpoint opens a database to be examined or copied, with one connection and
// no limits: from, which changes nothing in it, or into, where its tables are made
// if they are not there. The caller closes the pool. The errors are those of
// [Open].
func OpenEndpoint(ctx context.Context, address string, into bool) (sqlstore.Endpoint, error) {
	if into {
		store, err := Open(ctx, address, Options{})
		if err != nil {
			return sqlstore.Endpoint{}, err
		}
		_ = store.Close()
	}
	config, _, err := parse(address)
	if err != nil {
		return sqlstore.Endpoint{}, err
	}
	endpoint := sqlstore.Endpoint{Name: name(config), Pool: newDialer(config).open(1, into), Dialect: patient()}
	if err := sqlstore.CheckSchema(ctx, endpoint.Pool, endpoint.Dialect); err != nil {
		_ = endpoint.Pool.Close()
		return endpoint, fmt.Errorf("open the database %s: %w", endpoint.Name, endpoint.Dialect.Advise(err))
	}
	return endpoint, nil
}

// disconnectLimit is how long the server may still list the connections of a
// program that has ended.
const disconnectLimit = 2 * time.Second

// Users returns how many connections other processes of till have to a database,
// by their application_name.
func Users(ctx context.Context, address string) (count int, err error) {
	config, _, err := parse(address)
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
