package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

// maxDifferences is the maximum number of differences in Audit.Differences. Audit.Found
// counts all.
const maxDifferences = 1000

// Difference is a problem that [Verify] found, for example a row that was changed after it was
// stored. A remark has the same type.
type Difference struct {
	Table   string `json:"table"`
	Row     string `json:"row"`     // Key of the row, for example an order's reference, or the name of a part of the schema; may be empty.
	Problem string `json:"problem"` // Description in English. It may contain text from outside: clean it before display.
}

func (d *Difference) columns() []any { return []any{&d.Table, &d.Row, &d.Problem} }

// Audit is the result of [Verify].
type Audit struct {
	Path        string       `json:"database"` // Display name: a file's absolute path, or a server's address without credentials.
	Orders      int64        `json:"orders"`
	Cash        int64        `json:"cash_sales"`
	Events      int64        `json:"events"`
	Found       int64        `json:"found"` // Number of all differences; only the first thousand are listed.
	Differences []Difference `json:"differences"`
	Remarks     []Difference `json:"remarks"` // Facts that a person should look at. They do not prove that a row was changed.
	NoSeal      bool         `json:"-"`       // Whether one of the differences is that no transfer has the seal of [Checks].
}

// Checks are the options of [Verify].
type Checks struct {
	Decode func(body []byte) (payments.Event, error) // Decodes an event from its raw body, to compare it with the stored fields; nil skips the comparison.
	Now    time.Time
	// Seal is the beginning of a transfer's digest in hexadecimal, as printed on paper; it may be
	// empty. Verify adds a remark about the transfer that has it, or a difference if no transfer
	// has it.
	Seal string
}

type examiner struct {
	*Audit
	dialect Dialect
	checks  Checks
}

func (a *Audit) remark(table, row, format string, arguments ...any) {
	a.Remarks = append(a.Remarks, Difference{table, row, fmt.Sprintf(format, arguments...)})
}

func (a *Audit) add(table, row, format string, arguments ...any) {
	a.Found++
	if len(a.Differences) < maxDifferences {
		a.Differences = append(a.Differences, Difference{table, row, fmt.Sprintf(format, arguments...)})
	}
}

// Verify reads all events and orders from one snapshot and recomputes what it can:
//   - the hash of each event's body;
//   - each event's identity, from its fields and from its body;
//   - the digest of each transfer of the ledger, and the balance of each drawer after a closing;
//   - the amount of each cash sale and of each order, and the order's state after its events, by
//     the domain's rules.
//
// Verify first checks the schema and, for SQLite, the structure of the file. It also reports gaps
// in the keys of orders and events, and missing numbers. For the remarks that
// it adds, see [Audit].
//
// If the database cannot be read, Verify returns an error and the differences that it found before.
func Verify(ctx context.Context, database Endpoint, checks Checks) (found Audit, err error) {
	found.Path = database.Name
	t, err := begin(ctx, database.Pool, database.Dialect, database.Dialect.BeginRead)
	if err == nil {
		defer t.release(false)
		e := examiner{&found, database.Dialect, checks}
		for _, examine := range []func(*tx) error{
			e.schema, e.compare, e.events, e.orders, e.sales, e.cash, e.numbers, e.texts, e.excuses, e.ledger,
		} {
			if err = examine(t); err != nil {
				break
			}
		}
	}
	if err != nil {
		err = fmt.Errorf("examine the database %s: %w", database.Name, database.Dialect.Advise(err))
	}
	return found, err
}

// sales checks the orders of each sale with several payments. Each order must say whether its sale
// was paid twice, or was paid by another payment.
func (a *Audit) sales(t *tx) error {
	several, err := list(t, "read the sales with several payments", column[string], `SELECT sale FROM (
		SELECT sale FROM orders WHERE sale <> '' UNION ALL SELECT sale FROM cash_sales WHERE sale <> '') AS payments
		GROUP BY sale HAVING count(*) > 1 ORDER BY sale`)
	if err != nil {
		return err
	}
	for _, id := range several {
		sale, err := t.sale(id)
		if err != nil {
			return err
		}
		for _, order := range payments.SettleCash(ordersOf(sale.orders), sale.taken, false) {
			a.add("orders", order.Reference, "it does not say whether the other payments of its sale paid it twice or in its place")
		}
	}
	return nil
}

