package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
)

// bulkEnd is when the newest order of a bulk was made. They come a thousand a
// day, so that a day is the same whatever the size.
func bulkEnd() time.Time { return time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC) }

const bulkGap = 86_400 * time.Millisecond

// bulkWaiting orders are under way, and bulkCheck must be looked at, whatever
// the size.
const bulkWaiting, bulkCheck = 20, 60

// The bulk is made by the database itself; a test of the same name compares it
// with what the rules make of such orders. $1 is how many orders there are.
const (
	bulkOrders = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1),
		r AS (SELECT i, $2 - ($1 - i) * $3 AS at, i > $1 - $4 AS waits, i % max($1 / $5, 1) = 1 AS checks,
			(i * 7919) % 100 AS dice FROM n),
		s AS (SELECT *, CASE WHEN waits THEN 'pending' WHEN checks OR dice < 84 THEN 'success'
			WHEN dice < 92 THEN 'expired' WHEN dice < 96 THEN 'failed' WHEN dice < 98 THEN 'canceled' ELSE 'rejected' END AS status,
			'T1-' || strftime('%Y%m%d', at / 1000, 'unixepoch') || printf('-%06d', i) AS reference,
			(i % 3 + 1) || ' × ' || ` + bulkLabel + ` || ', ' || ` + bulkOther + ` AS description FROM r)
		INSERT INTO orders (id, reference, sale, till, amount, description, created_at, order_reference,
			link_url, expires_at, link_assumed, status, error, paid_at, success_seen, expired_seen, given_up,
			not_sent, acknowledged, attention, reported_amount, reported_unit,
			finding_paid, finding_by, finding_note, finding_at, finding_stale, open, change_seq, search)
		SELECT i, reference, printf('SALE%022d', i), 'T1', 3500 * (i % 3 + 1) + 2000, description, at,
			CASE status WHEN 'rejected' THEN '' ELSE 'REF_' || (700000 + i) END,
			'https://pay.example/checkout/' || printf('%032d', i), at + 3600000, 0, status,
			CASE status WHEN 'failed' THEN 'Solde insuffisant' ELSE '' END,
			CASE status WHEN 'success' THEN at + 60000 END, status = 'success', status = 'expired', 0, 0, 1,
			CASE WHEN checks AND NOT waits THEN 'paid_late' ELSE '' END, '', '', NULL, '', '', NULL, 0, 0, 1,
			lower(reference) || char(10) || lower(description) || char(10) || 'table ' || (i % 40) ||
				CASE status WHEN 'rejected' THEN '' ELSE char(10) || 'ref_' || (700000 + i) END
		FROM s`

	bulkItems = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO order_items (order_id, position, label, unit_price, quantity)
		SELECT i, 1, ` + bulkLabel + `, 3500, i % 3 + 1 FROM n
		UNION ALL SELECT i, 2, ` + bulkOther + `, 2000, 1 FROM n
		UNION ALL SELECT i, 3, 'Table ' || (i % 40), 1, 1 FROM n`

	bulkEvents = `INSERT INTO events (id, order_id, order_reference, kind, kinds, reference, amount, currency,
			description, error, received_at, outcome, count, body, body_sha256)
		SELECT randomblob(32), id, order_reference, 'payment.' || status, X'736E737300', X'434D445F31', CAST(amount AS BLOB),
			X'4172', CAST(description AS BLOB), CAST(error AS BLOB), created_at + 60000, 'applied', 1,
			randomblob(240), randomblob(32)
		FROM orders WHERE status NOT IN ('pending', 'rejected')`

	// Words of which some are common and some rare.
	bulkLabel = `CASE WHEN i % 50000 = 77 THEN 'Ravitoto sy henakisoa' WHEN i % 3 = 0 THEN 'Vary' WHEN i % 3 = 1 THEN 'Akoho'
		ELSE 'Plat ' || char(97 + i % 26, 97 + i / 26 % 26, 97 + i / 676 % 26, 97 + i % 25) END`
	bulkOther = `CASE i % 4 WHEN 0 THEN 'Coca' WHEN 1 THEN 'Mofo gasy' WHEN 2 THEN 'Kafe' ELSE 'Ranovola' END`
)

// bulk makes a database with so many orders.
func bulk(t testing.TB, count int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "till.db")
	store, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []struct {
		text string
		args []any
	}{
		{"PRAGMA synchronous = OFF", nil},
		{"PRAGMA cache_size = -200000", nil},
		{"BEGIN", nil},
		{bulkOrders, []any{count, bulkEnd().UnixMilli(), bulkGap.Milliseconds(), bulkWaiting, bulkCheck}},
		{bulkItems, []any{count}},
		{bulkEvents, nil},
		{"UPDATE meta SET value = 1 WHERE key = 'derive'", nil},
		{"COMMIT", nil},
	} {
		if _, err := db.ExecContext(t.Context(), statement.text, statement.args...); err != nil {
			t.Fatalf("%.60s: %v", statement.text, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	openAt(t, path) // Derives the rest.
	return path
}

func TestABulkIsWhatTheRulesMakeOfSuchOrders(t *testing.T) {
	store := openAt(t, bulk(t, 1000))
	orders, err := store.Orders(t.Context(), payments.Query{Limit: 1000})
	if err != nil || len(orders) != 1000 {
		t.Fatalf("%d orders, %v", len(orders), err)
	}
	verdicts := map[payments.Verdict]int{}
	for _, order := range orders {
		if total, err := payments.Total(order.Items); err != nil || total != order.Amount+1 {
			t.Fatalf("%+v: the items come to %v, %v", order, total, err)
		}
		verdicts[order.Verdict(payments.Conditions{}, bulkEnd())]++
	}
	if verdicts[payments.VerdictPaid] < 700 || verdicts[payments.VerdictNotPaid] < 100 || verdicts[payments.VerdictRejected] < 10 {
		t.Errorf("verdicts %v", verdicts)
	}
	for name, c := range map[string]struct {
		query payments.Query
		want  int
	}{
		"wait":        {payments.Query{Open: true, Status: payments.StatusPending, Limit: 1000}, bulkWaiting},
		"are checked": {payments.Query{Check: bulkEnd(), Limit: 1000}, bulkCheck},
	} {
		found, err := store.Orders(t.Context(), c.query)
		if err != nil || len(found) < c.want || len(found) > c.want+5 {
			t.Errorf("%d orders %s, want about %d (%v)", len(found), name, c.want, err)
		}
	}
}

func TestWhatWasNotDerivedIsDerivedAtTheOpening(t *testing.T) {
	path := bulk(t, 300)
	look := func() (all []any) {
		store := openAt(t, path)
		for _, query := range []payments.Query{
			{Check: bulkEnd()}, {Open: true}, {Search: "akoho"}, {Search: "REF_7001"}, {Search: "q"},
		} {
			found, err := store.Orders(t.Context(), query)
			if err != nil || len(found) == 0 {
				t.Errorf("%+v: %d orders, %v", query, len(found), err)
			}
			all = append(all, found)
		}
		takings, err := store.Takings(t.Context(), payments.Day(bulkEnd()))
		if err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		return append(all, takings)
	}
	want := look()
	script(t, path, `INSERT INTO order_grams (order_grams) VALUES ('delete-all'); DELETE FROM order_blocks;
		UPDATE orders SET verdict = 'paid', check_from = NULL, open = 0; UPDATE takings SET amount = amount + 1;
		UPDATE meta SET value = 1 WHERE key = 'derive'`)
	if got := look(); !reflect.DeepEqual(got, want) {
		t.Error("what was derived anew differs")
	}
}
