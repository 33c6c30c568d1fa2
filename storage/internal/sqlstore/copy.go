package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Endpoint is a database that is examined, or copied from or into. Its schema is
// there.
type Endpoint struct {
	Name    string // For people; it holds no credentials.
	Pool    *sql.DB
	Dialect Dialect
}

// TableSum is a table's number of rows and their digest.
type TableSum struct {
	Table  string            `json:"table"`
	Rows   int64             `json:"rows"`
	SHA256 [sha256.Size]byte `json:"sha256"` // Over all columns of all rows, in the order of their keys.
}

// Copy copies a shop into an empty database, and compares the two before the
// copy is committed: it is whole or not there. The source is read as of one
// moment and not changed. Keys, the numbers of events and the change sequence
// stay what they are.
func Copy(ctx context.Context, from, to Endpoint) (copied []TableSum, err error) {
	source, err := begin(ctx, from.Pool, from.Dialect.BeginRead)
	if err != nil {
		return nil, err
	}
	defer source.release(false)
	target, err := begin(ctx, to.Pool, to.Dialect.BeginWrite)
	if err != nil {
		return nil, err
	}
	defer target.release(false) // What is not committed is rolled back.
	if _, err := one(target, "begin", column[int64], selectSequence+to.Dialect.ForUpdate); err != nil {
		return nil, err
	}
	// The search index is rebuilt by its triggers.
	for _, table := range []string{"orders", "order_items", "findings", "events", "sales", "counters", "articles", "cashiers", "closings"} {
		sum, err := copyTable(source, target, table)
		if err != nil {
			return nil, wrap("copy "+table, err)
		}
		copied = append(copied, sum)
	}
	for _, key := range []string{"change_seq", "dropped"} {
		value, readErr := one(source, "copy "+key, column[int64], `SELECT value FROM meta WHERE key = $1`, key)
		err = errors.Join(err, readErr, target.write("copy "+key, `UPDATE meta SET value = $1 WHERE key = $2`, value, key))
	}
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, err
	}
	// A commit whose answer nobody waits for may take place.
	_, err = target.conn.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	return copied, wrap("commit", err)
}

// rowsAtOnce is how many rows a statement inserts.
const rowsAtOnce = 64

// copyTable copies the rows of a table, and reads the copy again to compare it.
func copyTable(source, target *tx, table string) (sum TableSum, err error) {
	held, err := one(target, "count rows", column[int64], "SELECT count(*) FROM "+table)
	if err == nil && held > 0 {
		err = errors.New("the target holds something already: copy into a database that is empty")
	}
	if err != nil {
		return sum, err
	}
	var columns []string
	var pending []any
	insert := func() error {
		var rows []string
		for at := 0; at < len(pending); at += len(columns) {
			rows = append(rows, "("+placeholders(1+at, len(columns))+")")
		}
		values := pending
		pending = nil
		return target.write("insert", "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES "+strings.Join(rows, ", "), values...)
	}
	sum, err = source.readTable(table, func(names []string, row []any) error {
		columns, pending = names, append(pending, row...)
		if len(pending) < rowsAtOnce*len(columns) {
			return nil
		}
		return insert()
	})
	if err == nil && len(pending) > 0 {
		err = insert()
	}
	if err != nil {
		return sum, err
	}
	got, err := target.readTable(table, func([]string, []any) error { return nil })
	if err == nil && got != sum {
		err = fmt.Errorf("the copy is not the same as the source, so that none was made: try again, and look after the disks (%d rows of %d)",
			got.Rows, sum.Rows)
	}
	return sum, err
}

// readTable reads all columns of all rows of a table, and returns their number
// and their digest, which is the same for both databases. The first two columns
// make a row's key.
func (t *tx) readTable(table string, see func(columns []string, values []any) error) (sum TableSum, err error) {
	sum.Table = table
	rows, err := t.conn.QueryContext(t.ctx, "SELECT * FROM "+table+" ORDER BY 1, 2") //nolint:gosec // [Copy] names the tables.
	if err != nil {
		return sum, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return sum, err
	}
	flags := []string{ // The boolean columns, which SQLite stores as 0 and 1.
		"link_assumed", "success_seen", "expired_seen", "given_up", "not_sent", "acknowledged", "superseded",
		"open",
	}
	digest, values, places := sha256.New(), make([]any, len(columns)), make([]any, len(columns))
	for i, name := range columns {
		places[i] = scanner(func(value any) error {
			values[i] = value
			switch value := value.(type) {
			case int64:
				if slices.Contains(flags, name) {
					values[i] = value != 0
				}
			case []byte: // The driver's, until the next row; and empty is not null.
				values[i] = append([]byte{}, value...)
			}
			// With its kind and its length, two rows are one only if each value is.
			text := fmt.Sprintf("%s", values[i])
			_, err := fmt.Fprintf(digest, "%T %d %s", values[i], len(text), text)
			return err
		})
	}
	for ; err == nil && rows.Next(); sum.Rows++ {
		if err = rows.Scan(places...); err == nil {
			err = see(columns, values)
		}
	}
	digest.Sum(sum.SHA256[:0])
	return sum, errors.Join(err, rows.Err())
}
