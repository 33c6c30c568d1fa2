package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"checkout/till/payments"
)

// errOver says that a transaction was used after its change had returned.
var errOver = errors.New("the transaction is over")

// session is one connection with its prepared statements. Only one goroutine
// uses it at a time.
type session struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt // Nil where the driver caches statements itself.
}

func newSession(ctx context.Context, pool *sql.DB, prepared bool) (*session, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	s := &session{conn: conn}
	if prepared {
		s.prepared = make(map[string]*sql.Stmt)
	}
	return s, nil
}

// query runs a query, prepared once on the connection.
func (s *session) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if s.prepared == nil {
		return s.conn.QueryContext(ctx, text, args...)
	}
	stmt, err := s.prepare(ctx, text) //nolint:sqlclosecheck // It is kept; discard closes it.
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// exec runs a statement, prepared once on the connection, and returns how many
// rows it wrote.
func (s *session) exec(ctx context.Context, text string, args ...any) (written int64, err error) {
	var result sql.Result
	if s.prepared == nil {
		result, err = s.conn.ExecContext(ctx, text, args...)
	} else if stmt, unprepared := s.prepare(ctx, text); unprepared == nil { //nolint:sqlclosecheck // As above.
		result, err = stmt.ExecContext(ctx, args...)
	} else {
		err = unprepared
	}
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (s *session) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if stmt, found := s.prepared[text]; found {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, text)
	if err == nil {
		s.prepared[text] = stmt
	}
	return stmt, err
}

// release gives the connection back to its pool; sound says that it has no
// transaction and no error on it. The database rolls back what is open on a
// connection that is closed.
func (s *session) release(sound bool) {
	for _, stmt := range s.prepared {
		_ = stmt.Close()
	}
	if !sound {
		_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = s.conn.Close()
}

// tx is a transaction of the database: the tables' functions run their
// statements in it. It implements [payments.Tx] and its parts.
type tx struct {
	ctx     func() context.Context
	session *session
	room    func() error // Why no order may be made now.
	wrote   bool         // There is something to commit.
	changed bool         // There is something that watchers want to know.
	over    bool
}

var (
	_ payments.Tx       = (*tx)(nil)
	_ payments.EventLog = (*tx)(nil)
	_ payments.Sales    = (*tx)(nil)
	_ payments.Staff    = (*tx)(nil)
)

func newTx(ctx context.Context, s *session) *tx {
	return &tx{ctx: func() context.Context { return ctx }, session: s, room: func() error { return nil }}
}

// begin begins a transaction on a connection of its own, which the caller
// releases.
func begin(ctx context.Context, pool *sql.DB, prepared bool, statement string) (*tx, error) {
	s, err := newSession(ctx, pool, prepared)
	if err != nil {
		return nil, err
	}
	if _, err := s.conn.ExecContext(ctx, statement); err != nil {
		s.release(false)
		return nil, fmt.Errorf("begin: %w", err)
	}
	return newTx(ctx, s), nil
}

// runGuarded runs a change in a transaction and turns its panic into an error.
func runGuarded(change func(*tx) error, t *tx) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic in a change: %v", value)
		}
	}()
	return change(t)
}

// query runs a query.
func (t *tx) query(text string, args ...any) (*sql.Rows, error) {
	if t.over {
		return nil, errOver
	}
	return t.session.query(t.ctx(), text, args...)
}

// exec runs a statement that changes what watchers see, and returns how many
// rows it wrote.
func (t *tx) exec(text string, args ...any) (int64, error) {
	if t.over {
		return 0, errOver
	}
	written, err := t.session.exec(t.ctx(), text, args...)
	t.note(written)
	return written, err
}

// note records that rows were written, so that there is something to commit and
// to notify of.
func (t *tx) note(written int64) {
	t.wrote = t.wrote || written > 0
	t.changed = t.changed || written > 0
}

// scanFunc reads a row, like [sql.Rows.Scan].
type scanFunc func(dest ...any) error

// each calls see for each row of a query until it returns false.
func each[T any](t *tx, scan func(scanFunc) (T, error), see func(T) bool, text string, args ...any) error {
	rows, err := t.query(text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		value, err := scan(rows.Scan)
		if err != nil {
			return err
		}
		if !see(value) {
			return nil
		}
	}
	return rows.Err()
}

// list returns all rows of a query.
func list[T any](t *tx, scan func(scanFunc) (T, error), text string, args ...any) (found []T, err error) {
	err = each(t, scan, func(value T) bool {
		found = append(found, value)
		return true
	}, text, args...)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// readAll returns all rows of a query, in a transaction of its own.
func readAll[T any](ctx context.Context, s *Store, what string, scan func(scanFunc) (T, error), text string, args ...any) (found []T, err error) {
	err = s.read(ctx, func(t *tx) error {
		found, err = list(t, scan, text, args...)
		return wrap(what, err)
	})
	return found, err
}

// wrap adds to an error what failed; nil stays nil.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// one returns the first row of a query, or [sql.ErrNoRows].
func one[T any](t *tx, scan func(scanFunc) (T, error), text string, args ...any) (value T, err error) {
	found, err := list(t, scan, text, args...)
	if err == nil && len(found) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return value, err
	}
	return found[0], nil
}

// scanOne reads a row of one column.
func scanOne[T any](scan scanFunc) (value T, err error) {
	err = scan(&value)
	return value, err
}

// cleaned is a [sql.Scanner] that sanitizes a text for display. Other programs
// may write to the database, so its texts are no more trusted than other input.
type cleaned[T ~string] struct {
	text  *T
	width int
}

// clean returns a scanner for a text of at most width terminal columns.
func clean[T ~string](text *T, width int) sql.Scanner { return cleaned[T]{text, width} }

// Scan implements [sql.Scanner].
func (c cleaned[T]) Scan(value any) error {
	switch value := value.(type) {
	case string:
		*c.text = T(payments.Clean(value, c.width))
	case []byte:
		*c.text = T(payments.Clean(string(value), c.width))
	default:
		return fmt.Errorf("a %T where a text is stored", value)
	}
	return nil
}

// Widths of texts that the domain does not bound, in terminal columns.
const (
	maxKey = 512   // Names and words that are made by programs.
	maxURL = 4_096 // A link.
)

// instant is a [sql.Scanner] for a time in milliseconds since 1970, or null.
type instant struct{ at *time.Time }

// Scan implements [sql.Scanner].
func (i instant) Scan(value any) error {
	*i.at = time.Time{}
	switch value := value.(type) {
	case nil:
	case int64:
		*i.at = time.UnixMilli(min(max(value, firstInstant), lastInstant)).UTC()
	default:
		return fmt.Errorf("a %T where a time is stored", value)
	}
	return nil
}

// The years 0 to 9999: JSON has no other, and one row that another program wrote
// must not keep the others from being printed.
const (
	firstInstant = -62_167_219_200_000
	lastInstant  = 253_402_300_799_999
)

// millis encodes a time in milliseconds since 1970, rounded down; null for the
// zero time.
func millis(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UnixMilli()
}

// placeholders returns count placeholders: $from, $from+1 and so on.
func placeholders(from, count int) string {
	var text strings.Builder
	for i := range count {
		if i > 0 {
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, "$%d", from+i)
	}
	return text.String()
}
