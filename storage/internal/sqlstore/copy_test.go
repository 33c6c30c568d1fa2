package sqlstore_test

import (
	"database/sql"
	"testing"

	"checkout/till/storage/internal/sqlstore"
)

// A step of the schema that adds a column must add it to what is copied.
func TestEveryColumnIsCopied(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+empty(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	const count = `SELECT count(*) FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT IN ('meta', 'order_blocks')
		AND m.name NOT LIKE 'order_grams%' AND m.name NOT LIKE 'sqlite%'`
	if columns, copied := single(t, db, count), sqlstore.CopiedColumns(); columns != copied {
		t.Errorf("%v columns are copied, of %v", copied, columns)
	}
}
