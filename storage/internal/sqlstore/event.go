package sqlstore

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
)

// The fields of an event are stored as bytes: they are whatever the sender
// wrote, and their identity depends on every one of them.
const (
	insertEvent = `INSERT INTO events (sequence, id, kind, order_reference, kinds,
		reference, amount, currency, description, error,
		received_at, outcome, count, body, body_sha256, order_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
		ON CONFLICT (order_reference, id) DO NOTHING`

	lastSequence = `SELECT coalesce(max(sequence), 0) FROM events`

	selectEvent = `SELECT e.id, e.kind, e.order_reference, e.kinds, e.reference, e.amount, e.currency,
		e.description, e.error, e.received_at, e.outcome, e.count, e.body, e.body_sha256,
		e.sequence, coalesce(o.reference, '')
		FROM events e LEFT JOIN orders o ON o.id = e.order_id `

	eventByID       = selectEvent + `WHERE e.order_reference = $1 AND e.id = $2`
	eventsOfOrder   = selectEvent + `WHERE e.order_reference = $1 AND e.order_id = $2`
	unnoticedEvents = selectEvent + `WHERE e.order_id IS NULL AND e.kind = $2 AND e.outcome = $3
		ORDER BY e.sequence DESC LIMIT $1`
	unmatchedEvents = selectEvent + `WHERE e.order_id IS NULL AND (e.kind <> $2 OR e.outcome <> $3)
		ORDER BY e.sequence DESC LIMIT $1`
	backlogEvents = selectEvent + `WHERE e.order_reference = $1 AND e.order_id IS NULL`

	saveEvent = `UPDATE events SET outcome = $2, order_id = $3 WHERE sequence = $1`

	countUnmatched = `SELECT count(*) FROM events WHERE order_id IS NULL`

	countEvents = `SELECT count(*) FROM events WHERE order_reference = $1`
	knownEvent  = `SELECT count(*) FROM events WHERE order_reference = $1 AND id = $2`
	dropEvent   = `DELETE FROM events WHERE sequence = $1`

	unmatchedBytes = `SELECT coalesce(sum(length(body)), 0) FROM events WHERE order_id IS NULL`
	unmatchedDrops = `SELECT sequence, length(body), CASE WHEN kind = $1 AND outcome = $2 THEN 1 ELSE 0 END
		FROM events WHERE order_id IS NULL
		ORDER BY CASE WHEN kind <> $1 THEN 0 WHEN outcome <> $2 THEN 1 ELSE 2 END,
			CASE WHEN kind = $1 AND outcome = $2 THEN -sequence ELSE sequence END`
)

// eventLog is the part of a transaction that concerns events.
type eventLog struct{ tx *transaction }

// Insert stores a new event with its order and its outcome, or counts the
// delivery of a known one.
func (l eventLog) Insert(record payments.Record) (payments.Record, bool, error) {
	values, err := l.eventValues(&record)
	if err != nil {
		return payments.Record{}, false, err
	}
	written, err := l.tx.exec(insertEvent, values...)
	if err != nil {
		return payments.Record{}, false, fmt.Errorf("insert event: %w", err)
	}
	if written > 0 {
		return record, true, nil
	}
	stored, err := one(l.tx.query, scanEvent, eventByID, record.Event.OrderReference, record.ID[:])
	if err != nil {
		return payments.Record{}, false, fmt.Errorf("read event: %w", err)
	}
	l.tx.repeated = append(l.tx.repeated, nameOf(stored))
	stored.Count += l.tx.deliveries(nameOf(stored))
	return stored, false, nil
}

// Save writes the order and the outcome of a stored event.
func (l eventLog) Save(record payments.Record) error {
	order, err := l.tx.orderID(record.Order)
	if err != nil {
		return err
	}
	written, err := l.tx.exec(saveEvent, record.Sequence, string(record.Outcome), order)
	if err == nil && written == 0 {
		err = fmt.Errorf("there is no event %d", record.Sequence)
	}
	if err != nil {
		return fmt.Errorf("save event: %w", err)
	}
	return nil
}

// Backlog returns the unmatched events of an order reference.
func (l eventLog) Backlog(orderReference string) ([]payments.Record, error) {
	records, err := list(l.tx.query, scanEvent, backlogEvents, orderReference)
	if err != nil {
		return nil, fmt.Errorf("read backlog: %w", err)
	}
	sortEvents(records)
	return records, nil
}

// Known tells whether an event is stored.
func (l eventLog) Known(orderReference string, id payments.EventID) (bool, error) {
	count, err := one(l.tx.query, scanInt, knownEvent, orderReference, id[:])
	if err != nil {
		return false, fmt.Errorf("look for an event: %w", err)
	}
	return count > 0, nil
}