// compare runs the queries in [Dialect].Structure, and then queries that compare the tables with
// each other. Each row of a result is a difference: the table, the key and the problem.
func (e examiner) compare(t *tx) error {
	queries := slices.Concat(e.dialect.Structure, []string{
		`SELECT 'events', e.sequence, 'it is not as it was stored' FROM events e WHERE NOT (` + wellFormed + `)`,
		`SELECT 'events', e.sequence, 'its order is not there' FROM events e WHERE e.order_id IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = e.order_id)`,
		`SELECT 'events', e.sequence, 'its order has another order_reference' FROM events e
			JOIN orders o ON o.id = e.order_id WHERE o.order_reference <> e.order_reference`,
		`SELECT 'events', e.sequence, 'its order is there, and it was not applied' FROM events e
			JOIN orders o ON o.order_reference = e.order_reference AND o.order_reference <> '' WHERE e.order_id IS NULL`,
		`SELECT 'events', e.sequence, 'its outcome, its order, its size or its count cannot be' FROM events e
			WHERE (e.order_id IS NULL) <> (e.outcome IN ('unmatched', 'noticed')) OR e.count < 1 OR e.body_size <> length(e.body)`,
		`SELECT DISTINCT 'order_items', i.order_id, 'the order of these items is not there' FROM order_items i
			WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = i.order_id)`,
		`SELECT DISTINCT 'findings', f.order_id, 'the order of these findings is not there' FROM findings f
			WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = f.order_id)`,
		`SELECT 'findings', f.order_id, 'a finding is missing' FROM findings f
			GROUP BY f.order_id HAVING max(f.position) <> count(*)`,
		`SELECT 'cash_sales', c.number, CASE WHEN t.id IS NULL THEN 'its money is not in the ledger'
			ELSE 'its till, its seller or its time is not that of its money' END
			FROM cash_sales c LEFT JOIN transfers t ON t.ref = c.number AND t.payment = 'settlement'
				AND (t.kind = 'sale' OR t.kind = 'paid') AND t.amount = c.amount
			WHERE t.id IS NULL OR t.till <> c.till OR t.moved_by <> c.sold_by OR t.moved_at <> c.sold_at`,
		`SELECT 'transfers', max(t.id), 'another closing has its number' FROM transfers t WHERE t.kind = 'closing' GROUP BY t.ref HAVING count(*) > 1`,
		`SELECT 'cash_sales', number, 'more money was given back than was taken' FROM cash_sales WHERE ` + cashNet + ` < 0`,
		`SELECT 'cash_sales', c.number, 'it was voided, and money of it is left' FROM cash_sales c WHERE c.number IN (
			SELECT t.ref FROM transfers t WHERE t.payment = 'settlement' AND t.kind = 'void') AND ` + cashNet + ` <> 0`,
		`SELECT 'cash_sales', number, 'the sale whose rest it pays is not there' FROM cash_sales c WHERE rest_of <> ''
			AND NOT EXISTS (SELECT 1 FROM cash_sales f WHERE f.number = c.rest_of)`,
		`SELECT 'orders', reference, 'the sale whose rest it pays is not there' FROM orders o WHERE rest_of <> ''
			AND NOT EXISTS (SELECT 1 FROM cash_sales f WHERE f.number = o.rest_of)`,
		`SELECT 'transfers', t.id, 'its cash sale is not there' FROM transfers t WHERE t.payment = 'settlement'
			AND NOT EXISTS (SELECT 1 FROM cash_sales c WHERE c.number = t.ref)`,
		`SELECT 'orders', o.reference, 'its debt is not the one that its money paid' FROM orders o JOIN transfers t ON t.ref = o.reference
			AND t.payment = 'order' AND t.kind IN ('sale', 'paid') WHERE CASE o.debt WHEN '' THEN 'sales' ELSE o.debt END NOT IN (t.from_account, t.to_account)`,
		`SELECT 'transfers', t.id, 'its order is not there' FROM transfers t WHERE t.payment = 'order'
			AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.reference = t.ref)`,
		`SELECT 'orders', o.reference, 'the order that was stored before it is not there' FROM orders o
			WHERE o.id > 1 AND NOT EXISTS (SELECT 1 FROM orders p WHERE p.id = o.id - 1)`,
		`SELECT 'events', '', missing || ' of them are not there, and were not dropped as unmatched' FROM (
			SELECT max(sequence) - count(*) - (SELECT value FROM meta WHERE key = 'dropped') AS missing FROM events) AS gaps
			WHERE missing > 0`,
	})
	for _, query := range queries {
		err := each(t, "compare rows", (*Difference).columns, func(d Difference) bool {
			e.add(d.Table, d.Row, "%s", d.Problem)
			return true
		}, query)
		if err != nil {
			return err
		}
	}
	return nil
}

