package storage

import (
	"context"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

type (
	// Verification is what [Verify] found: how many orders and events were
	// examined, and each difference.
	Verification = sqlite.Verification
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
// nothing. The file's structure is checked, without its indexes when quick;
// decode reads an event from its raw body, so that each is compared with what
// was received; and each order is computed anew from its events. The error says
// that the database cannot be examined; what was found until then comes with
// it. What is examined at a server is one moment's rows, and not its files.
func Verify(
	ctx context.Context, address string, quick bool, decode func(body []byte) (payments.Event, error),
) (Verification, error) {
	if Served(address) {
		found, place, err := postgres.Verify(ctx, address, decode)
		return Verification{Audit: found, Path: place, Quick: quick}, err
	}
	if err := checkFile(address); err != nil {
		return Verification{}, err
	}
	return sqlite.Verify(ctx, address, quick, decode)
}
