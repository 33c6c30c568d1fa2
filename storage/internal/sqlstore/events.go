package sqlstore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"checkout/till/payments"
)

// eventFields are the columns of an event e, and the reference of its order o. The columns from
// reference to error are stored as bytes, because they are untrusted input and the event's ID is a
// hash of all fields.
const eventFields = `
	e.sequence, e.id, e.kind, e.order_reference, e.kinds,
	e.reference, e.amount, e.currency, e.description, e.error,
	e.received_at, e.outcome, e.count, e.body_sha256, coalesce(o.reference, '')
	FROM events e LEFT JOIN orders o ON o.id = e.order_id `

const selectEvent = `SELECT` + eventFields

func eventColumns(r *payments.Record) []any {
	e := &r.Event
	return []any{
		&r.Sequence, sized(len(r.ID), func(id []byte) { r.ID = payments.EventID(id) }), &e.Kind, &e.OrderReference, kinds(e),
		raw(&e.Reference.Text), raw(&e.Amount.Text), raw(&e.Currency.Text), raw(&e.Description.Text), raw(&e.Error.Text),
		instant(&r.ReceivedAt), cleaned(&r.Effect, maxKey), &r.Count,
		sized(sha256.Size, func(sum []byte) { r.BodySHA256 = [sha256.Size]byte(sum) }), cleaned(&r.Order, maxKey),
	}
}

func kinds(e *payments.Event) scanner {
	values := valuesOf(e)
	return sized(len(values), func(kinds []byte) {
		for i, value := range values {
			value.Kind = payments.ValueKind(kinds[i])
		}
	})
}

func valuesOf(e *payments.Event) []*payments.Value {
	return []*payments.Value{&e.Reference, &e.Amount, &e.Currency, &e.Description, &e.Error}
}

const (
	insertEvent = `INSERT INTO events (
		sequence, id, kind, order_reference, kinds,
		reference, amount, currency, description, error,
		received_at, outcome, count, body_sha256, body, body_size, order_id)
		VALUES ((SELECT coalesce(max(sequence), 0) + 1 FROM events), $1, $2, $3, $4,
		$5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
		ON CONFLICT (order_reference, id) DO UPDATE SET count = events.count + 1`

	// countDropped adds one to the number of deleted events, so that [Verify] can explain gaps in the
	// sequence numbers.
	countDropped = `UPDATE meta SET value = value + 1 WHERE key = 'dropped'`
)

// Unmatched implements [payments.Reader]. A limit below zero counts as 0.
func (s *Store) Unmatched(ctx context.Context, limit int) (unmatched []payments.Record, err error) {
	err = s.read(ctx, func(t *tx) error {
		askUnmatched(t, &unmatched, limit)
		return nil
	})
	return unmatched, err
}

func askUnmatched(t *tx, unmatched *[]payments.Record, limit int) {
	askAll(t, unmatched, "read unmatched events", eventColumns,
		selectEvent+`WHERE e.order_id IS NULL ORDER BY (e.kind = $1 AND e.outcome = $2) DESC, e.sequence DESC LIMIT $3`,
		string(payments.PaymentSuccess), string(payments.Unmatched), max(0, limit))
}

// Event implements [payments.Tx]. In the same round trip, it reads the order with this order
// reference, for a later OrderOf.
func (t *tx) Event(orderReference string, id payments.EventID) (stored payments.Record, count int, err error) {
	if t.over {
		return stored, 0, errOver
	}
	err = payments.ErrNotFound
	ask(t, "read event", eventColumns, func(found payments.Record) bool {
		stored = found
		err = nil
		return true
	}, selectEvent+`WHERE e.order_reference = $1 AND e.id = $2`, orderReference, id[:])
	ask(t, "count events", column[int], func(found int) bool {
		count = found
		return true
	}, `SELECT count(*) FROM events WHERE order_reference = $1`, orderReference)
	if _, failed := t.find(byOrderReference, orderReference); failed != nil && !errors.Is(failed, payments.ErrNotFound) {
		err = failed
	}
	return stored, count, err
}

