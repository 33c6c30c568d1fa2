// Package bulk makes SQLite databases with many orders, for benchmarks and for tests of a shop that
// has sold for years. The orders have only states that the payment rules can produce. The last day
// has the same date in every database.
package bulk

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments/ledger"
	"checkout/till/storage/sqlite"
)

// Till is the till of every order.
const Till = "T1"

// End is the time of the newest order. The times of the other orders are equally far apart, a
// thousand on each day.
func End() time.Time { return time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC) }

const gap = 86_400 * time.Millisecond

// Waiting is the number of pending orders in every database that [Make] makes.
const Waiting = 20

// Check is the approximate number of orders that need attention in every large database.
const Check = 60

// These statements create the orders only by SQL. A test compares these orders with the payment
// rules. $1 is the number of orders.
const (
	orders = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1),
		r AS (SELECT i, $2 - ($1 - i) * $3 AS at, i > $1 - $4 AS waits, i % max($1 / $5, 1) = 1 AS checks,
			(i * 7919) % 100 AS dice FROM n),
		s AS (SELECT *, CASE WHEN waits THEN 'pending' WHEN checks OR dice < 84 THEN 'success'
			WHEN dice < 92 THEN 'expired' WHEN dice < 96 THEN 'failed' WHEN dice < 98 THEN 'canceled' ELSE 'rejected' END AS status,
			'T1-' || strftime('%Y%m%d', at / 1000, 'unixepoch') || printf('-%06d', i) AS reference,
			(i % 3 + 1) || ' × ' || ` + label + ` || ', ' || ` + other + ` AS description FROM r)
		INSERT INTO orders (id, reference, sale, till, amount, total, rest_of, debt, description, created_at, order_reference,
			link_url, expires_at, link_assumed, status, error, paid_at, success_seen, expired_seen, given_up,
			not_sent, acknowledged, superseded, attention, reported_amount, reported_unit, open, search)
		SELECT i, reference, printf('SALE%022d', i), 'T1', 3500 * (i % 3 + 1) + 2000, 3500 * (i % 3 + 1) + 2000, '', '', description, at,
			CASE status WHEN 'rejected' THEN '' ELSE 'REF_' || (700000 + i) END,
			'https://pay.example/checkout/' || printf('%032d', i), at + 3600000, 0, status,
			CASE status WHEN 'failed' THEN 'Solde insuffisant' ELSE '' END,
			CASE status WHEN 'success' THEN at + 60000 END, status = 'success', status = 'expired', 0, 0, 1, 0,
			CASE WHEN checks AND NOT waits THEN 'paid_late' ELSE '' END, '', '', waits OR checks,
			lower(reference) || char(10) || lower(description) || char(10) || 'table ' || (i % 40) ||
				CASE status WHEN 'rejected' THEN '' ELSE char(10) || 'ref_' || (700000 + i) END
		FROM s`

	items = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price)
		SELECT i, 1, ` + label + `, 3500, i % 3 + 1, 0 FROM n
		UNION ALL SELECT i, 2, ` + other + `, 2000, 1, 0 FROM n
		UNION ALL SELECT i, 3, 'Table ' || (i % 40), 1, 1, 0 FROM n`

	events = `INSERT INTO events (id, order_id, order_reference, kind, kinds, reference, amount, currency,
			description, error, received_at, outcome, count, body_sha256, body_size, body)
		SELECT randomblob(32), id, order_reference, 'payment.' || status, X'736E737300', CAST(reference AS BLOB), CAST(amount AS BLOB),
			X'4172', CAST(description AS BLOB), CAST(error AS BLOB), created_at + 60000, 'applied', 1,
			randomblob(32), 240, randomblob(240)
		FROM orders WHERE status NOT IN ('pending', 'rejected')`

	// Some words in the labels are common, and some are rare.
	label = `CASE WHEN i % 50000 = 77 THEN 'Ravitoto sy henakisoa' WHEN i % 3 = 0 THEN 'Vary' WHEN i % 3 = 1 THEN 'Akoho'
		ELSE 'Plat ' || char(97 + i % 26, 97 + i / 26 % 26, 97 + i / 676 % 26, 97 + i % 25) END`
	other = `CASE i % 4 WHEN 0 THEN 'Coca' WHEN 1 THEN 'Mofo gasy' WHEN 2 THEN 'Kafe' ELSE 'Ranovola' END`
)

