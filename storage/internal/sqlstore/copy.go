package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
)

// Why a database is not copied into. Each says what to do.
var (
	// ErrOccupied says that the target is not empty.
	ErrOccupied = errors.New("the target holds something already: copy into a database that is empty")
	// ErrDiffers says that a copy is not what was copied.
	ErrDiffers = errors.New("the copy is not the same as the source, so that none was made: try again, and look after the disks")
)

// copyChunk is how many rows are written with one statement.
const copyChunk = 64

// Progress is how far the copying of a table is, in rows.
type Progress struct {
	Table    string
	Done, Of int64
}

// TableSum is a table's number of rows and their digest.
type TableSum struct {
	Table  string
	Rows   int64
	SHA256 [32]byte // Over all columns of all rows, in the order of their keys.
}

// StatusSum counts the orders of one status.
type StatusSum struct {
	Status        string
	Count, Amount int64 // Amount in ariary.
}

// Copied is the content of a copy, which is that of its source.
type Copied struct {
	Tables   []TableSum
	Statuses []StatusSum
	Sequence int64 // The change sequence.
}

// Endpoint is a database that is copied from or into. Its schema is there.
type Endpoint struct {
	Pool    *sql.DB
	Dialect Dialect
}

// tables are the tables to copy, each with the columns that order its rows. The
// search index is rebuilt by its triggers.
func tables() [][2]string {
	return [][2]string{
		{"orders", "id"},
		{"order_items", "order_id, position"},
		{"events", "sequence"},
		{"sales", "id"},
		{"counters", "series"},
		{"articles", "id"},
		{"cashiers", "name"},
		{"closings", "day"},
	}
}

// flags are the boolean columns, which SQLite stores as 0 and 1.
func flags() []string {
	return []string{
		"link_assumed", "success_seen", "expired_seen", "given_up", "not_sent", "acknowledged", "superseded",
		"finding_paid", "finding_stale", "open",
	}
}

// Copy copies a shop into an empty database, and compares the two before the
// copy is committed: it is whole or not there. The source is read as of one
// moment and not changed. Keys, the numbers of events and the change sequence
// stay what they are. report is called with the progress. [ErrOccupied],
// [ErrDiffers].
func Copy(ctx context.Context, from, to Endpoint, report func(Progress)) (copied Copied, err error) {
	source, err := begin(ctx, from.Pool, false, from.Dialect.BeginRead)
	if err != nil {
		return Copied{}, err
	}
	defer source.session.release(false)
	target, err := begin(ctx, to.Pool, to.Dialect.Prepared, to.Dialect.BeginWrite)
	if err != nil {
		return Copied{}, err
	}
	defer target.session.release(false) // What is not committed is rolled back.
	if _, err := one(target, scanOne[int64], selectSequence+to.Dialect.ForUpdate); err != nil {
		return Copied{}, err
	}
	if copied, err = copyAll(ctx, source, target, report); err != nil {
		return Copied{}, errors.Join(ctx.Err(), err)
	}
	_, err = target.session.conn.ExecContext(ctx, "COMMIT")
	return copied, wrap("commit", err)
}

// copyAll copies all tables and the change sequence.
func copyAll(ctx context.Context, source, target *tx, report func(Progress)) (copied Copied, err error) {
	for _, table := range tables() {
		if held, err := countRows(target, table[0]); err != nil || held > 0 {
			return Copied{}, errors.Join(err, ErrOccupied)
		}
	}
	for _, table := range tables() {
		sum, err := copyTable(ctx, source, target, table, report)
		if err != nil {
			return Copied{}, fmt.Errorf("copy %s: %w", table[0], err)
		}
		copied.Tables = append(copied.Tables, sum)
	}
	if copied.Statuses, err = list(target, scanStatusSum, statusSums); err != nil {
		return Copied{}, err
	}
	if copied.Sequence, err = one(source, scanOne[int64], selectSequence); err == nil {
		_, err = target.exec(updateSequence, copied.Sequence)
	}
	return copied, err
}

const statusSums = `SELECT status, count(*), coalesce(sum(amount), 0) FROM orders GROUP BY status ORDER BY status`

func scanStatusSum(scan scanFunc) (sum StatusSum, err error) {
	err = scan(clean(&sum.Status, maxKey), &sum.Count, &sum.Amount)
	return sum, err
}

func countRows(t *tx, table string) (int64, error) {
	return one(t, scanOne[int64], "SELECT count(*) FROM "+table)
}

// copyTable copies the rows of a table, and reads the copy again to compare it.
func copyTable(ctx context.Context, source, target *tx, table [2]string, report func(Progress)) (sum TableSum, err error) {
	progress := Progress{Table: table[0]}
	if progress.Of, err = countRows(source, table[0]); err != nil {
		return sum, err
	}
	var columns []string
	var pending []any
	flush := func() error {
		report(progress)
		if len(pending) == 0 {
			return nil
		}
		_, err := target.exec(insertRows(table[0], columns, len(pending)/len(columns)), pending...)
		pending = pending[:0]
		return errors.Join(err, ctx.Err())
	}
	sum, err = readTable(source, table, func(names []string, values []any) error {
		columns, pending = names, append(pending, values...)
		if progress.Done++; progress.Done%copyChunk != 0 {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return sum, err
	}
	got, err := readTable(target, table, func([]string, []any) error { return nil })
	if err == nil && got != sum {
		err = fmt.Errorf("%w (%d rows of %d)", ErrDiffers, got.Rows, sum.Rows)
	}
	return sum, err
}

// insertRows is the statement that writes so many rows.
func insertRows(table string, columns []string, rows int) string {
	values := make([]string, rows)
	for i := range values {
		values[i] = "(" + placeholders(1+i*len(columns), len(columns)) + ")"
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " + strings.Join(values, ", ")
}

// readTable reads all columns of all rows of a table, and returns their number
// and their digest, which is the same for both databases.
func readTable(t *tx, table [2]string, see func(columns []string, values []any) error) (sum TableSum, err error) {
	sum.Table = table[0]
	rows, err := t.query("SELECT * FROM " + table[0] + " ORDER BY " + table[1])
	if err != nil {
		return sum, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return sum, err
	}
	digest, places := sha256.New(), make([]any, len(columns))
	for rows.Next() {
		values := make([]any, len(columns))
		for i, column := range columns {
			places[i] = &values[i]
			if slices.Contains(flags(), column) {
				places[i] = new(sql.NullBool)
			}
		}
		if err := rows.Scan(places...); err != nil {
			return sum, err
		}
		for i := range values {
			if flag, is := places[i].(*sql.NullBool); is && flag.Valid {
				values[i] = flag.Bool
			}
			if bytes, is := values[i].([]byte); is && bytes == nil {
				values[i] = []byte{} // Empty, and not null.
			}
			add(digest, values[i])
		}
		if err := see(columns, values); err != nil {
			return sum, err
		}
		sum.Rows++
	}
	digest.Sum(sum.SHA256[:0])
	return sum, rows.Err()
}

// add adds a value to a digest with its kind and its length, so that two rows of
// values are one only if each value is.
func add(digest hash.Hash, value any) {
	text, is := value.([]byte)
	if !is {
		text = fmt.Append(nil, value)
	}
	_, _ = fmt.Fprintf(digest, "%T %d ", value, len(text)) // A hash never fails.
	_, _ = digest.Write(text)
}
