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

// Endpoint is a database with a schema. [Verify] checks an endpoint, and [Copy] copies one into
// another.
type Endpoint struct {
	Name    string // Display name without credentials.
	Pool    *sql.DB
	Dialect Dialect
}

// TableSum contains the number of rows of a table, and the digest of these rows.
type TableSum struct {
	Table  string            `json:"table"`
	Rows   int64             `json:"rows"`
	SHA256 [sha256.Size]byte `json:"sha256"` // Digest of all columns of all rows, sorted by key.
}

// Tables returns the tables that [Copy] copies row by row. It leaves out meta, orders_search, which
// is filled by triggers, and listeners, which only PostgreSQL has.
func Tables() []string {
	return []string{"orders", "order_items", "findings", "events", "sales", "counters", "articles", "cashiers", "cash_sales", "transfers", "receipts", "requests", "tills", "customers"}
}

// Copy copies a shop into an empty database in one transaction. It keeps all keys and counters. The
// copy continues the numbers of the source, so the source must not be used any more. Copy reads the
// source from one snapshot and does not change it. Before the commit, Copy reads the target again
// and compares it with the source.
func Copy(ctx context.Context, from, to Endpoint) (copied []TableSum, err error) {
	source, err := begin(ctx, from.Pool, from.Dialect, from.Dialect.BeginRead)
	if err != nil {
		return nil, err
	}
	defer source.release(false)
	target, err := begin(ctx, to.Pool, to.Dialect, to.Dialect.BeginWrite)
	if err != nil {
		return nil, err
	}
	defer target.release(false) // Rolls back unless committed.
	if _, err := one(target, "begin", column[int64], selectSequence+to.Dialect.ForUpdate); err != nil {
		return nil, err
	}
	for _, table := range Tables() {
		sum, err := copyTable(source, target, table)
		if err != nil {
			return nil, wrap("copy "+table, err)
		}
		copied = append(copied, sum)
	}
	for _, key := range []string{"change_seq", "dropped", "tag"} {
		head, err := one(source, "copy "+key, headColumns, selectMeta+`$1`, key)
		if err != nil {
			return nil, err
		}
		_, err = target.exec("copy "+key, `UPDATE meta SET value = $1, transfers = $2, digest = $3 WHERE key = $4`,
			head.sequence, head.Last, head.Digest, key)
		if err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// Ignore cancellation: a cancelled commit may still succeed.
	_, err = target.conn.ExecContext(context.WithoutCancel(ctx), "COMMIT")
	return copied, wrap("commit", to.Dialect.lost(err))
}

// rowsAtOnce is the maximum number of rows that one INSERT statement writes.
const rowsAtOnce = 64

func copyTable(source, target *tx, table string) (TableSum, error) {
	held, err := one(target, "count rows", column[int64], "SELECT count(*) FROM "+table)
	if err != nil {
		return TableSum{}, err
	}
	if held > 0 {
		return TableSum{}, errors.New("the target holds something already: copy into a database that is empty")
	}
	sum, err := source.readTable(table, func(columns []string, rows [][]any) error {
		return target.insertRows(table, columns, rows)
	})
	if err != nil {
		return sum, err
	}
	got, err := target.readTable(table, func([]string, [][]any) error { return nil })
	if err == nil && got != sum {
		err = fmt.Errorf("the copy differs from the source and was discarded: try again, and check the disks (%d rows of %d)",
			got.Rows, sum.Rows)
	}
	return sum, err
}

func (t *tx) insertRows(table string, columns []string, rows [][]any) error {
	var places []string
	var values []any
	for _, row := range rows {
		places = append(places, "("+placeholders(1+len(values), len(columns))+")")
		values = append(values, row...)
	}
	_, err := t.exec("insert", "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES "+strings.Join(places, ", "), values...)
	return err
}

// readTable calls the function see with all rows of a table, at most [rowsAtOnce] at a time. It
// returns the number of rows and their digest. The digest is the same in SQLite and PostgreSQL:
// portable converts the values, and the rows are sorted by the first two columns, which identify a
// row in every table.
func (t *tx) readTable(table string, see func(columns []string, rows [][]any) error) (TableSum, error) {
	sum := TableSum{Table: table}
	if err := t.flush(); err != nil {
		return sum, err
	}
	rows, err := t.conn.QueryContext(t.ctx, "SELECT * FROM "+table+" ORDER BY 1, 2") //nolint:gosec // [Copy] names the tables.
	if err != nil {
		return sum, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return sum, err
	}
	digest := sha256.New()
	var unseen [][]any
	for rows.Next() {
		row := make([]any, len(columns))
		places := make([]any, len(columns))
		for i := range row {
			places[i] = &row[i]
		}
		if err := rows.Scan(places...); err != nil {
			return sum, err
		}
		for i, name := range columns {
			row[i] = portable(name, row[i])
			// Include the type and the length, so that different values never add the same text to the digest.
			text := fmt.Sprintf("%s", row[i])
			_, _ = fmt.Fprintf(digest, "%T %d %s", row[i], len(text), text) // Writing to a hash never fails.
		}
		sum.Rows++
		unseen = append(unseen, row)
		if len(unseen) == rowsAtOnce {
			if err := see(columns, unseen); err != nil {
				return sum, err
			}
			unseen = nil
		}
	}
	if err := rows.Err(); err != nil {
		return sum, err
	}
	digest.Sum(sum.SHA256[:0])
	if len(unseen) == 0 {
		return sum, nil
	}
	return sum, see(columns, unseen)
}

// portable converts the value of a column to a Go value that both drivers accept.
func portable(column string, value any) any {
	flags := []string{ // The boolean columns; SQLite stores them as 0 and 1.
		"link_assumed", "success_seen", "expired_seen", "given_up", "not_sent", "acknowledged", "superseded",
		"paid_otherwise", "open",
	}
	switch value := value.(type) {
	case int64:
		if slices.Contains(flags, column) {
			return value != 0
		}
	case []byte:
		if value == nil {
			return []byte{} // A nil slice would be inserted as NULL.
		}
	}
	return value
}