// Make makes a database with count orders in a temporary folder of the test, and
// returns its path. A million orders take some minutes and a gigabyte.
func Make(t testing.TB, count int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "till.db")
	store, err := sqlite.Open(t.Context(), path)
	must(t, err)
	must(t, store.Close())
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	db.SetMaxOpenConns(1)
	var createTrigger string
	const trigger = "SELECT sql FROM sqlite_schema WHERE name = 'orders_search_insert'"
	must(t, db.QueryRowContext(t.Context(), trigger).Scan(&createTrigger))
	for _, statement := range []struct {
		text string
		args []any
	}{
		{"PRAGMA synchronous = OFF", nil},
		{"PRAGMA cache_size = -200000", nil},
		{"BEGIN", nil},
		{"DROP TRIGGER orders_search_insert", nil}, // Building the search index after the inserts is faster.
		{orders, []any{count, End().UnixMilli(), gap.Milliseconds(), Waiting, Check}},
		{items, []any{count}},
		{events, nil},
		{createTrigger, nil},
		{"INSERT INTO orders_search (orders_search) VALUES ('rebuild')", nil},
		{"UPDATE meta SET value = $1 WHERE key = 'change_seq'", []any{count}},
	} {
		if _, err := db.ExecContext(t.Context(), statement.text, statement.args...); err != nil {
			t.Fatalf("%.60s: %v", statement.text, err)
		}
	}
	must(t, post(t.Context(), db))
	_, err = db.ExecContext(t.Context(), "COMMIT")
	must(t, errors.Join(err, db.Close()))
	return path
}

// post posts a transfer for each paid order, and a closing at the end of each day except the last.
// The digests of the transfers are valid.
func post(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "SELECT reference, amount, paid_at FROM orders WHERE paid_at IS NOT NULL ORDER BY paid_at, id")
	if err != nil {
		return err
	}
	defer rows.Close()
	var posted []ledger.Transfer
	day := time.Time{}
	for rows.Next() {
		transfer := ledger.Transfer{
			ID: int64(len(posted) + 1), Kind: ledger.Sale, From: ledger.Sales, To: ledger.Service, Till: Till,
			Payment: ledger.Payment{Kind: ledger.ByOrder},
		}
		var paid int64
		if err := rows.Scan(&transfer.Payment.Ref, &transfer.Amount, &paid); err != nil {
			return err
		}
		transfer.At = time.UnixMilli(paid)
		transfer.Booked = transfer.At
		today := transfer.At.UTC().Truncate(24 * time.Hour)
		if !today.Equal(day) && !day.IsZero() {
			posted = append(posted, ledger.Transfer{
				ID: transfer.ID, At: today, Booked: today, Kind: ledger.Closing, From: ledger.Drawer(Till), To: ledger.Owner, Till: Till,
				Payment: ledger.Payment{Kind: ledger.OfClosing, Ref: "T1-Z-" + today.Format(time.DateOnly)},
			})
			transfer.ID++
		}
		day = today
		posted = append(posted, transfer)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil { // The statements below need the only connection.
		return err
	}
	insert, err := db.PrepareContext(ctx, `INSERT INTO transfers (id, moved_at, booked_at, kind, from_account, to_account, amount, till, moved_by,
		payment, ref, corrects, note, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, 0, '', ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	digest := []byte{}
	for _, t := range posted {
		digest = t.Digest(digest)
		if _, err := insert.ExecContext(ctx, t.ID, t.At.UnixMilli(), t.Booked.UnixMilli(), string(t.Kind), string(t.From), string(t.To),
			int64(t.Amount), t.Till, string(t.Payment.Kind), t.Payment.Ref, digest); err != nil {
			return err
		}
	}
	_, err = db.ExecContext(ctx, "UPDATE meta SET transfers = ?, digest = ? WHERE key = 'change_seq'", len(posted), digest)
	return err
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
