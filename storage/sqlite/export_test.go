package sqlite

import (
	"context"
	"database/sql"

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