// wellFormed is the condition for events that can be scanned: hashes of 32 bytes, and kinds of 5
// bytes.
const wellFormed = `length(e.id) = 32 AND length(e.body_sha256) = 32 AND length(e.kinds) = 5`

// ofNoOrder is the condition for events e without an order. It calls the order n, because
// eventFields uses o.
const ofNoOrder = `NOT EXISTS (SELECT 1 FROM orders n WHERE n.order_reference = e.order_reference AND n.order_reference <> '')`

// events examines the events without an order. [examiner.orders] examines the others.
func (e examiner) events(t *tx) error {
	return each(t, "read events", storedEventColumns, func(stored payments.Record) bool {
		e.event(stored)
		return true
	}, selectStoredEvent+`WHERE `+wellFormed+` AND `+ofNoOrder)
}

const selectStoredEvent = `SELECT e.body, ` + eventFields

func storedEventColumns(r *payments.Record) []any { return append([]any{&r.Body}, eventColumns(r)...) }

func (e examiner) event(stored payments.Record) {
	e.Events++
	add := func(format string, arguments ...any) {
		e.add("events", fmt.Sprint(stored.Sequence), format, arguments...)
	}
	if sha256.Sum256(stored.Body) != stored.BodySHA256 {
		add("its body is not the one that was received")
	}
	if stored.Event.ID() != stored.ID {
		add("its fields are not those that were received")
	}
	if e.checks.Decode == nil {
		return
	}
	if event, err := e.checks.Decode(stored.Body); err != nil {
		add("its body is no event: %v", err)
	} else if event.ID() != stored.ID {
		add("its fields are not those of its body")
	}
}

func (e examiner) orders(t *tx) error {
	columns := func(row *orderRow) []any {
		return append([]any{&row.search, &row.open, &row.posted}, orderColumns(row)...)
	}
	last := int64(0)
	for {
		rows, err := list(t, "read orders", columns,
			`SELECT o.search, o.open, `+postedFor+orderFields+`WHERE o.id > $1 ORDER BY o.id LIMIT 500`, last)
		if err != nil || len(rows) == 0 {
			return err
		}
		first := rows[0].id
		last = rows[len(rows)-1].id
		items, err := list(t, "read items", itemColumns,
			selectItems+`WHERE i.order_id >= $1 AND i.order_id <= $2 ORDER BY i.order_id, i.position`, first, last)
		if err != nil {
			return err
		}
		shareItems(rows, items)
		events := map[string][]payments.Record{}
		err = each(t, "read the orders' events", storedEventColumns, func(stored payments.Record) bool {
			e.event(stored)
			stored.Body = nil
			events[stored.Order] = append(events[stored.Order], stored)
			return true
		}, selectStoredEvent+`WHERE `+wellFormed+` AND e.order_reference IN (
			SELECT order_reference FROM orders WHERE id >= $1 AND id <= $2 AND order_reference <> '') ORDER BY e.sequence`, first, last)
		if err != nil {
			return err
		}
		for _, row := range rows {
			named, err := namedBy(t, row.order, events[row.order.Reference])
			if err != nil {
				return err
			}
			e.order(row, events[row.order.Reference], named)
		}
	}
}

// namedBy returns the other orders that the events of an order name in their field Reference. The
// keys are these references. The value is the zero Order if the shop has no such order.
func namedBy(t *tx, order payments.Order, events []payments.Record) (map[string]payments.Order, error) {
	named := map[string]payments.Order{}
	for _, record := range events {
		reference, another := record.Event.Names(order)
		if !another {
			continue
		}
		other, err := t.Order(reference)
		if err != nil && !errors.Is(err, payments.ErrNotFound) {
			return nil, err
		}
		if mayNameNone(order, record, other) {
			other = payments.Order{}
		}
		named[reference] = other
	}
	return named, nil
}

