package postgres

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// conn is a connection on which nothing waits for ever, and which finds out
// what became of a commit whose answer was lost.
type conn struct {
	*stdlib.Conn
	connector connector
	pooled    bool   // A pooler stands between this and the server.
	number    string // Of the writing transaction; empty when it is none.
}

var (
	_ driver.QueryerContext     = (*conn)(nil)
	_ driver.ExecerContext      = (*conn)(nil)
	_ driver.ConnPrepareContext = (*conn)(nil)
)

// statement is a text that is prepared when it runs first, in the way that the
// connection allows.
type statement struct {
	conn *conn
	text string
}

// PrepareContext asks the server nothing.
func (c *conn) PrepareContext(_ context.Context, text string) (driver.Stmt, error) {
	return statement{c, text}, nil
}

// Close leaves what the connection has prepared: it is used again or closed.
func (statement) Close() error { return nil }

// NumInput says that the server counts the parameters.
func (statement) NumInput() int { return -1 }

var errContext = errors.New("a statement needs a context")

// Exec is not used.
func (statement) Exec([]driver.Value) (driver.Result, error) { return nil, errContext }

// Query is not used.
func (statement) Query([]driver.Value) (driver.Rows, error) { return nil, errContext }

// ExecContext runs the statement.
func (s statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.text, args)
}

// QueryContext runs the query.
func (s statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.text, args)
}

// ExecContext runs a statement.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	limited, cancel := c.limit(ctx)
	defer cancel()
	if strings.HasPrefix(text, "BEGIN") {
		return driver.RowsAffected(0), c.explain(ctx, limited, c.begin(limited, text))
	}
	if text == "COMMIT" {
		return driver.RowsAffected(0), c.commit(ctx, limited)
	}
	result, err := c.Conn.ExecContext(limited, text, c.moded(args))
	return result, c.explain(ctx, limited, err)
}

// QueryContext runs a query.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	limited, cancel := c.limit(ctx)
	found, err := c.Conn.QueryContext(limited, text, c.moded(args))
	if err != nil {
		defer cancel()
		return nil, c.explain(ctx, limited, err)
	}
	return &rows{Rows: found, explain: func(err error) error { return c.explain(ctx, limited, err) }, cancel: cancel}, nil
}

// ResetSession lets a connection be used again unless it is closed. It asks the
// server nothing: the statement that begins a transaction does.
func (c *conn) ResetSession(context.Context) error {
	if c.Conn.Conn().IsClosed() {
		return driver.ErrBadConn
	}
	return nil
}

// limit bounds how long the server may be silent.
func (c *conn) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.connector.patient {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, cmp.Or(c.connector.answer, answerLimit))
}

// moded adds how a statement is run: where a pooler gives each transaction
// another connection, nothing is prepared under a name.
func (c *conn) moded(args []driver.NamedValue) []driver.NamedValue {
	if !c.pooled {
		return args
	}
	moded := make([]driver.NamedValue, 0, len(args)+1)
	moded = append(moded, driver.NamedValue{Ordinal: 1, Value: pgx.QueryExecModeCacheDescribe})
	for _, arg := range args {
		arg.Ordinal++
		moded = append(moded, arg)
	}
	return moded
}

// begin begins a transaction, and keeps its number when it has one.
func (c *conn) begin(ctx context.Context, text string) error {
	c.number = ""
	if c.pooled {
		begin, rest, _ := strings.Cut(text, ";")
		text = begin + "; " + c.connector.limits("LOCAL ") + ";" + rest
	}
	results, err := c.Conn.Conn().PgConn().Exec(ctx, text).ReadAll()
	if err != nil {
		return err
	}
	number, safety, writes := strings.Cut(single(results), " ")
	if !writes || !decimal(number) {
		return nil
	}
	c.number = number
	return checkSafety(safety)
}

// single returns the only value of the last result.
func single(results []*pgconn.Result) string {
	if len(results) == 0 {
		return ""
	}
	last := results[len(results)-1]
	if len(last.Rows) != 1 || len(last.Rows[0]) != 1 {
		return ""
	}
	return string(last.Rows[0][0])
}

func decimal(text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil
}

// commit commits. When its answer is lost, the server is asked what became of
// the transaction.
func (c *conn) commit(ctx, limited context.Context) error {
	tag, err := c.Conn.Conn().PgConn().Exec(limited, "COMMIT").ReadAll()
	if err == nil {
		// A transaction in which something failed is not committed, which is no
		// error to the server.
		if len(tag) == 1 && tag[0].CommandTag.String() == "COMMIT" {
			return nil
		}
		return errAborted
	}
	err = c.explain(ctx, limited, err)
	if c.number == "" || !errors.Is(err, errLost) {
		return err
	}
	committed, unknown := c.connector.outcome(context.WithoutCancel(ctx), c.number)
	switch {
	case unknown != nil:
		return fmt.Errorf("%w, and it is not known whether it was committed (%w)", err, unknown)
	case committed:
		return nil
	}
	return fmt.Errorf("%w: %w", errAborted, err)
}

// outcome asks what became of a transaction, until the server knows.
func (c connector) outcome(ctx context.Context, number string) (committed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.answer, answerLimit))
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		var status string
		status, err = c.status(ctx, number)
		switch status {
		case "committed":
			return true, nil
		case "aborted":
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, errors.Join(ErrSilent, err)
		case <-ticker.C:
		}
	}
}

// status returns how a transaction stands, empty when the server is too young
// to know.
func (c connector) status(ctx context.Context, number string) (status string, err error) {
	plain, err := pgx.ConnectConfig(ctx, c.config.Copy())
	if err != nil {
		return "", discreet(connectError(err), c.config)
	}
	defer leave(ctx, plain)
	results, err := plain.PgConn().Exec(ctx, "SELECT pg_xact_status('"+number+"')").ReadAll()
	if err != nil {
		return "", err
	}
	return single(results), nil
}

// leave closes a connection without waiting for a server that is not there.
func leave(ctx context.Context, plain *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = plain.Close(ctx) // It is of no more use either way.
}

// explain says of an error whether the connection was lost with it, and leaves
// to the caller's context what is the caller's.
func (c *conn) explain(ctx, limited context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", errLost, ErrSilent)
	case errors.Is(err, driver.ErrBadConn):
		return errLost // Not the driver's own, after which database/sql would begin again.
	case c.Conn.Conn().IsClosed() || fatal(err):
		return fmt.Errorf("%w: %w", errLost, discreet(err, c.connector.config))
	}
	return err
}

// fatal tells whether the server ended the connection with an error.
func fatal(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (failure.Severity == "FATAL" || failure.Severity == "PANIC")
}

// rows are a query's, within its limit.
type rows struct {
	driver.Rows
	explain func(error) error
	cancel  context.CancelFunc
}

// Next reads the next row.
func (r *rows) Next(values []driver.Value) error {
	err := r.Rows.Next(values)
	if err == io.EOF { //nolint:errorlint // The end; one that holds it is a connection's.
		return err
	}
	return r.explain(err)
}

// Close ends the query.
func (r *rows) Close() error {
	defer r.cancel()
	return r.explain(r.Rows.Close())
}
