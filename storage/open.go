// Package storage opens a shop's database, in an SQLite file or at a PostgreSQL
// server, by its address.
//
// It guarantees the durability of [payments.Store]: a change that was acknowledged
// survives a power cut. [Lock] gives a file to one process at a time.
package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

// Why people find a database unusable.
var (
	ErrFull    = sqlite.ErrFull
	ErrExists  = sqlite.ErrExists
	ErrDamaged = sqlite.ErrDamaged
)

// Store is an open database.
type Store interface {
	payments.Store
	// Probe tests the database: it commits a write, and then reads. Its error says
	// that events cannot be stored now.
	Probe(ctx context.Context) error
	// Close waits for the changes that were handed over, and closes the
	// database. The store is of no use afterwards.
	Close() error
}

// Options are how a database is opened; the zero value has the defaults.
type Options struct {
	// Marks is the folder of the markers of created databases; empty for none. A
	// database with a marker whose file is missing is [ErrGone], and is not created
	// again. The folder should be on another disk than the databases.
	Marks  string
	Server postgres.Options // For a database at a server.
}

// Open opens the database at an address: the path of an SQLite file, which is
// made if it is not there, or postgres://… for a PostgreSQL database, which must
// be there. See [sqlite.Open] and [postgres.Open] for the errors, which say what
// to do. ctx ends the opening, not the store.
func Open(ctx context.Context, address string, options Options) (Store, error) {
	if Served(address) {
		store, err := postgres.Open(ctx, address, options.Server)
		if err != nil {
			return nil, err // And no nil pointer in an interface.
		}
		return store, nil
	}
	if err := checkFile(address); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(address)
	if err != nil {
		return nil, fmt.Errorf("find the database: %w", err)
	}
	// The marker is outside of the database's folder: without it the empty mount
	// point of a missing disk would pass for the folder of a new shop.
	sum := sha256.Sum256([]byte(path))
	marker := filepath.Join(options.Marks, hex.EncodeToString(sum[:8]))
	_, missing := os.Stat(path)
	_, unmarked := os.Stat(marker)
	if options.Marks != "" && unmarked == nil && errors.Is(missing, fs.ErrNotExist) {
		return nil, fmt.Errorf("open the database %s: %w, or delete %s to begin anew", path, ErrGone, marker)
	}
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if options.Marks != "" && unmarked != nil && os.MkdirAll(options.Marks, 0o700) == nil {
		_ = os.WriteFile(marker, []byte(path+"\n"), 0o600) // Without it the database works as well.
	}
	return store, nil
}

// SchemaVersion is the version of the schema that this program writes. Every
// open store has it, whatever keeps it.
const SchemaVersion = sqlstore.SchemaVersion

// checkFile refuses an address that is not a file's.
func checkFile(address string) error {
	switch {
	case address == "":
		return errors.New("no database is named in the settings")
	case Served(address):
		return ErrServed
	}
	_, err := CheckAddress(address)
	return err
}

// ErrGone says that a database was there and is there no more, so that an empty
// one in its place would hide what was stored.
var ErrGone = errors.New("the database that was here is gone: bring it back (is its disk there?), " +
	"or put the latest backup in its place")
