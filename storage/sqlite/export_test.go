package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"modernc.org/sqlite"
)

// Exported for the tests.
const (
	ModeWrite = modeWrite
	ModeTool  = modeTool
)

// Options are the values that tests can replace.
type Options = options

// DataSource is exported for the tests.
var DataSource = dataSource

// OpenWith opens a database with changed options.
func OpenWith(ctx context.Context, path string, changes ...func(*Options)) (*Store, error) {
	chosen := defaults()
	for _, change := range changes {
		change(&chosen)
	}
	return openWith(ctx, path, chosen)
}

// Connect opens a connection with a data source name and runs the store's checks of it.
func Connect(ctx context.Context, name string) error {
	base, err := sqlite.NewConnector(name)
	if err != nil {
		return err
	}
	_, err = connector{Connector: base, mode: modeWrite}.Connect(ctx)
	return err
}

// Lax sets synchronous=NORMAL, so that a commit does not wait for the disk. Only a test uses it, to
// show that the crash test can fail.
func Lax(o *Options) {
	o.Pool = func(path string, m mode, size int, _ func() error) (*sql.DB, error) {
		pool, err := sql.Open("sqlite", strings.Replace(dataSource(path, m), "FULL", "NORMAL", 1))
		if err == nil {
			pool.SetMaxOpenConns(size)
		}
		return pool, err
	}
}
