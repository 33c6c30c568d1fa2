package sqlite

import (
	"context"
	"fmt"
	"path/filepath"

	"checkout/till/storage/internal/sqlstore"
)

// Source is one moment of a database, to be copied from. See
// [sqlstore.Store.Receive].
type Source = sqlstore.Source

// OpenSource takes hold of a moment of the database in a file, which may be in
// use meanwhile, and changes nothing in it. The errors are those of [Open], and
// say so when the file is not up to date.
func OpenSource(ctx context.Context, path string) (*Source, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the database: %w", err)
	}
	lockByFile()
	source, err := openSource(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", path, advise(err))
	}
	return source, nil
}

func openSource(ctx context.Context, path string) (*Source, error) {
	if _, err := inspect(ctx, path); err != nil {
		return nil, err
	}
	newest, err := SchemaVersion()
	if err != nil {
		return nil, err
	}
	pool, err := openPool(path, modeCopy, 1, nil)
	if err != nil {
		return nil, err
	}
	source, err := sqlstore.NewSource(ctx, pool, dialect{}, newest)
	if err != nil {
		pool.Close()
	}
	return source, err
}

type (
	// Copied is what a copy of a database holds.
	Copied = sqlstore.Copied
	// Progress is how far the copying of a table is.
	Progress = sqlstore.Progress
)
