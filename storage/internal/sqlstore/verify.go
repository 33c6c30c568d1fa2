package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
)

const (
	// maxDifferences bounds how many differences are named; all are counted.
	maxDifferences = 1000
	// verifyChunk is how many rows are held in memory at a time.
	verifyChunk = 500
)

// Difference is a row that is not as it was stored, or that contradicts other
// rows.
type Difference struct {
	Table   string
	Row     string // An order's reference, an event's number or a key; may be empty.
	Problem string // In English. It may hold text from outside: clean it.
}

// Audit is the result of [Verify].
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

// Verify reads all events and orders of one moment and computes anew what can be
// computed: the hash of each event's body; its identity, from its fields and
// from its body; and of each order, by the domain's rules, its amount and what
// its events made of it. decode may be nil. Its error says that the database
// cannot be read.
func Verify(ctx context.Context, pool *sql.DB, dialect Dialect, decode Decoder, audit *Audit) error {
	t, err := begin(ctx, pool, false, dialect.BeginRead)
	if err != nil {
		return err
	}
	defer t.session.release(false)
	v := &verifier{Audit: audit, tx: t, decode: decode}
	for _, examine := range []func() error{v.events, v.links, v.orders, v.texts} {
		if err := examine(); err != nil {
			return err
		}
	}
	return nil
}

// verifier examines a database within one transaction.
type verifier struct {
	*Audit
	tx     *tx
	decode Decoder
}

const (
	eventsFrom = selectEvent + `WHERE e.sequence > $1 ORDER BY e.sequence LIMIT $2`
	bodiesFrom = `SELECT body FROM events WHERE sequence > $1 ORDER BY sequence LIMIT $2`

	ordersFrom  = selectOrder + `orders o WHERE o.id > $1 ORDER BY o.id LIMIT $2`
	derivedFrom = `SELECT search, open FROM orders WHERE id > $1 ORDER BY id LIMIT $2`

	eventsOfOrders = selectEvent + `WHERE e.order_reference IN (
		SELECT order_reference FROM orders WHERE id >= $1 AND id <= $2) ORDER BY e.sequence`
)

