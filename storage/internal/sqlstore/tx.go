package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"checkout/till/payments"
)

// errOver says that a transaction was used after its change had returned.
var errOver = errors.New("the transaction is over")

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

// connected begins something on the writing connection, and where that was lost
// since the last time, on another one.
func (s *Store) connected(ctx context.Context, begin func(*tx) error) (err error) {
	for kept := s.conn != nil; ; kept = false {
		if s.conn == nil {
			if s.conn, err = connect(ctx, s.pools.Load().Writer, s.config.Dialect.Prepares); err != nil {
				return err
			}
		}
		if err = begin(newTx(ctx, s.conn)); err == nil {
			return nil
		}
		s.drop(false)
		if !kept || !s.config.Dialect.Lost(err) {
			return err
		}
	}
}

// drop gives the writing connection back; sound says that nothing is open on it.
func (s *Store) drop(sound bool) {
	if s.conn != nil {
		s.conn.release(sound)
		s.conn = nil
	}
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
