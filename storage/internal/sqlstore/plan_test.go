package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

// plan returns how SQLite runs a statement, a line a step.
func plan(t *testing.T, db *sql.DB, text string, args ...any) string {
	t.Helper()
	if len(args) == 0 { // A value for each placeholder; plans do not depend on them.
		for n := 1; strings.Contains(text, fmt.Sprintf("$%d", n)); n++ {
			args = append(args, n)
		}
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

// plans opens an empty database to look at plans.
func plans(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+empty(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestNoStatementScansATable(t *testing.T) {
	db := plans(t)
	for name, text := range sqlstore.Statements() {
		steps := plan(t, db, text)
		for step := range strings.SplitSeq(steps, "\n") {
			if strings.HasPrefix(step, "SCAN") || strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s:\n%s", name, steps)
			}
		}
	}
}

func TestAListIsReadInTheOrderOfItsIndex(t *testing.T) {
	db := plans(t)
	since, until := time.UnixMilli(1), time.UnixMilli(2)
	for _, c := range []struct {
		name  string
		query payments.Query
		index string
	}{
		{"all", payments.Query{}, "orders_created"},
		{"the next page of all", payments.Query{Before: "x"}, "orders_created (created_at<?)"},
		{"a time", payments.Query{Since: since, Until: until}, "orders_created (created_at>? AND created_at<?)"},
		{"a status", payments.Query{Status: "pending"}, "orders_status (status=?)"},
		{
			"the next page of a status",
			payments.Query{Status: "pending", Before: "x"},
			"orders_status (status=? AND created_at<?)",
		},
		{"a till", payments.Query{Till: "T1"}, "orders_till (till=?)"},
		{
			"a time of a till",
			payments.Query{Till: "T1", Since: since, Until: until},
			"orders_till (till=? AND created_at>? AND created_at<?)",
		},
		{"a status of a till", payments.Query{Status: "creating", Till: "T1"}, "orders_status (status=?)"},
		{"what to check", payments.Query{Check: since}, "orders_watched"},
		{"the next page of what to check", payments.Query{Check: since, Before: "x"}, "orders_watched (created_at<?)"},
		{"what to check of a till", payments.Query{Check: since, Till: "T1"}, "orders_watched"},
		{"what is open", payments.Query{Open: true}, "orders_open"},
		{"what is open of a till", payments.Query{Open: true, Till: "T1"}, "orders_open"},
		{"what is open of a status", payments.Query{Open: true, Status: "pending"}, "orders_open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, args := sqlstore.SelectOrders(c.query)
			steps := plan(t, db, text, args...)
			first, _, _ := strings.Cut(steps, "\n")
			if !strings.Contains(first, c.index) || strings.Contains(steps, "TEMP B-TREE") {
				t.Errorf("want the index %s:\n%s", c.index, steps)
			}
		})
	}
}

func TestASearchLooksAtTheOrdersOfABlock(t *testing.T) {
	db := plans(t)
	moment := time.UnixMilli(1)
	for name, query := range map[string]payments.Query{
		"all":       {},
		"narrow":    {Sale: "x", Status: "pending", Till: "T1", Open: true},
		"a time":    {Since: moment, Until: moment},
		"to check":  {Check: moment},
		"next page": {Status: "pending"},
	} {
		query.Search = "vary"
		text, args := sqlstore.SelectBlock(query)
		if steps := plan(t, db, text, args...); steps != "SEARCH orders USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)" {
			t.Errorf("%s:\n%s", name, steps)
		}
	}
	text := sqlstore.SelectBlocks(dialect{}.Grams())
	steps := strings.Split(plan(t, db, text, `"vary"`, 10, 10, 32), "\n")
	if len(steps) != 2 || !strings.HasPrefix(steps[0], "SCAN order_grams VIRTUAL TABLE") ||
		steps[1] != "SEARCH order_blocks USING INTEGER PRIMARY KEY (rowid=?)" {
		t.Errorf("blocks:\n%s", strings.Join(steps, "\n"))
	}
}

func TestAQueryHasFewShapes(t *testing.T) {
	one, _ := sqlstore.SelectOrders(payments.Query{Till: "T1", Search: "vary", Limit: 10})
	two, _ := sqlstore.SelectOrders(payments.Query{Till: "T2", Search: "coca", Limit: 20})
	if one != two {
		t.Errorf("values are part of the statement:\n%s\n%s", one, two)
	}
}

func TestAStatementIsPreparedOnce(t *testing.T) {
	store, writer, _ := open(t, empty(t))
	for range 3 {
		if err := store.Update(context.WithoutCancel(t.Context()), number("a")); err != nil {
			t.Fatal(err)
		}
	}
	if writer.prepared("INSERT INTO counters") != 1 || writer.count("INSERT INTO counters") != 3 {
		t.Errorf("prepared %d times, run %d times, want 1 and 3",
			writer.prepared("INSERT INTO counters"), writer.count("INSERT INTO counters"))
	}
}
