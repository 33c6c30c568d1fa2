package sqlstore_test

import (
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
		rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, arguments...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var plan []string
		scans := 0
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, step)
			if strings.HasPrefix(step, "SCAN") || strings.Contains(step, "AUTOMATIC") {
				scans++
			}
		}
		if err := rows.Err(); err != nil || scans > 1 {
			t.Errorf("%s: %d tables are read whole (%v):\n%s", name, scans, err, strings.Join(plan, "\n"))
		}
		_ = rows.Close()
	}
}
