package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// queryFunc runs a query, prepared once on its connection, inside the
// transaction that it was made for.
type queryFunc func(query string, args ...any) (*sql.Rows, error)

// scanFunc reads a row, like [sql.Rows.Scan].
type scanFunc func(dest ...any) error

// session is one connection with the statements that were prepared on it. Only
// one goroutine uses it at a time.
type session struct {
	conn     *sql.Conn
	prepared map[string]*sql.Stmt // Queries of rows.
	own      map[string]statement // All else.
	values   []driver.NamedValue  // Of the own statement that runs.
	saves    map[uint32]string    // What [saveState] made.
}

func newSession(ctx context.Context, pool *sql.DB) (*session, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &session{conn: conn, prepared: map[string]*sql.Stmt{}, own: map[string]statement{}, saves: map[uint32]string{}}, nil
}

// fresh tells whether the connection has not been used.
func (s *session) fresh() bool { return len(s.prepared) == 0 && len(s.own) == 0 }

// saving returns [saveState] of columns, made once.
func (s *session) saving(columns uint32) string {
	text, found := s.saves[columns]
	if !found {
		text = saveState(columns)
		s.saves[columns] = text
	}
	return text
}

// query returns the prepared query of a text.
func (s *session) query(ctx context.Context, text string) (*sql.Stmt, error) {
	if stmt, found := s.prepared[text]; found {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	s.prepared[text] = stmt
	return stmt, nil
}

// first runs a statement once, and returns the first number of its result, or 0
// when there is none.
func (s *session) first(ctx context.Context, text string) (number int64, err error) {
	rows, err := s.conn.QueryContext(ctx, text)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	values := make([]any, len(columns))
	for i := range values {
		values[i] = new(any)
	}
	if len(values) > 0 {
		values[0] = &number
	}
	for first := true; rows.Next(); first = false {
		if err := rows.Scan(values...); first && err != nil {
			return 0, err
		}
	}
	return number, rows.Err()
}

// querying returns how to run queries in ctx.
func (s *session) querying(ctx context.Context) queryFunc {
	return func(text string, args ...any) (*sql.Rows, error) {
		stmt, err := s.query(ctx, text) //nolint:sqlclosecheck // It is kept; drop closes it.
		if err != nil {
			return nil, err
		}
		return stmt.QueryContext(ctx, args...)
	}
}

// drop closes the connection; the database takes an open transaction back.
func (s *session) drop() {
	_ = s.conn.Raw(func(any) error {
		for _, stmt := range s.own {
			_ = stmt.Close()
		}
		return nil
	})
	for _, stmt := range s.prepared {
		stmt.Close()
	}
	s.conn.Close()
}

// list returns all rows of a query.
func list[T any](query queryFunc, scan func(scanFunc) (T, error), text string, args ...any) ([]T, error) {
	rows, err := query(text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []T
	for rows.Next() {
		value, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		found = append(found, value)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return found, nil
}

// one returns the first row of a query, or [sql.ErrNoRows].
func one[T any](query queryFunc, scan func(scanFunc) (T, error), text string, args ...any) (T, error) {
	found, err := list(query, scan, text, args...)
	if err == nil && len(found) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		var none T
		return none, err
	}
	return found[0], nil
}

func scanInt(scan scanFunc) (value int64, err error) {
	err = scan(&value)
	return value, err
}

// missing tells whether a query found no row.
func missing(err error) bool { return errors.Is(err, sql.ErrNoRows) }
