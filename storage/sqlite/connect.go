package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

type mode int

// No mode creates a missing file: if the database is deleted while till runs, no empty file may
// replace it.
const (
	modeWrite mode = iota
	modeRead
	// modeTool is for calls that change no settings of the database. It opens with mode=rw, because
	// with mode=ro SQLite would not remove the log when it closes the database.
	modeTool
	// modeDraft is for a new database under its temporary name. The file is synced once, when it is
	// complete.
	modeDraft
)

// dataSource returns the driver's data source name. It begins with "file:", because the driver
// ignores the mode of a plain path.
func dataSource(path string, m mode) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // A Windows path like C:/till.db needs a slash in front.
	}
	query := url.Values{
		"mode": {"rw"}, "_busy_timeout": {"5000"}, "_synchronous": {"FULL"}, "_foreign_keys": {"1"},
		"_defensive": {"1"}, "_dqs": {"0"}, "_error_rc": {"1"},
	}
	switch m {
	case modeDraft:
		query.Set("_synchronous", "OFF")
		query.Set("_journal_mode", "WAL")
	case modeWrite:
		query.Set("_journal_mode", "WAL")
	case modeRead:
		query.Set("mode", "ro")
	case modeTool:
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode()
}

// openPool returns a pool that keeps its connections open. It calls check before it opens
// each connection.
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

// connector opens connections. Except in modeTool and modeDraft, Connect fails if a setting that
// protects the data has not taken effect.
type connector struct {
	driver.Connector
	mode  mode
	check func() error
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if c.check != nil {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	conn, err := c.Connector.Connect(ctx)
	if err != nil || c.mode == modeTool || c.mode == modeDraft {
		return conn, err
	}
	const want = "journal wal, synchronous 2, timeout 5000, foreign keys 1"
	queryer, ok := conn.(driver.QueryerContext)
	if !ok {
		return nil, errors.Join(errors.New("the driver cannot query"), conn.Close())
	}
	row := make([]driver.Value, 1)
	rows, err := queryer.QueryContext(ctx, `SELECT 'journal ' || journal_mode || ', synchronous ' || synchronous ||
		', timeout ' || timeout || ', foreign keys ' || foreign_keys
		FROM pragma_journal_mode, pragma_synchronous, pragma_busy_timeout, pragma_foreign_keys`, nil)
	if err == nil {
		err = errors.Join(rows.Next(row), rows.Close())
	}
	if err != nil {
		err = fmt.Errorf("read the settings back: %w", err)
	} else if row[0] != want {
		err = fmt.Errorf("%w: its settings are %s, not %s", ErrUnsafe, row[0], want)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return preparer{conn, make(map[string]driver.Stmt)}, nil
}

// maxPrepared is the maximum number of prepared statements that a connection keeps. The limit is
// needed because each combination of filters makes another statement.
const maxPrepared = 200

// preparer is a connection that keeps its prepared statements open. Most changes and reads use the
// same few statements, and parsing a statement takes longer than running it.
type preparer struct {
	driver.Conn
	statements map[string]driver.Stmt
}

func (p preparer) Prepare(text string) (driver.Stmt, error) {
	if kept, found := p.statements[text]; found {
		return prepared{kept}, nil
	}
	made, err := p.Conn.Prepare(text)
	if err != nil || len(p.statements) == maxPrepared {
		return made, err
	}
	p.statements[text] = made
	return prepared{made}, nil
}

func (p preparer) Close() error {
	for _, kept := range p.statements {
		_ = kept.Close()
	}
	return p.Conn.Close()
}

// prepared is a statement that preparer keeps open.
type prepared struct{ driver.Stmt }

func (p prepared) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return p.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args) //nolint:forcetypeassert // The statements of the SQLite driver have this method.
}

// Close does nothing: the connection closes the statement.
func (prepared) Close() error { return nil }