// UnmatchedEvents implements [payments.Tx]. In the same round trip, it looks up which order has the
// order reference, for SaveOrder.
func (t *tx) UnmatchedEvents(orderReference string) (waiting []payments.Record, err error) {
	if t.over {
		return nil, errOver
	}
	askAll(t, &waiting, "read unmatched events", eventColumns,
		selectEvent+`WHERE e.order_reference = $1 AND e.order_id IS NULL ORDER BY e.sequence`, orderReference)
	if _, err = t.findAlone(byOrderReference, orderReference); errors.Is(err, payments.ErrNotFound) {
		err = nil
	}
	return waiting, err
}

func (t *tx) InsertEvent(r payments.Record) error {
	var order any // NULL for an unmatched event.
	if r.Order != "" {
		if _, read := t.stored[r.Order]; !read {
			if _, err := t.Order(r.Order); err != nil {
				return err
			}
		}
		order = t.stored[r.Order].id
	}
	kinds, texts := []byte{}, []any{}
	for _, value := range valuesOf(&r.Event) {
		kinds, texts = append(kinds, byte(value.Kind)), append(texts, []byte(value.Text))
	}
	values := append([]any{r.ID[:], string(r.Event.Kind), r.Event.OrderReference, kinds}, texts...)
	body := append([]byte{}, r.Body...) // A nil slice would be inserted as NULL.
	t.note(1)
	return t.write("insert event", insertEvent, append(values,
		r.ReceivedAt.UnixMilli(), string(r.Effect), r.Count, r.BodySHA256[:], body, len(body), order)...)
}

func (t *tx) SaveEvent(r payments.Record) error {
	written, err := t.exec("save event", `UPDATE events SET outcome = $2, order_id = (SELECT id FROM orders WHERE reference = $3)
		WHERE sequence = $1`, r.Sequence, string(r.Effect), r.Order)
	if err == nil && written == 0 {
		err = fmt.Errorf("save event: there is no event %d", r.Sequence)
	}
	return err
}

func (t *tx) TrimUnmatchedEvents(limit int, bytes int64) (dropped int, err error) {
	// Rank the events, the most important first, and delete those beyond the maximum number or total size.
	unnoticed, err := list(t, "drop unmatched events", column[int], `DELETE FROM events WHERE sequence IN (SELECT sequence FROM (
		SELECT sequence, count(*) OVER kept AS number, sum(body_size) OVER kept AS size FROM events WHERE order_id IS NULL
		WINDOW kept AS (ORDER BY CASE WHEN kind <> $1 THEN 2 WHEN outcome <> $2 THEN 1 ELSE 0 END,
			CASE WHEN kind = $1 AND outcome = $2 THEN sequence ELSE -sequence END)
		) AS ranked WHERE number > $3 OR size > $4)
		RETURNING CASE WHEN kind = $1 AND outcome = $2 THEN 1 ELSE 0 END`,
		string(payments.PaymentSuccess), string(payments.Unmatched), limit, bytes)
	for _, one := range unnoticed {
		dropped += one
		if err == nil {
			err = t.write("count a dropped event", countDropped)
		}
	}
	return dropped, err
}

// QueuedEvents returns all unmatched events, in order of arrival. In the outbox's file, these are
// the queued events.
func (s *Store) QueuedEvents(ctx context.Context) ([]payments.Record, error) {
	return readAll(ctx, s, "read unmatched events", eventColumns, selectEvent+`WHERE e.order_id IS NULL ORDER BY e.sequence`)
}

// Body reads the raw body of a stored event. The methods that return events leave the body out.
func (s *Store) Body(ctx context.Context, event payments.Record) (body []byte, err error) {
	err = s.read(ctx, func(t *tx) error {
		body, err = one(t, "read the body of an event", column[[]byte],
			`SELECT body FROM events WHERE order_reference = $1 AND id = $2`, event.Event.OrderReference, event.ID[:])
		return err
	})
	return body, err
}

// Remove deletes an event that the outbox has forwarded. A missing event is not an error. Remove
// finds the event by its ID, because a later event may get a deleted event's sequence number.
func (s *Store) Remove(ctx context.Context, event payments.Record) error {
	return s.do(ctx, func(t *tx) error {
		deleted, err := t.exec("delete an event",
			`DELETE FROM events WHERE order_reference = $1 AND id = $2`, event.Event.OrderReference, event.ID[:])
		if err == nil && deleted > 0 {
			err = t.write("count a dropped event", countDropped)
		}
		return err
	})
}
