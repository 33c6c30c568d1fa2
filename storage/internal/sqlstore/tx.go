package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"checkout/till/payments"
)

// errOver is returned if a change uses its transaction after the function of the change has
// returned.
var errOver = errors.New("transaction used after it ended")

// transaction is a database transaction. It queues statements until the result of one is needed,
// and then sends them in one round trip, because the database server may be far away.
type transaction struct {
	ctx     context.Context //nolint:containedctx // A transaction lives for one call; payments.Tx takes no contexts.
	conn    *sql.Conn
	send    SendFunc // As [Dialect.Send].
	queued  []*Statement
	begun   bool     // Whether any statement was sent.
	changed bool     // Whether the watchers must be notified.
	head    *headRow // The change sequence and the head of the ledger; nil until they are read.
	err     error    // First error of a statement; nothing is sent after it.
}

// tx is one change, or one read, in a transaction. The exported methods implement [payments.Tx] and
// [drawer.Tx].
type tx struct {
	*transaction
	room   func() error        // Checks that the disk has room for a new order or cash sale; nil in a read transaction.
	stored map[string]orderRow // Orders that this change has read or written; the key is the reference.
	over   bool                // Whether the function of the change has returned; later statements fail with errOver.

	// The fields below contain what this change has read; forget clears them.
	sales   map[string]saleRows       // The key is a sale ID.
	holders map[string]payments.Order // The key is an order reference; the value is the zero Order if no order has it.
}

var _ payments.Tx = (*tx)(nil)

// begin takes a connection from the pool. It queues the given statement, which begins a
// transaction, and the check of the dialect. The caller must call release.
func begin(ctx context.Context, pool *sql.DB, dialect Dialect, statement string) (*tx, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	t := newTx(&transaction{ctx: ctx, conn: conn, send: dialect.Send}, nil)
	t.queue(&Statement{What: "begin", Text: statement})
	if dialect.Check != nil {
		t.queue(dialect.Check())
	}
	return t, nil
}

func newTx(t *transaction, room func() error) *tx {
	return &tx{
		transaction: t, room: room,
		stored: make(map[string]orderRow), sales: make(map[string]saleRows), holders: make(map[string]payments.Order),
	}
}

// release gives the connection back. If sound is true, no transaction is open and the connection
// returns to its pool. Otherwise release closes the connection, so that the database rolls back.
func (t *transaction) release(sound bool) {
	if !sound {
		_ = t.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	_ = t.conn.Close()
}

// rollBack rolls the transaction back. sound is false if the connection cannot be used any more.
func (t *transaction) rollBack() (sound bool) {
	t.queued = nil
	t.err = nil
	if t.begun {
		t.queue(&Statement{What: "roll back", Text: "ROLLBACK"})
	}
	return t.flush() == nil
}

// run calls change and converts a panic to an error. Afterwards, t cannot be used.
func (t *tx) run(change func(*tx) error) (err error) {
	defer func() {
		t.over = true
		if value := recover(); value != nil {
			err = fmt.Errorf("panic in a change at %s: %v", panicked(), value)
		}
	}()
	return cmp.Or(change(t), t.err)
}

// panicked returns the file and the line of the panic. Call it in the deferred function that
// recovers.
func panicked() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for inPanic := false; ; {
		frame, more := frames.Next()
		inPanic = inPanic || frame.Function == "runtime.gopanic"
		if inPanic && !strings.HasPrefix(frame.Function, "runtime.") || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
	}
}

func (t *transaction) queue(statement *Statement) { t.queued = append(t.queued, statement) }

// flush sends the queued statements. After a statement has failed, flush sends nothing more in this
// transaction: it returns that first error again.
func (t *transaction) flush() error {
	queued := t.queued
	t.queued = nil
	if t.err != nil || len(queued) == 0 {
		return t.err
	}
	t.begun = true
	send := t.send
	if send == nil {
		send = sendEach
	}
	t.err = send(t.ctx, t.conn, queued)
	for _, statement := range queued {
		if statement.change {
			t.note(statement.Written)
		}
	}
	return t.err
}

// write queues a statement. An error of the statement is returned by a later call that sends the
// queue, or by the commit. write itself fails only after the function of the change has returned.
func (t *tx) write(what, text string, args ...any) error {
	if t.over {
		return errOver
	}
	t.queue(&Statement{What: what, Text: text, Args: args, change: true})
	return nil
}

// exec runs a statement and returns how many rows it wrote. what is the name of the step, for
// errors.
func (t *tx) exec(what, text string, args ...any) (written int64, err error) {
	if t.over {
		return 0, errOver
	}
	statement := &Statement{What: what, Text: text, Args: args, change: true}
	t.queue(statement)
	err = t.flush()
	return statement.Written, err
}

// note marks the transaction as changed if rows were written, so that the watchers are notified
// after the commit.
func (t *transaction) note(written int64) { t.changed = t.changed || written > 0 }

// each calls see for each row of a query until see returns false. columns returns pointers for the
// row's columns, as [sql.Rows.Scan] takes them. each calls columns once: it scans every row into the
// same T, and passes a copy to see.
func each[T any](t *tx, what string, columns func(*T) []any, see func(T) bool, text string, args ...any) error {
	if t.over {
		return errOver
	}
	ask(t, what, columns, see, text, args...)
	return t.flush()
}

// ask queues a query. When the query is sent, see is called for each row until it returns false.
func ask[T any](t *tx, what string, columns func(*T) []any, see func(T) bool, text string, args ...any) {
	var row, zero T
	places := columns(&row)
	t.queue(&Statement{What: what, Text: text, Args: args, Row: func(scan func(...any) error) (bool, error) {
		row = zero
		err := scan(places...)
		return err == nil && see(row), err
	}})
}

// askAll queues a query. When the query is sent, its rows are stored in found.
func askAll[T any](t *tx, found *[]T, what string, columns func(*T) []any, text string, args ...any) {
	*found = nil
	ask(t, what, columns, func(row T) bool {
		*found = append(*found, row)
		return true
	}, text, args...)
}

func list[T any](t *tx, what string, columns func(*T) []any, text string, args ...any) (found []T, err error) {
	if t.over {
		return nil, errOver
	}
	askAll(t, &found, what, columns, text, args...)
	err = t.flush()
	return found, err
}

// first returns the first row of a query, or the zero value if there is none.
func first[T any](t *tx, what string, columns func(*T) []any, text string, args ...any) (row T, err error) {
	found, err := list(t, what, columns, text, args...)
	if len(found) > 0 {
		row = found[0]
	}
	return row, err
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
