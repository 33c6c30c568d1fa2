package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"checkout/till/payments"
)

// The fields of an event are stored as bytes: they are untrusted input, and the
// event's identity is a hash over all of them. Raw bodies are read by [Verify] and
// [Store.Body] alone.
const (
	selectEvent = `SELECT
		e.sequence, e.id, e.kind, e.order_reference, e.kinds,
		e.reference, e.amount, e.currency, e.description, e.error,
		e.received_at, e.outcome, e.count, e.body_sha256,
		coalesce(o.reference, '')
		FROM events e LEFT JOIN orders o ON o.id = e.order_id `

	eventByID     = selectEvent + `WHERE e.order_reference = $1 AND e.id = $2`
	eventsOfOrder = selectEvent + `WHERE e.order_id = $1
		AND e.order_reference = (SELECT order_reference FROM orders WHERE id = $1) ORDER BY e.sequence`
	backlogEvents   = selectEvent + `WHERE e.order_reference = $1 AND e.order_id IS NULL ORDER BY e.sequence`
	unmatchedEvents = selectEvent + `WHERE e.order_id IS NULL AND (e.kind = $1 AND e.outcome = $2) = $3
		ORDER BY e.sequence DESC LIMIT $4`

	insertEvent = `INSERT INTO events (
		sequence, id, kind, order_reference, kinds,
		reference, amount, currency, description, error,
		received_at, outcome, count, body_sha256, body, body_size,
		order_id)
		VALUES ((SELECT coalesce(max(sequence), 0) + 1 FROM events), $1, $2, $3, $4,
		$5, $6, $7, $8, $9,
		$10, $11, $12, $13, $14, $15,
		(SELECT id FROM orders WHERE reference = $16))
		ON CONFLICT (order_reference, id) DO NOTHING RETURNING sequence, order_id`

	countDelivery = `UPDATE events SET count = count + 1 WHERE order_reference = $1 AND id = $2`

	updateEvent = `UPDATE events SET outcome = $2, order_id = (SELECT id FROM orders WHERE reference = $3)
		WHERE sequence = $1`

	knownEvent  = `SELECT count(*) FROM events WHERE order_reference = $1 AND id = $2`
	countEvents = `SELECT count(*) FROM events WHERE order_reference = $1`

	measureUnmatched = `SELECT count(*), coalesce(sum(body_size), 0), 0 FROM events WHERE order_id IS NULL`

	// Eviction order: what is no success, the successes somebody noticed, and last
	// the newest of the others.
	droppedUnmatched = `SELECT sequence, body_size, CASE WHEN kind = $1 AND outcome = $2 THEN 1 ELSE 0 END
		FROM events WHERE order_id IS NULL
		ORDER BY CASE WHEN kind <> $1 THEN 0 WHEN outcome <> $2 THEN 1 ELSE 2 END,
			CASE WHEN kind = $1 AND outcome = $2 THEN -sequence ELSE sequence END LIMIT $3`

	deleteEvent = `DELETE FROM events WHERE sequence = $1`
)

// valuesOf returns the event's values in the order of their columns.
func valuesOf(event *payments.Event) []*payments.Value {
	return []*payments.Value{
		&event.Reference, &event.Amount, &event.Currency, &event.Description, &event.Error,
	}
}

// scanEvent reads a row of selectEvent.
func scanEvent(scan scanFunc) (payments.Record, error) {
	var (
		record            payments.Record
		event             = &record.Event
		id, kinds, digest []byte
		fields            = valuesOf(event)
		texts             = make([][]byte, len(fields))
	)
	err := scan(
		&record.Sequence, &id, &event.Kind, &event.OrderReference, &kinds,
		&texts[0], &texts[1], &texts[2], &texts[3], &texts[4],
		instant{&record.ReceivedAt}, clean(&record.Outcome, maxKey), &record.Count, &digest,
		clean(&record.Order, maxKey),
	)
	if err != nil {
		return payments.Record{}, err
	}
	if len(id) != len(record.ID) || len(digest) != len(record.BodySHA256) || len(kinds) != len(fields) {
		return payments.Record{Sequence: record.Sequence}, fmt.Errorf("event %d is not as it was stored", record.Sequence)
	}
	record.ID, record.BodySHA256 = payments.EventID(id), [32]byte(digest)
	for i, field := range fields {
		*field = payments.Value{Kind: payments.ValueKind(kinds[i]), Text: string(texts[i])}
	}
	return record, nil
}

// eventValues are the values for insertEvent.
func eventValues(record payments.Record) []any {
	event := &record.Event
	fields := valuesOf(event)
	kinds := make([]byte, 0, len(fields))
	for _, field := range fields {
		kinds = append(kinds, byte(field.Kind))
	}
	values := []any{record.ID[:], string(event.Kind), event.OrderReference, kinds}
	for _, field := range fields {
		values = append(values, []byte(field.Text))
	}
	body := append([]byte{}, record.Body...) // Never null.
	return append(values, record.ReceivedAt.UnixMilli(), string(record.Outcome), record.Count,
		record.BodySHA256[:], body, len(body), record.Order)
}

