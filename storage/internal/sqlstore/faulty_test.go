package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
)

// faulty opens SQLite connections whose statements a test watches and fails.
type faulty struct {
	driver driver.Driver
	name   string

	mu sync.Mutex
	// before is called with each statement before it runs. Its error is what
	// the statement returns instead. Another statement may be run first.
	before func(text string, run func(text string)) error
	opened int
	ran    []string
	made   []string
}

func (f *faulty) Driver() driver.Driver { return f.driver }

func (f *faulty) Connect(context.Context) (driver.Conn, error) {
	conn, err := f.driver.Open(f.name)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened++
	return &faultyConn{Conn: conn, f: f}, err
}

// count returns how often statements that begin with a text have run.
func (f *faulty) count(text string) int { return f.among(&f.ran, text) }

// prepared returns how often such statements were prepared.
func (f *faulty) prepared(text string) int { return f.among(&f.made, text) }

func (f *faulty) among(statements *[]string, text string) (count int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, statement := range *statements {
		if strings.HasPrefix(statement, text) {
			count++
		}
	}
	return count
}

// reset forgets what has run.
func (f *faulty) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ran, f.opened = nil, 0
}

// fail sets what is called before each statement.
func (f *faulty) fail(before func(text string, run func(text string)) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = before
}

type faultyConn struct {
	driver.Conn
	f *faulty
}

func (c *faultyConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	stmt, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	c.f.made = append(c.f.made, text)
	return &faultyStmt{Stmt: stmt, c: c, text: text}, nil
}

type faultyStmt struct {
	driver.Stmt
	c    *faultyConn
	text string
}

func (s *faultyStmt) begin() error {
	s.c.f.mu.Lock()
	before := s.c.f.before
	s.c.f.ran = append(s.c.f.ran, s.text)
	s.c.f.mu.Unlock()
	if before == nil {
		return nil
	}
	return before(s.text, func(text string) {
		_, _ = s.c.Conn.(driver.ExecerContext).ExecContext(context.Background(), text, nil)
	})
}

func (s *faultyStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	if err := s.begin(); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (s *faultyStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if err := s.begin(); err != nil {
		return nil, err
	}
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

// errLost is what a statement returns whose connection was lost before.
var errLost = errors.New("the connection was lost")

// dialect is SQLite's, as far as these tests need it.
type dialect struct{}

func (dialect) BeginWrite() string { return "BEGIN IMMEDIATE" }
func (dialect) BeginRead() string  { return "BEGIN" }
func (dialect) ForUpdate() string  { return "" }
func (dialect) Version() string    { return "PRAGMA user_version" }
func (dialect) SetVersion(version int) string {
	return "PRAGMA user_version = " + string(rune('0'+version))
}

func (dialect) Fault(error) bool { return false }

func (dialect) Grams() sqlstore.Grams {
	return sqlstore.Grams{
		Add:   `INSERT INTO order_grams (rowid, grams) VALUES ($1, $2)`,
		Tidy:  `INSERT INTO order_grams (order_grams, rank) VALUES ('merge', 16)`,
		Table: `order_grams`,
		Match: func(parameter string) string { return `order_grams MATCH ` + parameter },
		Query: func(runs []string) string {
			query := `"` + strings.Join(runs, `" AND "`) + `"`
			if sqlstore.Short(runs) {
				query += " *"
			}
			return query
		},
	}
}

func (dialect) Lost(err error) bool { return errors.Is(err, errLost) }

// pool returns connections to a file that a test watches.
func pool(t testing.TB, path string, size int) (*sql.DB, *faulty) {
	t.Helper()
	plain, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	f := &faulty{driver: plain.Driver(), name: "file:" + path + "?_busy_timeout=5000&_journal_mode=WAL"}
	db := sql.OpenDB(f)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(-1)
	t.Cleanup(func() { _ = db.Close() })
	return db, f
}

// empty makes an empty database and returns its file.
func empty(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "till.db")
	store, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a store on connections that can be failed.
func open(t testing.TB, path string) (store *sqlstore.Store, writer, reader *faulty) {
	t.Helper()
	writers, writer := pool(t, path, 1)
	readers, reader := pool(t, path, sqlstore.ReaderCount)
	store, err := sqlstore.New(t.Context(), sqlstore.Config{Writer: writers, Readers: readers, Dialect: dialect{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store, writer, reader
}

// number takes a number of a series in a change.
func number(series string) func(payments.Tx) error {
	return func(tx payments.Tx) error {
		_, err := tx.Sales().NextNumber(series)
		return err
	}
}

// taken returns how many numbers of a series were taken and kept.
func taken(t testing.TB, store *sqlstore.Store, series string) (count int64) {
	t.Helper()
	undo := context.Canceled
	err := store.Update(t.Context(), func(tx payments.Tx) (err error) {
		if count, err = tx.Sales().NextNumber(series); err != nil {
			return err
		}
		return undo
	})
	if err != undo { //nolint:errorlint // It is returned as it is.
		t.Fatal(err)
	}
	return count - 1
}
