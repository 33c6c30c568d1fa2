package postgres

import (
	"context"
	"fmt"
	"time"

	"checkout/till/storage/internal/sqlstore"
)

// OpenSource takes hold of a moment of a database, to be copied from: see
// [sqlstore.Store.Receive]. It may be in use meanwhile, and nothing in it is
// changed. The errors are those of [Open], and say so when the database is not
// up to date.
func OpenSource(ctx context.Context, address string) (*sqlstore.Source, error) {
	config, err := parse(address)
	if err != nil {
		return nil, err
	}
	newest, err := SchemaVersion()
	if err != nil {
		return nil, err
	}
	pool := connector{config: config, patient: true}.openPool(1)
	source, err := sqlstore.NewSource(ctx, pool, dialect{}, newest)
	if err == nil {
		return source, nil
	}
	pool.Close()
	if state(err) == undefinedTable {
		err = sqlstore.ErrPending
	}
	return nil, fmt.Errorf("open the database %s: %w", name(config), discreet(advise(err), config))
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