// findEvents returns the events of an order, in order of arrival.
func findEvents(t *tx, order int64) ([]payments.Record, error) {
	events, err := list(t, scanEvent, eventsOfOrder, order)
	return events, wrap("read events", err)
}

// Unmatched returns events that no order has, at most limit: first the successes
// that nobody has looked at, and of each the newest first.
func (s *Store) Unmatched(ctx context.Context, limit int) (events []payments.Record, err error) {
	err = s.read(ctx, func(t *tx) error {
		for _, unnoticed := range []bool{true, false} {
			more, err := list(t, scanEvent, unmatchedEvents, string(payments.PaymentSuccess),
				string(payments.NoSuchOrder), unnoticed, max(0, limit-len(events)))
			if err != nil {
				return fmt.Errorf("read unmatched events: %w", err)
			}
			events = append(events, more...)
		}
		return nil
	})
	return events, err
}

// Events returns the transaction's part for events.
func (t *tx) Events() payments.EventLog { return t }

// Backlog returns the unmatched events of an order reference.
func (t *tx) Backlog(orderReference string) ([]payments.Record, error) {
	events, err := list(t, scanEvent, backlogEvents, orderReference)
	return events, wrap("read backlog", err)
}

// Known tells whether an event is stored.
func (t *tx) Known(orderReference string, id payments.EventID) (bool, error) {
	count, err := one(t, scanOne[int], knownEvent, orderReference, id[:])
	return count > 0, wrap("look for an event", err)
}

// Count returns how many events of an order reference are stored.
func (t *tx) Count(orderReference string) (int, error) {
	count, err := one(t, scanOne[int], countEvents, orderReference)
	return count, wrap("count events", err)
}

// inserted is the row that insertEvent returns.
type inserted struct {
	sequence int64
	order    sql.Null[int64]
}

func scanInserted(scan scanFunc) (row inserted, err error) {
	err = scan(&row.sequence, &row.order)
	return row, err
}

// Insert stores a new event with its order and its outcome, or counts the
// delivery of a known one.
func (t *tx) Insert(record payments.Record) (payments.Record, bool, error) {
	row, err := one(t, scanInserted, insertEvent, eventValues(record)...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return t.repeated(record)
	case err != nil:
		return payments.Record{}, false, fmt.Errorf("insert event: %w", err)
	case record.Order != "" && !row.order.Valid:
		return payments.Record{}, false, fmt.Errorf("find the order of an event: %w", payments.ErrNotFound)
	}
	t.note(1)
	record.Sequence = row.sequence
	return record, true, nil
}

// repeated counts the delivery of a stored event.
func (t *tx) repeated(record payments.Record) (payments.Record, bool, error) {
	if _, err := t.exec(countDelivery, record.Event.OrderReference, record.ID[:]); err != nil {
		return payments.Record{}, false, fmt.Errorf("count a delivery: %w", err)
	}
	stored, err := one(t, scanEvent, eventByID, record.Event.OrderReference, record.ID[:])
	return stored, false, wrap("read event", err)
}

// Save writes the order and the outcome of a stored event.
func (t *tx) Save(record payments.Record) error {
	written, err := t.exec(updateEvent, record.Sequence, string(record.Outcome), record.Order)
	if err == nil && written == 0 {
		err = fmt.Errorf("there is no event %d", record.Sequence)
	}
	return wrap("save event", err)
}

// unmatched is an unmatched event that may be dropped, or the sum of all.
type unmatched struct{ number, size, unnoticed int64 }

func scanUnmatched(scan scanFunc) (event unmatched, err error) {
	err = scan(&event.number, &event.size, &event.unnoticed)
	return event, err
}

// TrimUnmatched drops unmatched events beyond a number and a number of bytes.
func (t *tx) TrimUnmatched(limit int, bytes int64) (dropped int, err error) {
	all, err := one(t, scanUnmatched, measureUnmatched)
	if err != nil {
		return 0, fmt.Errorf("measure unmatched events: %w", err)
	}
	for all.number > int64(limit) || all.size > bytes {
		first, err := list(t, scanUnmatched, droppedUnmatched, string(payments.PaymentSuccess), string(payments.NoSuchOrder),
			max(1, all.number-int64(limit)))
		if err != nil {
			return dropped, fmt.Errorf("read unmatched events: %w", err)
		}
		for _, event := range first {
			if _, err := t.exec(deleteEvent, event.number); err != nil {
				return dropped, fmt.Errorf("drop an unmatched event: %w", err)
			}
			all.number, all.size, dropped = all.number-1, all.size-event.size, dropped+int(event.unnoticed)
		}
	}
	return dropped, nil
}
