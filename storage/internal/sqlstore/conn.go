package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
)

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
