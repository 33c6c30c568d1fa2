package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// statement is a statement as the driver has prepared it, to be run without
// what database/sql does for each call, which was a twentieth of the processor
// time of an event. It is used only inside [sql.Conn.Raw] of its connection.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// ready returns the statement of a text, prepared once, and binds the values of
// a call.
func (s *session) ready(ctx context.Context, text string, args []any) (stmt statement, err error) {
	stmt, found := s.own[text]
	if !found {
		if stmt, err = prepare(ctx, s.conn, text); err != nil {
			return nil, err
		}
		s.own[text] = stmt
	}
	return stmt, s.bind(args)
}

func prepare(ctx context.Context, conn *sql.Conn, text string) (stmt statement, err error) {
	err = conn.Raw(func(conn any) error {
		maker, ok := conn.(driver.ConnPrepareContext)
		if !ok {
			return fmt.Errorf("a %T cannot prepare a statement", conn)
		}
		made, err := maker.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		if stmt, ok = made.(statement); !ok {
			return errors.Join(fmt.Errorf("a %T cannot be run", made), made.Close())
		}
		return nil
	})
	return stmt, err
}

// exec runs a statement and returns how many rows it wrote.
func (s *session) exec(ctx context.Context, text string, args ...any) (written int64, err error) {
	stmt, err := s.ready(ctx, text, args)
	if err != nil {
		return 0, err
	}
	err = s.conn.Raw(func(any) error {
		result, err := stmt.ExecContext(ctx, s.values)
		if err == nil {
			written, err = result.RowsAffected()
		}
		return err
	})
	return written, err
}

// execIn returns how to run statements in ctx.
func (s *session) execIn(ctx context.Context) func(text string, args ...any) (int64, error) {
	return func(text string, args ...any) (int64, error) { return s.exec(ctx, text, args...) }
}

// pick runs a query for one value. [sql.ErrNoRows] when it finds none.
func pick[T any](ctx context.Context, s *session, text string, args ...any) (found T, err error) {
	stmt, err := s.ready(ctx, text, args)
	if err != nil {
		return found, err
	}
	err = s.conn.Raw(func(any) error {
		rows, err := stmt.QueryContext(ctx, s.values)
		if err != nil {
			return err
		}
		found, err = firstValue[T](rows)
		return errors.Join(err, rows.Close())
	})
	return found, err
}

// firstValue reads the first row, which is one value.
func firstValue[T any](rows driver.Rows) (value T, err error) {
	row := make([]driver.Value, len(rows.Columns()))
	err = rows.Next(row)
	if err == io.EOF { //nolint:errorlint // The end; one that holds it is a connection's.
		return value, sql.ErrNoRows
	}
	if err != nil {
		return value, err
	}
	value, ok := row[0].(T)
	if !ok {
		return value, fmt.Errorf("a %T where a %T is read", row[0], value)
	}
	return value, nil
}

// bind makes the session's values those of a call, as a driver takes them. They
// are good until the next call.
func (s *session) bind(args []any) error {
	s.values = s.values[:0]
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return fmt.Errorf("value %d: %w", i+1, err)
		}
		s.values = append(s.values, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return nil
}
