package storage

import (
	"context"
	"fmt"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

type (
	// Verification is what [Verify] found: how many orders and events were
	// examined, and each difference.
	Verification = sqlstore.Audit
	// Difference is a row that is not as it was written.
	Difference = sqlstore.Difference
	// BackupResult is a backup that was written.
	BackupResult = sqlite.BackupResult
)

// Backup writes a copy of the database at an address into a new file while it
// is in use. The copy is of one moment, examined and on disk before it has its
// name. It never takes another file's place: [sqlite.ErrExists]. A database at
// a server is not copied: [ErrServed].
func Backup(ctx context.Context, address, target string) (BackupResult, error) {
	if err := checkFile(address); err != nil {
		return BackupResult{}, err
	}
	return sqlite.Backup(ctx, address, target)
}

// Verify examines the database at an address, which may be in use, and changes
// nothing in it, see [sqlstore.Verify]: decode reads an event from its raw body,
// so that each is compared with what was received. What is examined at a server is
// one moment's rows, and not its files.
func Verify(ctx context.Context, address string, decode func(body []byte) (payments.Event, error)) (Verification, error) {
	if !Served(address) {
		if err := checkFile(address); err != nil {
			return Verification{}, err
		}
	}
	database, err := openEndpoint(ctx, address)
	if err != nil {
		return Verification{Path: database.Name}, err
	}
	defer database.Pool.Close()
	return sqlstore.Verify(ctx, database, decode)
}

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