// Count returns how many events of an order reference are stored.
func (l eventLog) Count(orderReference string) (int, error) {
	count, err := one(l.tx.query, scanInt, countEvents, orderReference)
	if err != nil {
		return 0, fmt.Errorf("count events: %w", err)
	}
	return int(count), nil
}

// TrimUnmatched drops unmatched events beyond a limit of their number and one
// of their bytes.
func (l eventLog) TrimUnmatched(limit int, bytes int64) (dropped int, err error) {
	count, err := one(l.tx.query, scanInt, countUnmatched)
	if err != nil {
		return 0, fmt.Errorf("count unmatched events: %w", err)
	}
	size, err := one(l.tx.query, scanInt, unmatchedBytes)
	if err != nil {
		return 0, fmt.Errorf("measure unmatched events: %w", err)
	}
	if count <= int64(limit) && size <= bytes {
		return 0, nil
	}
	drops, err := list(l.tx.query, scanDrop, unmatchedDrops, string(payments.PaymentSuccess), string(payments.NoSuchOrder))
	if err != nil {
		return 0, fmt.Errorf("read unmatched events: %w", err)
	}
	for _, drop := range drops {
		if count <= int64(limit) && size <= bytes {
			break
		}
		if _, err := l.tx.exec(dropEvent, drop.sequence); err != nil {
			return dropped, fmt.Errorf("trim unmatched events: %w", err)
		}
		count, size, dropped = count-1, size-drop.size, dropped+int(drop.unnoticed)
	}
	return dropped, nil
}

// drop is an unmatched event that may be dropped.
type drop struct{ sequence, size, unnoticed int64 }

func scanDrop(scan scanFunc) (d drop, err error) {
	err = scan(&d.sequence, &d.size, &d.unnoticed)
	return d, err
}

// sortEvents puts the events of an order reference, which are few, in the order
// in which they came.
func sortEvents(records []payments.Record) {
	slices.SortFunc(records, func(a, b payments.Record) int { return cmp.Compare(a.Sequence, b.Sequence) })
}

// eventFields returns the event's values in the order of their columns.
func eventFields(event *payments.Event) []*payments.Value {
	return []*payments.Value{
		&event.Reference, &event.Amount, &event.Currency, &event.Description, &event.Error,
	}
}

// eventValues numbers an event and returns the values for insertEvent.
func (l eventLog) eventValues(record *payments.Record) ([]any, error) {
	order, err := l.tx.orderID(record.Order)
	if err != nil {
		return nil, err
	}
	if record.Sequence, err = l.tx.batch.nextEvent(l.tx.query); err != nil {
		return nil, fmt.Errorf("number event: %w", err)
	}
	event := &record.Event
	fields := eventFields(event)
	kinds := make([]byte, 0, len(fields))
	for _, field := range fields {
		kinds = append(kinds, byte(field.Kind))
	}
	values := append(make([]any, 0, 16), record.Sequence, record.ID[:], string(event.Kind), event.OrderReference, kinds)
	for _, field := range fields {
		values = append(values, []byte(field.Text))
	}
	return append(values, record.ReceivedAt.UnixMilli(), string(record.Outcome), record.Count,
		nonNil(record.Body), record.BodySHA256[:], order), nil
}

// nonNil keeps an empty body from being stored as null, and from being read so.
func nonNil(body []byte) []byte {
	if body == nil {
		return []byte{}
	}
	return body
}

// scanEvent reads a row of selectEvent.
func scanEvent(scan scanFunc) (payments.Record, error) {
	var (
		record            payments.Record
		event             = &record.Event
		id, kinds, digest []byte
		kind, outcome     string
		received          int64
		fields            = eventFields(event)
		texts             = make([][]byte, len(fields))
	)
	err := scan(&id, &kind, &event.OrderReference, &kinds,
		&texts[0], &texts[1], &texts[2], &texts[3], &texts[4],
		&received, &outcome, &record.Count, &record.Body, &digest, &record.Sequence, &record.Order)
	if err != nil {
		return payments.Record{}, err
	}
	if len(id) != len(record.ID) || len(digest) != len(record.BodySHA256) || len(kinds) != len(fields) {
		return payments.Record{Sequence: record.Sequence}, fmt.Errorf("event %d is not as it was stored", record.Sequence)
	}
	record.ID, record.BodySHA256 = payments.EventID(id), [32]byte(digest)
	event.Kind, record.Outcome = payments.EventKind(kind), payments.Outcome(outcome)
	record.Body = nonNil(record.Body)
	record.ReceivedAt = time.UnixMilli(received).UTC()
	for i, field := range fields {
		*field = payments.Value{Kind: payments.ValueKind(kinds[i]), Text: string(texts[i])}
	}
	return record, nil
}
