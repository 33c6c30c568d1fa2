package sqlstore

import (
	"context"
	"database/sql"
	"errors"
)

// Statement is an SQL statement that a [SendFunc] runs, with a function that receives its rows.
type Statement struct {
	What string // Name of the step, for errors.
	Text string
	Args []any
	// Row is called for each row until it returns false or an error. It is nil for a
	// statement that returns no rows.
	Row     func(scan func(places ...any) error) (more bool, err error)
	Written int64 // Number of written rows; set by [SendFunc] if Row is nil.
	change  bool  // Whether the watchers are notified if the statement writes rows.
}

// SendFunc runs statements in order and stops at the first one that fails. It returns the error of
// that statement. If the connection was lost in the round trip that begins the transaction, the
// error may wrap [ErrStale].
type SendFunc func(ctx context.Context, conn *sql.Conn, statements []*Statement) error

// ErrStale says that the connection was lost in the round trip that begins the transaction, usually
// because it was lost while idle. Nothing was committed, so the transaction can be repeated on
// another connection.
var ErrStale = errors.New("the connection was lost while it was idle")

// sendEach is the [SendFunc] of a dialect that sets no Send. It sends each statement in a separate
// round trip.
func sendEach(ctx context.Context, conn *sql.Conn, statements []*Statement) error {
	for _, s := range statements {
		if err := s.run(ctx, conn); err != nil {
			return wrap(s.What, err)
		}
	}
	return nil
}

func (s *Statement) run(ctx context.Context, conn *sql.Conn) error {
	if s.Row == nil {
		result, err := conn.ExecContext(ctx, s.Text, s.Args...)
		if err == nil {
			s.Written, err = result.RowsAffected()
		}
		return err
	}
	rows, err := conn.QueryContext(ctx, s.Text, s.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if more, err := s.Row(rows.Scan); err != nil || !more {
			return err
		}
	}
	return rows.Err()
}
