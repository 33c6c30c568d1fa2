package sqlstore_test

import (
	"database/sql"
	"strings"
	"testing"

	"checkout/till/storage/internal/sqlstore"
)

func TestAnExaminationLooksThroughNoTableForEachRowOfAnother(t *testing.T) {
	db, _ := pool(t, empty(t), 1)
	for name, text := range sqlstore.Comparisons() {
		var arguments []any
		for range strings.Count(text, "$") {
			arguments = append(arguments, 1)
		}
		scans, plan := planOf(t, db, text, arguments)
		if scans > 1 {
			t.Errorf("%s: %d tables are read whole:\n%s", name, scans, plan)
		}
	}
}

// planOf returns the steps of a query's plan, and how many read a whole table.
func planOf(t *testing.T, db *sql.DB, text string, arguments []any) (scans int, plan string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, arguments...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan += step + "\n"
		if strings.HasPrefix(step, "SCAN") || strings.Contains(step, "AUTOMATIC") {
			scans++
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return scans, plan
}
