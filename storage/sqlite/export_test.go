package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"modernc.org/sqlite"
)

// What the tests look at from outside.
const (
	ModeWrite   = modeWrite
	ModeRead    = modeRead
	ModeInspect = modeInspect
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
		o.pool = func(path string, m mode, size int, check func() error) (*sql.DB, error) {
			if m != modeWrite {
				return openPool(path, m, size, check)
			}
			base, err := sqlite.NewConnector(dataSource(path, m))
			if err != nil {
				return nil, err
			}
			pool := sql.OpenDB(laxConnector{connector{Connector: base, mode: m}})
			pool.SetMaxOpenConns(size)
			return pool, nil
		}
	}
}

// laxConnector takes back what a connector has made sure of.
type laxConnector struct{ connector }

func (c laxConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := pragma(ctx, conn, "synchronous = NORMAL"); err != nil && err.Error() != "there is no such setting" {
		conn.Close()
		return nil, err
	}
	if set, err := pragma(ctx, conn, "synchronous"); set != int64(1) {
		conn.Close()
		return nil, fmt.Errorf("synchronous is %v (%w)", set, err)
	}
	return conn, nil
}
