package postgres

import (
	"context"
	"fmt"

	"checkout/till/storage/internal/sqlstore"
)

// OpenEndpoint opens a database that has till's tables with one connection and no
// limits, to be examined or copied. The caller closes the pool. The errors are
// those of [Open].
func OpenEndpoint(ctx context.Context, address string) (sqlstore.Endpoint, error) {
	config, _, err := parse(address)
	if err != nil {
		return sqlstore.Endpoint{}, err
	}
	endpoint := sqlstore.Endpoint{Name: name(config), Pool: newDialer(config).open(1, false), Dialect: patient()}
	if err := sqlstore.CheckSchema(ctx, endpoint.Pool, endpoint.Dialect); err != nil {
		_ = endpoint.Pool.Close()
		return endpoint, fmt.Errorf("open the database %s: %w", endpoint.Name, endpoint.Dialect.Advise(err))
	}
	return endpoint, nil
}

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
	// The server may still list the connections of a program that has just ended.
	for tries := 0; tries == 0 || count > 0 && tries < 20; tries++ {
		if err := pool.QueryRowContext(ctx, users).Scan(&count); err != nil {
			return 0, fmt.Errorf("ask who uses the database %s: %w", name(config), advise(connectError(err)))
		}
		if count > 0 {
			wait(ctx, shortPause)
		}
	}
	return count, nil
}
