package storage

import (
	"context"
	"errors"
	"fmt"
	"os"

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
	return sqlite.OpenEndpoint(ctx, address)
}

// claim returns [ErrInUse] for a database that others use, and locks a file
// until release is called.
func claim(ctx context.Context, address string) (release func(), err error) {
	release = func() {}
	if !Served(address) {
		lock, err := Lock(address)
		if locked, is := errors.AsType[*LockedError](err); is {
			return nil, fmt.Errorf("%w (process %d)", ErrInUse, locked.PID)
		}
		if err != nil {
			return nil, err
		}
		return func() { _ = lock.Release() }, nil
	}
	count, err := postgres.Users(ctx, address)
	if err == nil && count > 0 {
		err = fmt.Errorf("%w (%d connections)", ErrInUse, count)
	}
	return release, err
}
