package payments_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
	"checkout/till/storage/storagetest/sqlitetest"
)

// store is a SQLite database. A test can make any call fail.
type store struct {
	storagetest.Faulty
	path string
}

func openStore(t testing.TB) *store {
	t.Helper()
	path := filepath.Join(disk.Memory(t), "till.db")
	return &store{storagetest.Faulty{Store: sqlitetest.OpenAt(t, path)}, path}
}

// dump returns the rows of the tables that the tests compare.
func (s *store) dump(t testing.TB) string {
	t.Helper()
	db, err := sql.Open("sqlite", s.path)
	must(t, err)
	defer func() { _ = db.Close() }()
	var all strings.Builder
	for _, table := range []string{
		"orders", "order_items", "events", "sales", "counters", "articles", "cashiers", "cash_sales", "transfers", "tills", "customers",
	} {
		must(t, dumpTable(t.Context(), db, table, &all))
	}
	return all.String()
}

func dumpTable(ctx context.Context, db *sql.DB, table string, all io.Writer) error {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	for err == nil && rows.Next() {
		row, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			places[i] = &row[i]
		}
		err = rows.Scan(places...)
		_, _ = fmt.Fprintln(all, table, row)
	}
	return errors.Join(err, rows.Err())
}
