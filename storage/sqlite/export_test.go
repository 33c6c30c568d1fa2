package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"time"

	sqlite "modernc.org/sqlite"
)

// What the tests look at from outside.
const (
	ModeWrite   = modeWrite
	ModeRead    = modeRead
	ModeInspect = modeInspect
)

var (
	DataSource = dataSource
	Advise     = advise
	Unusable   = unusable
)

// WithNetwork replaces how a network file system is recognised.
func WithNetwork(find func(path string) (string, error)) Option {
	return func(o *options) { o.network = find }
}

// WithReserve sets how much room is kept, in bytes.
func WithReserve(size int64) Option { return func(o *options) { o.reserve = size } }

// Pools opens the pools that a store has, for tests to take all connections.
func Pools(path string) (writer, readers, follower *sql.DB, err error) {
	p, err := openPools(path, nil)
	return p.writer, p.readers, p.follower, err
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

// OpenLax opens a database that is there, and writes to it without waiting for
// the disk, as no till does: a test that must fail then shows that it can.
func OpenLax(ctx context.Context, path string) (*Store, error) {
	whole, err := Open(ctx, path) // It makes the file, or brings it forward.
	if err != nil {
		return nil, err
	}
	if err := whole.Close(); err != nil {
		return nil, err
	}
	g, err := newGuard(path, 0)
	if err != nil {
		return nil, err
	}
	p, err := openPools(path, g)
	if err != nil {
		return nil, err
	}
	base, err := sqlite.NewConnector(dataSource(path, modeWrite))
	if err != nil {
		return nil, err
	}
	p.writer = sql.OpenDB(laxConnector{connector{Connector: base, mode: modeWrite, guard: g}})
	p.writer.SetMaxOpenConns(1)
	store, err := start(ctx, p, g, options{poll: time.Second})
	if err != nil {
		return nil, err
	}
	return &Store{Store: store, pools: p, guard: g}, nil
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
