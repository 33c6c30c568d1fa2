package sqlite

import (
	"context"
	"fmt"
	"path/filepath"

	"checkout/till/storage/internal/sqlstore"
)

// OpenEndpoint opens a database to be copied: from, which changes nothing in it,
// or into, where it is made if it is not there. The caller closes the pool. The
// errors are those of [Open].
func OpenEndpoint(ctx context.Context, path string, into bool) (sqlstore.Endpoint, error) {
	m := modeCopy
	if into {
		m = modeWrite
		store, err := Open(ctx, path)
		if err != nil {
			return sqlstore.Endpoint{}, err
		}
		if err := store.Close(); err != nil {
			return sqlstore.Endpoint{}, err
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return sqlstore.Endpoint{}, fmt.Errorf("find the database: %w", err)
	}
	pool, err := openFile(ctx, path, m)
	if err != nil {
		return sqlstore.Endpoint{}, fmt.Errorf("open the database %s: %w", path, advise(err))
	}
	return sqlstore.Endpoint{Pool: pool, Dialect: dialect()}, nil
}