// events examines each event by itself.
func (v *verifier) events() error {
	for last := int64(0); ; {
		rows, err := list(v.tx, scanAnyEvent, eventsFrom, last, verifyChunk)
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		bodies, err := list(v.tx, scanOne[[]byte], bodiesFrom, last, verifyChunk)
		if err != nil || len(bodies) != len(rows) {
			return fmt.Errorf("read the bodies of events: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		for i, row := range rows {
			last = row.record.Sequence
			v.Events++
			v.event(row, bodies[i])
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

func (v *verifier) event(row anyEvent, body []byte) {
	record := row.record
	add := func(format string, arguments ...any) {
		v.Add("events", fmt.Sprint(record.Sequence), format, arguments...)
	}
	if row.shape != nil {
		add("%v", row.shape)
		return
	}
	if sha256.Sum256(body) != record.BodySHA256 {
		add("its body is not the one that was received")
	}
	if record.Event.ID() != record.ID {
		add("its fields are not those that were received")
	}
	if v.decode == nil {
		return
	}
	event, err := v.decode(body)
	switch {
	case err != nil:
		add("its body is no event: %v", err)
	case event.ID() != record.ID:
		add("its fields are not those of its body")
	}
}

// links examines what rows say of each other.
func (v *verifier) links() error {
	for _, check := range []struct{ table, problem, text string }{
		{"events", "its order is not there", `SELECT e.sequence FROM events e WHERE e.order_id IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = e.order_id)`},
		{"events", "its order has another order_reference", `SELECT e.sequence FROM events e
			JOIN orders o ON o.id = e.order_id WHERE o.order_reference <> e.order_reference`},
		{"events", "its order is there, and it was not applied", `SELECT e.sequence FROM events e
			JOIN orders o ON o.order_reference = e.order_reference AND o.order_reference <> '' WHERE e.order_id IS NULL`},
		{"events", "its outcome, its order, its size or its count cannot be", `SELECT e.sequence FROM events e
			WHERE (e.order_id IS NULL) <> (e.outcome IN ('unmatched', 'noticed')) OR e.count < 1 OR e.body_size <> length(e.body)`},
		{"order_items", "the order of these items is not there", `SELECT DISTINCT i.order_id FROM order_items i
			WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = i.order_id)`},
		{"orders", "another order of its sale is paid too, and it does not say so", `SELECT o.reference FROM orders o
			WHERE o.paid_at IS NOT NULL AND o.sale <> '' AND o.attention NOT LIKE '%paid_twice%' AND EXISTS (
			SELECT 1 FROM orders s WHERE s.sale = o.sale AND s.sale <> '' AND s.id <> o.id AND s.paid_at IS NOT NULL)`},
	} {
		rows, err := list(v.tx, scanOne[string], check.text)
		if err != nil {
			return fmt.Errorf("compare %s: %w", check.table, err)
		}
		for _, row := range rows {
			v.Add(check.table, row, "%s", check.problem)
		}
	}
	return nil
}

// texts examines the JSON that rows hold.
func (v *verifier) texts() error {
	for _, check := range []struct {
		table, problem, text string
		into                 func() any
	}{
		{"sales", "its items cannot be read", `SELECT id, items FROM sales`, func() any { return new([]saleItem) }},
		{"closings", "its sums cannot be read", `SELECT day, sums FROM closings`, func() any { return new(map[string]closedSum) }},
	} {
		rows, err := list(v.tx, func(scan scanFunc) (row [2]string, err error) { return row, scan(&row[0], &row[1]) }, check.text)
		if err != nil {
			return fmt.Errorf("read %s: %w", check.table, err)
		}
		for _, row := range rows {
			if json.Unmarshal([]byte(row[1]), check.into()) != nil {
				v.Add(check.table, row[0], "%s", check.problem)
			}
		}
	}
	return nil
}

// derived are the columns of an order that follow from its other columns.
type derived struct {
	search string
	open   bool
}

func scanDerived(scan scanFunc) (kept derived, err error) {
	err = scan(&kept.search, &kept.open)
	return kept, err
}

// orders examines each order with its items and its events.
func (v *verifier) orders() error {
	for last := int64(0); ; {
		rows, err := list(v.tx, scanOrder, ordersFrom, last, verifyChunk)
		if err != nil {
			return fmt.Errorf("read orders: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		kept, err := list(v.tx, scanDerived, derivedFrom, last, verifyChunk)
		if err != nil {
			return fmt.Errorf("read what orders are found by: %w", err)
		}
		if err := v.chunk(rows, kept); err != nil {
			return err
		}
		last = rows[len(rows)-1].id
	}
}

func (v *verifier) chunk(rows []orderRow, kept []derived) error {
	if err := addItems(v.tx, rows); err != nil {
		return err
	}
	records, err := list(v.tx, scanAnyEvent, eventsOfOrders, rows[0].id, rows[len(rows)-1].id)
	if err != nil {
		return fmt.Errorf("read the orders' events: %w", err)
	}
	events := map[string][]payments.Record{}
	for _, row := range records {
		if row.shape == nil { // The others were named before.
			events[row.record.Order] = append(events[row.record.Order], row.record)
		}
	}
	for i, row := range rows {
		v.Orders++
		v.order(row.order, events[row.order.Reference], kept[i])
	}
	return nil
}

func (v *verifier) order(order payments.Order, events []payments.Record, kept derived) {
	add := func(format string, arguments ...any) { v.Add("orders", order.Reference, format, arguments...) }
	total, err := payments.Total(order.Items)
	if err != nil || total != order.Amount || len(order.Items) == 0 {
		add("its amount is %v, and its items make %v", order.Amount, total)
	}
	// The column search repeats the texts: a flipped bit in one of the two shows.
	texts := []string{order.Reference, order.Description, order.OrderReference}
	for _, item := range order.Items {
		texts = append(texts, item.Label)
	}
	for _, text := range texts {
		if !strings.Contains(kept.search, fold(text)) {
			add("its text %q is not what it is found by", text)
		}
	}
	if kept.open != order.Open() {
		add("is kept as open: %v, and is so: %v", kept.open, order.Open())
	}
	v.replay(order, events)
}

// replay compares an order with what its events make of it by the domain's
// rules. What people did to it is not in its events and is left out.
func (v *verifier) replay(order payments.Order, events []payments.Record) {
	replayed := order
	replayed.Status, replayed.Facts, replayed.Finding = payments.StatusPending, payments.Facts{}, nil
	for _, record := range events {
		replayed, _ = replayed.Apply(record.Event, nil, record.ReceivedAt)
	}
	differ := func(what string, stored, computed any) {
		v.Add("orders", order.Reference, "its %s is %v, and by its events %v", what, stored, computed)
	}
	// An order of which no event said anything has one of the other states.
	if replayed.Status.Reported() && order.Status != replayed.Status || !replayed.Status.Reported() && order.Status.Reported() {
		differ("status", order.Status, replayed.Status)
	}
	stored, computed := order.Facts, replayed.Facts
	if !stored.PaidAt.Equal(computed.PaidAt) {
		differ("paid_at", spelt(stored.PaidAt), spelt(computed.PaidAt))
	}
	if stored.SuccessSeen != computed.SuccessSeen {
		differ("success_seen", stored.SuccessSeen, computed.SuccessSeen)
	}
	if stored.ExpiredSeen != computed.ExpiredSeen {
		differ("expired_seen", stored.ExpiredSeen, computed.ExpiredSeen)
	}
	// What its siblings and its cashier raised stands beside it.
	for _, reason := range computed.Attention {
		if !slices.Contains(stored.Attention, reason) {
			differ("attention", joinAttention(stored.Attention), reason)
		}
	}
}

// spelt formats a time for people.
func spelt(at time.Time) string {
	if at.IsZero() {
		return "unset"
	}
	return at.UTC().Format(time.RFC3339Nano)
}
