package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"modernc.org/sqlite"
)

// What the tests look at from outside.
const (
	ModeWrite = modeWrite
	ModeTool  = modeTool
)

// DataSource is the driver's name for a connection.
var DataSource = dataSource

// Option changes how a store works.
type Option func(*options)

// OpenWith opens a database with options.
func OpenWith(ctx context.Context, path string, opts ...Option) (*Store, error) {
	chosen := options{minimum: minimumFree, network: networkOf, pool: openPool}
	for _, opt := range opts {
		opt(&chosen)
	}
	return openWith(ctx, path, chosen)
}

// WithNetwork replaces how a network file system is recognised.
func WithNetwork(find func(path string) (string, error)) Option {
	return func(o *options) { o.network = find }
}

// WithMinimum sets how much must be free for a new order, in bytes.
func WithMinimum(bytes int64) Option { return func(o *options) { o.minimum = bytes } }

// Pools opens the pools that a store has, for tests to take all connections.
func Pools(path string) (writer, readers *sql.DB, err error) {
	if writer, err = openPool(path, modeWrite, 1, nil); err == nil {
		readers, err = openPool(path, modeRead, 4, nil)
	}
	return writer, readers, err
}

// Connect opens a connection by a name of the driver and lets it be checked
// like a store's.
func Connect(ctx context.Context, name string) error {
	base, err := sqlite.NewConnector(name)
	if err != nil {
		return err
	}
	conn, err := connector{Connector: base, mode: modeWrite}.Connect(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// Lax lets commits not wait for the disk, as no till does: a test that must fail
// then shows that it can.
func Lax() Option {
	return func(o *options) {
		o.pool = func(path string, m mode, size int, _ func() error) (*sql.DB, error) {
			base, err := sqlite.NewConnector(strings.Replace(dataSource(path, m), "FULL", "NORMAL", 1))
			if err != nil {
				return nil, err
			}
			pool := sql.OpenDB(base)
			pool.SetMaxOpenConns(size)
			return pool, nil
		}
	}
}
