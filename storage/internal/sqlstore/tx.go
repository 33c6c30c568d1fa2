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

// errOver says that a change used its transaction after it had returned.
var errOver = errors.New("transaction used after it ended")

// tx is a database transaction. The functions for each table run their statements in it.
// [payments.Tx] documents its exported methods.
type tx struct {
	ctx     context.Context //nolint:containedctx // A tx lives for one call; payments.Tx takes no contexts.
	conn    *sql.Conn
	room    func() error // Checks that the disk has room for a new order; see [Config].Room. May be nil.
	changed bool         // Whether the watchers must be notified.
	over    bool         // Whether the change has returned; all statements fail then.
}

var _ payments.Tx = (*tx)(nil)

// begin begins a transaction with the given statement, on a separate connection. The caller
// releases it.
func begin(ctx context.Context, pool *sql.DB, statement string) (*tx, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	t := &tx{ctx: ctx, conn: conn}
	if err := t.write("begin", statement); err != nil {
		t.release(false)
		return nil, err
	}
	return t, nil
}

// release returns the connection to its pool if sound is true: the transaction ended
// without an error. Otherwise it closes the connection, and the database rolls back.
func (t *tx) release(sound bool) {
	if !sound {
		_ = t.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = t.conn.Close()
}

// run runs a change and converts a panic in it to an error. Afterwards the tx cannot be
// used.
func (t *tx) run(change func(*tx) error) (err error) {
	defer func() {
		t.over = true
		if value := recover(); value != nil {
			err = fmt.Errorf("panic in a change: %v", value)
		}
	}()
	return change(t)
}

// exec runs a statement and returns how many rows it wrote. An error begins with what, the
// name of the step.
func (t *tx) exec(what, text string, args ...any) (written int64, err error) {
	if t.over {
		return 0, errOver
	}
	result, err := t.conn.ExecContext(t.ctx, text, args...)
	if err == nil {
		written, err = result.RowsAffected()
	}
	t.note(written)
	return written, wrap(what, err)
}

// write is exec without the number of rows.
func (t *tx) write(what, text string, args ...any) error {
	_, err := t.exec(what, text, args...)
	return err
}

func (t *tx) note(written int64) { t.changed = t.changed || written > 0 }

// each calls see for each row of a query until see returns false. columns returns pointers
// for the row's columns, as [sql.Rows.Scan] takes them.
func each[T any](t *tx, what string, columns func(*T) []any, see func(T) bool, text string, args ...any) error {
	if t.over {
		return errOver
	}
	rows, err := t.conn.QueryContext(t.ctx, text, args...)
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

// wrap adds the failed step to an error; nil remains nil.
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
