package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"

	"checkout/till/payments"
)

// maxDifferences bounds how many differences are named; all are counted.
const maxDifferences = 1000

// auditChunk is how many rows are held in memory at a time.
const auditChunk = 500

// Difference is a row that does not hold what was stored, or what follows from
// other rows.
type Difference struct {
	Table   string
	Row     string // An order's reference, an event's number or a key; may be empty.
	Problem string // In English. It may hold text from outside: clean it.
}

// Audit is what [Examine] found.
type Audit struct {
	Orders, Events int64 // How many were examined.
	Found          int64 // How many differences there are.
	Differences    []Difference
}

// Add notes a difference.
func (a *Audit) Add(table, row, format string, arguments ...any) {
	a.Found++
	if len(a.Differences) < maxDifferences {
		a.Differences = append(a.Differences, Difference{table, row, fmt.Sprintf(format, arguments...)})
	}
}

// Decoder reads an event from the raw body in which it came.
type Decoder func(body []byte) (payments.Event, error)

// Examine reads all events and orders of one moment and computes anew what can
// be computed: the hash of each event's body, the identity of the event, once
// as it is stored and once from the body, and for each order, by the domain's
// rules, its amount, what its events made of it, and what is kept of the
// domain's view. decode may be nil. Its error says that the database cannot be
// read.
func Examine(ctx context.Context, pool *sql.DB, dialect Dialect, decode Decoder, audit *Audit) error {
	s, err := newSession(ctx, pool)
	if err != nil {
		return err
	}
	defer s.drop()
	if _, err := s.exec(ctx, dialect.BeginRead()); err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	a := &auditor{Audit: audit, query: s.querying(ctx), decode: decode}
	// A step of the schema may have left it to the next opening.
	pending, err := one(a.query, scanInt, selectDerive)
	if err != nil {
		return fmt.Errorf("read what is pending: %w", err)
	}
	a.derived = pending == 0
	for _, examine := range []func() error{a.events, a.links, a.orders, a.sums} {
		if err := examine(); err != nil {
			return err
		}
	}
	return nil
}

// auditor examines a database within one transaction.
type auditor struct {
	*Audit
	query   queryFunc
	decode  Decoder
	derived bool    // The domain's view of the orders is kept.
	takings takings // As the orders' rows make them.
}

const (
	eventsFrom = selectEvent + `WHERE e.sequence > $1 ORDER BY e.sequence LIMIT $2`

	// The rows that say of each other what cannot be. Each query returns what
	// names the row.
	strayEvents = `SELECT e.sequence FROM events e WHERE e.order_id IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = e.order_id)`
	othersEvents = `SELECT e.sequence FROM events e JOIN orders o ON o.id = e.order_id
		WHERE o.order_reference <> e.order_reference`
	forgottenEvents = `SELECT e.sequence FROM events e JOIN orders o ON o.order_reference = e.order_reference
		AND o.order_reference <> '' WHERE e.order_id IS NULL`
	contraryEvents = `SELECT e.sequence FROM events e
		WHERE (e.order_id IS NULL) <> (e.outcome IN ('unmatched', 'noticed')) OR e.count < 1`
	strayItems = `SELECT DISTINCT i.order_id FROM order_items i
		WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = i.order_id)`
	onceOnly = `SELECT o.reference FROM orders o WHERE o.paid_at IS NOT NULL AND o.sale <> ''
		AND ',' || o.attention || ',' NOT LIKE '%,paid_twice,%'
		AND EXISTS (SELECT 1 FROM orders s WHERE s.sale = o.sale AND s.sale <> ''
			AND s.id <> o.id AND s.paid_at IS NOT NULL)`
	lateOrders = `SELECT reference FROM orders
		WHERE change_seq > (SELECT value FROM meta WHERE key = 'change_seq')`
)

// events examines each event by itself.
func (a *auditor) events() error {
	for last := int64(0); ; {
		rows, err := list(a.query, scanAnyEvent, eventsFrom, last, auditChunk)
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		for _, row := range rows {
			last = row.record.Sequence
			a.Events++
			a.event(row)
		}
	}
}

// anyEvent is an event's row, which may be misshapen.
type anyEvent struct {
	record payments.Record
	shape  error
}

func scanAnyEvent(scan scanFunc) (row anyEvent, err error) {
	row.record, err = scanEvent(scan)
	if row.record.Sequence != 0 && err != nil {
		return anyEvent{record: row.record, shape: err}, nil //nolint:nilerr // It is a finding.
	}
	return row, err
}

func (a *auditor) event(row anyEvent) {
	record, name := row.record, fmt.Sprint(row.record.Sequence)
	if row.shape != nil {
		a.Add("events", name, "%v", row.shape)
		return
	}
	if sha256.Sum256(record.Body) != record.BodySHA256 {
		a.Add("events", name, "its body is not the one that was received")
	}
	if record.Event.ID() != record.ID {
		a.Add("events", name, "its fields are not those that were received")
	}
	if a.decode == nil {
		return
	}
	event, err := a.decode(record.Body)
	switch {
	case err != nil:
		a.Add("events", name, "its body is no event: %v", err)
	case event.ID() != record.ID:
		a.Add("events", name, "its fields are not those of its body")
	}
}

// links examines what rows say of each other.
func (a *auditor) links() error {
	for _, check := range []struct{ table, text, problem string }{
		{"events", strayEvents, "its order is not there"},
		{"events", othersEvents, "its order has another order_reference"},
		{"events", forgottenEvents, "its order is there, and it was not applied"},
		{"events", contraryEvents, "its outcome, its order or its count cannot be"},
		{"order_items", strayItems, "the order of these items is not there"},
		{"orders", onceOnly, "another order of its sale is paid too, and it does not say so"},
		{"orders", lateOrders, "it was written after the last change"},
	} {
		rows, err := list(a.query, scanName, check.text)
		if err != nil {
			return fmt.Errorf("compare %s: %w", check.table, err)
		}
		for _, row := range rows {
			a.Add(check.table, row, "%s", check.problem)
		}
	}
	return nil
}

// scanName reads whatever names a row.
func scanName(scan scanFunc) (name string, err error) {
	err = scan(&name)
	return name, err
}
