package storage

import (
	"context"
	"fmt"

	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

// Examination is what [Examine] found of an open database.
type Examination struct {
	Free    int64  // Bytes that are free on a file's disk; 0 where nobody knows.
	Version string // Of the server; empty for a file.
	Owner   bool   // The server's user owns the tables: rights do not bind it.
}

// Examine writes to an open database and reads that back, lets SQLite check the
// structure of a file, and asks a server who it is. Its error says why no order
// should be made, and what to do.
func Examine(ctx context.Context, store Store) (found Examination, err error) {
	if err := store.Probe(ctx); err != nil {
		return found, fmt.Errorf("write to the database: %w", err)
	}
	switch store := store.(type) {
	case *sqlite.Store:
		found.Free, err = store.Examine(ctx)
	case *postgres.Store:
		found.Version, found.Owner, err = store.Server(ctx)
	}
	return found, err
}
