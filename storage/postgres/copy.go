package postgres

import (
	"context"
	"fmt"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// OpenEndpoint opens a database to be copied: from, which changes nothing in it,
// or into, where the tables are made if they are not there. It may be in use
// meanwhile. The caller closes the pool. The errors are those of [Open].
func OpenEndpoint(ctx context.Context, address string, into bool) (sqlstore.Endpoint, error) {
	config, err := parse(address)
	if err != nil {
		return sqlstore.Endpoint{}, err
	}
	usual := connector{config: config, patient: true}
	if into {
		_, err = migrate(ctx, usual)
	}
	pool := usual.openPool(1)
	if err == nil {
		err = checkSchema(ctx, pool)
	}
	if err != nil {
		_ = pool.Close()
		return sqlstore.Endpoint{}, fmt.Errorf("open the database %s: %w", name(config), discreet(advise(err), config))
	}
	return sqlstore.Endpoint{Pool: pool, Dialect: dialect{}}, nil
}

// leaveTime is how long a program that has ended may still be connected, by
// what its server knows.
const leaveTime = 2 * time.Second

// Users returns how many connections other programs of till's have to a
// database, as its server knows them: those that give another name count not.
func Users(ctx context.Context, address string) (count int, err error) {
	config, err := parse(address)
	if err != nil {
		return 0, err
	}
	pool := connector{config: config}.openPool(1)
	defer pool.Close()
	const users = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
		AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`
	waiting, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	for {
		if err := pool.QueryRowContext(ctx, users).Scan(&count); err != nil {
			return 0, fmt.Errorf("ask who uses the database %s: %w", name(config), discreet(advise(err), config))
		}
		if count == 0 || waiting.Err() != nil {
			return count, nil
		}
		wait(waiting, shortPause)
	}
}
