package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"modernc.org/sqlite"
)

// What the tests look at from outside.
const (
	ModeRead  = modeRead
	ModeWrite = modeWrite
	ModeTool  = modeTool
)

type (
	// Options are what tests replace.
	Options = options
	// Mode is what a connection may do.
	Mode = mode
)

// What the tests use from outside.
var (
	DataSource = dataSource
	OpenPool   = openPool
)

// OpenWith opens a database with other options.
func OpenWith(ctx context.Context, path string, changes ...func(*Options)) (*Store, error) {
	chosen := defaults()
	for _, change := range changes {
		change(&chosen)
	}
	return openWith(ctx, path, chosen)
}

// Connect opens a connection by a name of the driver and lets it be checked
// like a store's.
func Connect(ctx context.Context, name string) error {
	base, err := sqlite.NewConnector(name)
	if err != nil {
		return err
	}
	_, err = connector{Connector: base, mode: modeWrite}.Connect(ctx)
	return err
}

// Lax lets commits not wait for the disk, as no till does: a test that must fail
// then shows that it can.
func Lax(o *Options) {
	o.Pool = func(path string, m mode, size int, _ func() error) (*sql.DB, error) {
		pool, err := sql.Open("sqlite", strings.Replace(dataSource(path, m), "FULL", "NORMAL", 1))
		if err == nil {
			pool.SetMaxOpenConns(size)
		}
		return pool, err
	}
}