// mayNameNone reports whether an event was probably applied before the shop made the order that it
// names. That is possible only if the two times differ by at most [payments.ClockGrace]. The stored
// state of the event's own order (order) then decides.
func mayNameNone(order payments.Order, record payments.Record, named payments.Order) bool {
	if named.CreatedAt.Sub(record.ReceivedAt).Abs() > payments.ClockGrace {
		return false
	}
	proved := order.Facts.PaidAt.Equal(record.ReceivedAt)
	return proved || !slices.Contains(order.Facts.Attention, payments.OtherReference)
}

// order compares an order with its items, with its columns search and open, and with the ledger. It
// also recomputes the order's state from its events by the domain's rules, but not what people
// changed, such as findings. named contains the other orders that the events name.
func (a *Audit) order(stored orderRow, events []payments.Record, named map[string]payments.Order) {
	order := stored.order
	a.Orders++
	add := func(format string, arguments ...any) { a.add("orders", order.Reference, format, arguments...) }
	total, err := payments.Total(order.Items)
	if err != nil || total != order.SaleTotal() || order.RestOf == "" && total != order.Amount || len(order.Items) == 0 {
		add("its amount is %v, and its items make %v", order.Amount, total)
	}
	// The search column contains each of these texts, folded. If it lacks one, the text or the
	// column was changed after it was stored.
	texts := []string{order.Reference, order.Description, order.OrderReference}
	for _, item := range order.Items {
		texts = append(texts, item.Label)
	}
	for _, text := range texts {
		if !strings.Contains(stored.search, fold(text)) {
			add("its text %q is not what it is found by", text)
		}
	}
	if stored.open != order.Open() {
		add("is kept as open: %v, and is so: %v", stored.open, order.Open())
	}
	if stored.posted != order.Collected() {
		add("its money in the ledger is %v, and by its state %v", stored.posted, order.Collected())
	}
	if back := order.Refunds; back.Area < 0 || back.Cash < 0 || back.Sum() > order.Amount {
		add("its refunds are %v in the merchant area and %v in cash, of %v", back.Area, back.Cash, order.Amount)
	}
	replayed := order
	replayed.Status = payments.StatusPending
	replayed.Facts = payments.Facts{}
	replayed.Finding = nil
	replayed.Refunds = payments.Refunds{}
	for _, record := range events {
		replayed, _ = replayed.Apply(record.Event, named[record.Event.Reference.Text], record.ReceivedAt)
	}
	if !order.Status.Reported() && !replayed.Status.Reported() {
		replayed.Status = order.Status // No event set the status, so it cannot be computed from the events.
	}
	for _, fact := range []struct {
		name             string
		stored, computed any
	}{
		{"status", order.Status, replayed.Status},
		{"paid_at", spelt(order.Facts.PaidAt), spelt(replayed.Facts.PaidAt)},
		{"success_seen", order.Facts.SuccessSeen, replayed.Facts.SuccessSeen},
		{"expired_seen", order.Facts.ExpiredSeen, replayed.Facts.ExpiredSeen},
	} {
		if fact.stored != fact.computed {
			add("its %s is %v, and by its events %v", fact.name, fact.stored, fact.computed)
		}
	}
	// Look only for missing reasons for attention: other orders and the cashier can raise more.
	for _, reason := range replayed.Facts.Attention {
		if !slices.Contains(order.Facts.Attention, reason) {
			add("its attention is %v, and by its events %v", joinAttention(order.Facts.Attention), reason)
		}
	}
}

// numbers counts the stored numbers of each series. It reports a series with fewer than were
// issued, for example if the last order is missing, which leaves no gap in the keys. Numbers that a
// restored backup skipped were not issued. A series may have more: a reference that a person chose
// may have the form of a number.
func (a *Audit) numbers(t *tx) error {
	for _, kind := range payments.NumberKinds() {
		table, number, condition := tableOf(kind)
		counted, err := t.counted(kind)
		if err != nil {
			return err
		}
		for _, each := range counted {
			last, first := kind.Number(each.series, each.value), each.series[len(kind)+1:]
			kept, err := one(t, "count numbers", column[int64], `SELECT count(*) FROM `+table+` WHERE `+condition+` AND `+number+` >= $1 AND `+number+` < $2
				AND (length(`+number+`) < length($3) OR length(`+number+`) = length($3) AND `+number+` <= $3)`, first+"-", first+".", last)
			if err != nil {
				return err
			}
			if missing := each.value - each.skipped - kept; missing > 0 {
				a.add(table, last, "%d of the numbers up to this one are not there", missing)
			}
		}
	}
	return nil
}

