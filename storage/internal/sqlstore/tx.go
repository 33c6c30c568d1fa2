package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"checkout/till/payments"
)

// errOver says that a transaction was used after its change had returned.
var errOver = errors.New("the transaction is over")

// conn is one connection with its prepared statements. Only one goroutine uses
// it at a time.
type conn struct {
	*sql.Conn
	prepared map[string]*sql.Stmt // Nil where the driver caches statements itself.
}

func connect(ctx context.Context, pool *sql.DB, prepares bool) (*conn, error) {
	taken, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	c := &conn{Conn: taken}
	if prepares {
		c.prepared = make(map[string]*sql.Stmt)
	}
	return c, nil
}

// prepare prepares a statement, once.
func (c *conn) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if stmt, found := c.prepared[text]; found {
		return stmt, nil
	}
	stmt, err := c.PrepareContext(ctx, text)
	if err == nil {
		c.prepared[text] = stmt
	}
	return stmt, err
}

func (c *conn) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	if c.prepared == nil {
		return c.QueryContext(ctx, text, args...)
	}
	stmt, err := c.prepare(ctx, text) //nolint:sqlclosecheck // It is kept; release closes it.
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

func (c *conn) exec(ctx context.Context, text string, args []any) (sql.Result, error) {
	if c.prepared == nil {
		return c.ExecContext(ctx, text, args...)
	}
	stmt, err := c.prepare(ctx, text) //nolint:sqlclosecheck // As above.
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// release gives the connection back to its pool; sound says that it has no
// transaction and no error on it. The database rolls back what is open on a
// connection that is closed.
func (c *conn) release(sound bool) {
	for _, stmt := range c.prepared {
		_ = stmt.Close()
	}
	if !sound {
		_ = c.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = c.Close()
}

// tx is a transaction of the database: the tables' functions run their
// statements in it. It implements [payments.Tx] and its parts.
type tx struct {
	ctx     func() context.Context
	conn    *conn
	room    func() error // See [Config]; may be nil.
	changed bool         // There is something that watchers want to know.
	over    bool
}

var _ payments.Tx = (*tx)(nil)

func newTx(ctx context.Context, c *conn) *tx {
	return &tx{ctx: func() context.Context { return ctx }, conn: c}
}

// begin begins a transaction on a connection of its own, which the caller
// releases.
func begin(ctx context.Context, pool *sql.DB, prepares bool, statement string) (*tx, error) {
	c, err := connect(ctx, pool, prepares)
	if err != nil {
		return nil, err
	}
	if _, err := c.ExecContext(ctx, statement); err != nil {
		c.release(false)
		return nil, fmt.Errorf("begin: %w", err)
	}
	return newTx(ctx, c), nil
}

// run runs a change and turns its panic into an error. Then the transaction is over.
func (t *tx) run(change func(*tx) error) (err error) {
	defer func() {
		t.over = true
		if value := recover(); value != nil {
			err = fmt.Errorf("panic in a change: %v", value)
		}
	}()
	return change(t)
}

// exec runs a statement and returns how many rows it wrote; what says for its
// error what it is for.
func (t *tx) exec(what, text string, args ...any) (written int64, err error) {
	if t.over {
		return 0, errOver
	}
	result, err := t.conn.exec(t.ctx(), text, args)
	if err == nil {
		written, err = result.RowsAffected()
	}
	t.note(written)
	return written, wrap(what, err)
}

// write is exec for statements of which nobody counts the rows.
func (t *tx) write(what, text string, args ...any) error {
	_, err := t.exec(what, text, args...)
	return err
}

// note records that rows were written, of which watchers want to know.
func (t *tx) note(written int64) { t.changed = t.changed || written > 0 }

// each calls see for each row of a query until it returns false. columns returns
// where the columns of a row go, like the arguments of [sql.Rows.Scan].
func each[T any](t *tx, what string, columns func(*T) []any, see func(T) bool, text string, args ...any) error {
	if t.over {
		return errOver
	}
	rows, err := t.conn.query(t.ctx(), text, args)
	if err != nil {
		return wrap(what, err)
	}
	defer rows.Close()
	for rows.Next() {
		var row T
		if err := rows.Scan(columns(&row)...); err != nil {
			return wrap(what, err)
		}
		if !see(row) {
			return nil
		}
	}
	return wrap(what, rows.Err())
}

// list returns all rows of a query.
func list[T any](t *tx, what string, columns func(*T) []any, text string, args ...any) (found []T, err error) {
	err = each(t, what, columns, func(row T) bool {
		found = append(found, row)
		return true
	}, text, args...)
	return found, err
}

// one returns the first row of a query, or [sql.ErrNoRows].
func one[T any](t *tx, what string, columns func(*T) []any, text string, args ...any) (row T, err error) {
	found, err := list(t, what, columns, text, args...)
	if err == nil && len(found) == 0 {
		err = wrap(what, sql.ErrNoRows)
	}
	if err != nil {
		return row, err
	}
	return found[0], nil
}

// wrap adds to an error what failed; nil stays nil.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// placeholders returns count placeholders: $from, $from+1 and so on.
func placeholders(from, count int) string {
	places := make([]string, count)
	for i := range places {
		places[i] = fmt.Sprintf("$%d", from+i)
	}
	return strings.Join(places, ", ")
}
