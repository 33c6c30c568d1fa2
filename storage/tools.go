package storage

import (
	"context"
	"errors"
	"fmt"
	"os"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

// CopiedTable is a table of a copy: its number of rows and their digest, which are
// those of the source.
type CopiedTable = sqlstore.TableSum

// ErrInUse says that other processes use a database that is to be copied: their
// later changes would be missing in the copy.
var ErrInUse = errors.New("end the consoles and the listener that use it")

// Copy copies a shop from one address into another: a file, or postgres://….
// The file may be missing; the database at the server must be there. The target
// must be empty. The source is read as of one moment and not changed. Both are
// compared before the copy is committed, so that it is whole or not there.
//
// [ErrInUse] says that one of them is in use, [ErrVisible] that an address has a
// password in it.
func Copy(ctx context.Context, from, to string) (copied []CopiedTable, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(ctx.Err(), err) // The drivers do not always name the interruption.
		}
	}()
	if err := errors.Join(CheckVisible(from), CheckVisible(to)); err != nil {
		return nil, err
	}
	for _, address := range []*string{&from, &to} {
		if *address, err = CheckAddress(*address); err != nil {
			return nil, err
		}
	}
	if !Served(from) {
		// Locking would make the folder.
		if _, err := os.Stat(from); err != nil {
			return nil, fmt.Errorf("open the source: %w", err)
		}
	}
	release, err := claim(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("the source is in use: %w", err)
	}
	defer release()
	source, err := openEndpoint(ctx, from)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Pool.Close()) }()
	release, err = claim(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("the target is in use: %w", err)
	}
	defer release()
	made, err := Open(ctx, to, Options{})
	if err == nil {
		err = made.Close()
	}
	if err != nil {
		return nil, err
	}
	target, err := openEndpoint(ctx, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Pool.Close()) }()
	return sqlstore.Copy(ctx, source, target)
}

func openEndpoint(ctx context.Context, address string) (sqlstore.Endpoint, error) {
	if Served(address) {
		return postgres.OpenEndpoint(ctx, address)
	}
	if err := checkFile(address); err != nil {
		return sqlstore.Endpoint{}, err
	}
	return sqlite.OpenEndpoint(ctx, address)
}

// claim returns [ErrInUse] for a database that others use, and locks a file
// until release is called.
func claim(ctx context.Context, address string) (release func(), err error) {
	if Served(address) {
		count, err := postgres.Users(ctx, address)
		if err == nil && count > 0 {
			err = fmt.Errorf("%w (%d connections)", ErrInUse, count)
		}
		return func() {}, err
	}
	release, err = Lock(address)
	if locked, is := errors.AsType[*LockedError](err); is {
		err = fmt.Errorf("%w (process %d)", ErrInUse, locked.PID)
	}
	return release, err
}

// Verification is what [Verify] found: how many orders and events were
// examined, and each difference.
type Verification = sqlstore.Audit

// Backup writes a copy of the database at an address into a new file while it
// is in use. The copy is of one moment, examined and on disk before it has its
// name. It never takes another file's place: [sqlite.ErrExists]. A database at
// a server is not copied: [ErrServed].
func Backup(ctx context.Context, address, target string) (sqlite.BackupResult, error) {
	if err := checkFile(address); err != nil {
		return sqlite.BackupResult{}, err
	}
	return sqlite.Backup(ctx, address, target)
}

// Verify examines the database at an address, which may be in use, and changes
// nothing in it, see [sqlstore.Verify]: decode reads an event from its raw body,
// so that each is compared with what was received. What is examined at a server is
// one moment's rows, and not its files.
func Verify(ctx context.Context, address string, decode func(body []byte) (payments.Event, error)) (Verification, error) {
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

// Examine writes to an open database and reads from it, lets SQLite check the
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