// excuses adds remarks about two counters: dropped events and skipped numbers. Other checks accept
// as many missing rows as these counters say. So a person who can write to the database could raise
// a counter to hide a deleted row.
func (a *Audit) excuses(t *tx) error {
	for _, query := range []string{
		`SELECT 'events', '', value || ' of them were dropped as unmatched: were there so many?' FROM meta WHERE key = 'dropped' AND value <> 0`,
		`SELECT 'counters', series, skipped || ' numbers are skipped, and no restored backup is recorded' FROM counters
			WHERE skipped <> 0 AND NOT EXISTS (SELECT 1 FROM transfers WHERE kind = 'restore') ORDER BY series`,
	} {
		found, err := list(t, "read what excuses missing rows", (*Difference).columns, query)
		if err != nil {
			return err
		}
		a.Remarks = append(a.Remarks, found...)
	}
	return nil
}

// counter is a row of the table counters. value is how many numbers of the series were issued or
// skipped; skipped is how many of them a restored backup has skipped.
type counter struct {
	series         string
	value, skipped int64
}

func (c *counter) columns() []any { return []any{&c.series, &c.value, &c.skipped} }

func (t *tx) counted(kind payments.NumberKind) ([]counter, error) {
	return list(t, "read the counters", (*counter).columns,
		`SELECT series, value, skipped FROM counters WHERE series >= $1 AND series < $2`, string(kind)+"/", string(kind)+"0")
}

func tableOf(kind payments.NumberKind) (table, column, condition string) {
	switch kind {
	case payments.OrderNumber:
		return "orders", "reference", "true"
	case payments.CashNumber:
		return "cash_sales", "number", "true"
	case payments.ReceiptNumber:
		return "receipts", "number", "true"
	}
	return "transfers", "ref", "kind = 'closing'"
}

// cash compares the total of each cash sale with its items. The amount may be less than the total,
// because a sale can be paid in parts.
func (a *Audit) cash(t *tx) error {
	type row struct {
		number, items string
		amount, total money.Ariary
	}
	columns := func(r *row) []any { return []any{&r.number, &r.items, &r.amount, &r.total} }
	return each(t, "read cash sales", columns, func(r row) bool {
		a.Cash++
		var stored []saleItem
		if json.Unmarshal([]byte(r.items), &stored) != nil {
			a.add("cash_sales", r.number, "its items cannot be read")
			return true
		}
		var items []payments.Item
		for _, item := range stored {
			items = append(items, payments.Item{UnitPrice: item.UnitPrice, Quantity: item.Quantity})
		}
		total, err := payments.Total(items)
		if err != nil || total != r.total || r.amount > r.total || len(items) == 0 {
			a.add("cash_sales", r.number, "its amount is %v of %v, and its items make %v", r.amount, r.total, total)
		}
		return true
	}, `SELECT number, items, amount, total FROM cash_sales ORDER BY number`)
}

func spelt(at time.Time) string {
	if at.IsZero() {
		return "unset"
	}
	return at.UTC().Format(time.RFC3339Nano)
}

func (a *Audit) texts(t *tx) error {
	type row struct{ key, text string }
	columns := func(r *row) []any { return []any{&r.key, &r.text} }
	for _, check := range []struct {
		table, problem, query string
		into                  any
	}{
		{"sales", "its items cannot be read", `SELECT id, items FROM sales`, &[]saleItem{}},
		{"cashiers", "the counts of wrong PINs cannot be read", `SELECT name, tries FROM cashiers`, &map[string]triesRow{}},
	} {
		rows, err := list(t, "read "+check.table, columns, check.query)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if json.Unmarshal([]byte(row.text), check.into) != nil {
				a.add(check.table, row.key, "%s", check.problem)
			}
		}
	}
	return nil
}
