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

	sqlite "modernc.org/sqlite"
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
		"_txlock":       {"immediate"},
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
		query.Set("_txlock", "deferred")
	default:
		query.Set("_journal_mode", "WAL")
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode()
}

// openPool returns a pool that keeps no idle connection: who has one keeps it
// for as long as it is good, and what is given back is closed.
// A guard may be nil.
func openPool(path string, m mode, size int, g *guard) (*sql.DB, error) {
	base, err := sqlite.NewConnector(dataSource(path, m))
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(connector{Connector: base, mode: m, guard: g})
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(-1)
	return pool, nil
}

// connector opens connections and refuses those on which a setting that
// protects the data did not take.
type connector struct {
	driver.Connector
	mode  mode
	guard *guard
}

// Connect opens a connection and reads its settings back. A database that bears
// its name no longer is the error, also when it went in the middle.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.guard == nil {
		return c.open(ctx)
	}
	if err := c.guard.inPlace(); err != nil {
		return nil, err
	}
	conn, err := c.open(ctx)
	if err != nil {
		if moved := c.guard.inPlace(); moved != nil {
			return nil, moved
		}
	}
	return conn, err
}

func (c connector) open(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	checked := conn
	if err = c.check(ctx, conn); err == nil && c.guard != nil {
		checked, err = c.admit(ctx, conn)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return checked, nil
}

// admit lets the guard see a connection, once reading has made it open the log.
func (c connector) admit(ctx context.Context, conn driver.Conn) (driver.Conn, error) {
	if _, err := pragma(ctx, conn, "schema_version"); err != nil {
		return nil, err
	}
	return c.guard.admit(conn)
}

func (c connector) check(ctx context.Context, conn driver.Conn) error {
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
