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

type (
	// Copied is the content of a copied shop.
	Copied = sqlstore.Copied
	// CopyProgress is how far the copying of a table is.
	CopyProgress = sqlstore.Progress
)

// ErrInUse says that other processes use a database that is to be copied: their
// later changes would be missing in the copy.
var ErrInUse = errors.New("end the consoles and the listener that use it, or copy all the same with --force")

// Copy copies a shop from one address into another: a file, or postgres://….
// The file may be missing; the database at a server must be there. The target
// must be empty. The source is read as of one moment and not changed. Both are
// compared before the copy is committed, so that it is whole or not there.
//
// [ErrInUse] says that one of them is in use; force passes over it for the
// source. [ErrVisible] says that an address has a password in it. report
// is called with the progress.
func Copy(ctx context.Context, from, to string, force bool, report func(CopyProgress)) (copied Copied, err error) {
	if err := errors.Join(CheckVisible(from), CheckVisible(to)); err != nil {
		return Copied{}, err
	}
	for _, address := range []*string{&from, &to} {
		if *address, err = CheckAddress(*address); err != nil {
			return Copied{}, err
		}
	}
	if !Served(from) {
		// Locking would make the folder.
		if _, err := os.Stat(from); err != nil {
			return Copied{}, fmt.Errorf("open the source: %w", err)
		}
	}
	release, err := claim(ctx, from, force)
	if err != nil {
		return Copied{}, fmt.Errorf("the source is in use: %w", err)
	}
	defer release()
	source, err := openEndpoint(ctx, from, false)
	if err != nil {
		return Copied{}, err
	}
	defer func() { err = errors.Join(err, source.Pool.Close()) }()
	release, err = claim(ctx, to, false)
	if err != nil {
		return Copied{}, fmt.Errorf("the target is in use: %w", err)
	}
	defer release()
	target, err := openEndpoint(ctx, to, true)
	if err != nil {
		return Copied{}, err
	}
	defer func() { err = errors.Join(err, target.Pool.Close()) }()
	return sqlstore.Copy(ctx, source, target, report)
}

func openEndpoint(ctx context.Context, address string, into bool) (sqlstore.Endpoint, error) {
	if Served(address) {
		return postgres.OpenEndpoint(ctx, address, into)
	}
	return sqlite.OpenEndpoint(ctx, address, into)
}

// claim returns [ErrInUse] for a database that others use, and locks a file
// until release is called.
func claim(ctx context.Context, address string, force bool) (release func(), err error) {
	release = func() {}
	if force {
		return release, nil
	}
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
