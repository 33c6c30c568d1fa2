// Package storage opens a shop's database by its address: an SQLite file or a PostgreSQL database.
//
// A change that a [Store] acknowledged survives a power cut. [Lock] locks a database file for one
// process.
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
	"time"

	"checkout/till/payments/drawer"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

// Errors of packages sqlite and sqlstore, so that callers need not import those packages.
var (
	ErrFull    = sqlite.ErrFull
	ErrIO      = sqlite.ErrIO
	ErrExists  = sqlite.ErrExists
	ErrDemo    = sqlite.ErrDemo
	ErrDamaged = sqlite.ErrDamaged
	ErrHeader  = sqlite.ErrHeader
	ErrForeign = sqlite.ErrForeign
	ErrNewer   = sqlstore.ErrNewerSchema
	ErrOlder   = sqlstore.ErrOlderSchema
)

// OldSchemaError is returned if an older version of till wrote the database, and no migration can
// update the tables.
type OldSchemaError = sqlstore.OldSchemaError

// Store is an open database of a shop.
type Store interface {
	drawer.Store
	// Probe tests the database: it commits a write, and then reads. An error means that
	// events cannot be stored now.
	Probe(ctx context.Context) error
	// Close waits for the accepted changes, and closes the database. The store cannot be
	// used afterwards.
	Close() error
}

// Options configure [Open]; the zero value contains the defaults.
type Options struct {
	// Marks is the folder with a marker file for each database file that was opened; empty for no
	// markers. If a database has a marker but its file is missing, Open returns [ErrGone], because
	// a new file would hide that the data are lost. The folder should be on another disk than the
	// databases, so that the markers survive the loss of that disk.
	Marks string
	// Ahead is how far the clock of the programs that use an SQLite file is ahead of the machine's
	// clock. [Open] stores Ahead in the file; zero leaves the stored value unchanged. Only the demo
	// sets Ahead.
	Ahead  time.Duration
	Server postgres.Options
}

// Open opens the database at an address. The address is either the path of an SQLite file or the
// postgres://… URL of an existing PostgreSQL database. Open creates a missing SQLite file. It may
// return [ErrGone], [ErrAddress] and the errors of [sqlite.Open] or [postgres.Open], which say what
// to do. ctx limits the opening; the open store does not depend on it.
func Open(ctx context.Context, address string, options Options) (Store, error) {
	if IsPostgres(address) {
		store, err := postgres.Open(ctx, address, options.Server)
		if err != nil {
			return nil, err // Do not return store here: a Store that contains a nil *postgres.Store is not nil.
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
	// The marker must not be in the database's folder. If that folder's disk is not mounted, the marker
	// would be missing, too, and the empty mount point would look like the folder of a new shop.
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
	if options.Ahead != 0 {
		if err := store.SetAhead(ctx, options.Ahead); err != nil {
			return nil, errors.Join(err, store.Close())
		}
	}
	if options.Marks != "" && unmarked != nil && os.MkdirAll(options.Marks, 0o700) == nil {
		_ = os.WriteFile(marker, []byte(path+"\n"), 0o600) // The marker is optional: ignore an error.
	}
	return store, nil
}

// SchemaVersion is the version of the tables that this program writes.
const SchemaVersion = sqlstore.SchemaVersion

func checkFile(address string) error {
	switch {
	case address == "":
		return errors.New("no database is named in the settings")
	case IsPostgres(address):
		return ErrPostgres
	}
	_, err := CheckAddress(address)
	return err
}

// ErrGone says that a database file has a marker but is missing; see [Options].Marks.
var ErrGone = errors.New("the database that was here is gone: bring it back (is its disk there?), " +
	"or put the latest backup in its place")
