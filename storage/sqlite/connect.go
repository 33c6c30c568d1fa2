package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// busyTimeout is how long a connection waits for another process's lock, in
// milliseconds.
const busyTimeout = 5000

// mode is what a connection may do.
type mode string

// None of the modes makes a file that is not there: a database that was deleted
// under a running till must not come back empty.
const (
	modeWrite   mode = "rw"
	modeRead    mode = "ro"
	modeInspect mode = "inspect" // Only looks, and sets nothing that stays in the file.
	modeCopy    mode = "copy"    // Reads it, to write another file.
)

// dataSource returns the driver's name for a connection. It begins with file:,
// for the driver ignores the mode of a plain path.
func dataSource(path string, m mode) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/till.db
	}
	query := url.Values{
		"mode":          {string(m)},
		"_busy_timeout": {fmt.Sprint(busyTimeout)},
		"_synchronous":  {"FULL"},
		"_foreign_keys": {"1"},
		"_defensive":    {"1"},
		"_dqs":          {"0"},
		"_error_rc":     {"1"},
		"_query_only":   {"0"},
	}
	switch m {
	case modeInspect:
		query.Set("mode", string(modeWrite))
		query.Set("_query_only", "1")
	case modeCopy:
		query.Set("mode", string(modeRead))
	case modeRead:
		query.Set("_query_only", "1")
	default:
		query.Set("_journal_mode", "WAL")
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode()
}

// openPool returns a pool that keeps its connections. check is asked before each
// is opened, and may be nil.
func openPool(path string, m mode, size int, check func() error) (*sql.DB, error) {
	base, err := sqlite.NewConnector(dataSource(path, m))
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(connector{Connector: base, mode: m, check: check})
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool, nil
}

// connector opens connections and refuses those on which a setting that
// protects the data did not take.
type connector struct {
	driver.Connector
	mode  mode
	check func() error
}

// Connect opens a connection and reads its settings back.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.check != nil {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.readBack(ctx, conn); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func (c connector) readBack(ctx context.Context, conn driver.Conn) error {
	if c.mode == modeInspect || c.mode == modeCopy {
		return nil
	}
	readOnly := int64(0)
	if c.mode == modeRead {
		readOnly = 1
	}
	for _, setting := range []struct {
		name string
		want driver.Value
	}{
		{"journal_mode", "wal"},
		{"synchronous", int64(2)}, // FULL
		{"busy_timeout", int64(busyTimeout)},
		{"foreign_keys", int64(1)},
		{"query_only", readOnly},
	} {
		got, err := pragma(ctx, conn, setting.name)
		if err != nil {
			return fmt.Errorf("read back %s: %w", setting.name, err)
		}
		if got != setting.want {
			return fmt.Errorf("%w: %s is %v, not %v", ErrUnsafe, setting.name, got, setting.want)
		}
	}
	return nil
}

// pragma reads one setting of a connection.
func pragma(ctx context.Context, conn driver.Conn, name string) (driver.Value, error) {
	queryer, ok := conn.(driver.QueryerContext)
	if !ok {
		return nil, errors.New("the driver cannot query")
	}
	rows, err := queryer.QueryContext(ctx, "PRAGMA "+name, nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	value := make([]driver.Value, len(rows.Columns()))
	if err := rows.Next(value); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(value) != 1 {
		return nil, errors.New("there is no such setting")
	}
	return value[0], nil
}
