package sqlstore

import (
	"context"
	"time"

	"checkout/till/payments"
)

// QueuedEvent is the metadata of an unmatched event, for an outbox that forwards it.
type QueuedEvent struct {
	Sequence       int64
	ID             payments.EventID
	OrderReference string
	ReceivedAt     time.Time
	Size           int64 // Of its body, in bytes.
}

const (
	queuedEvents = `SELECT sequence, id, order_reference, received_at, body_size FROM events WHERE order_id IS NULL ORDER BY sequence`
	eventBody    = `SELECT body FROM events WHERE sequence = $1`
)

func scanQueued(scan scanFunc) (event QueuedEvent, err error) {
	var id []byte
	err = scan(&event.Sequence, &id, &event.OrderReference, instant{&event.ReceivedAt}, &event.Size)
	copy(event.ID[:], id)
	return event, err
}

// QueuedEvents returns all unmatched events, in order of arrival.
func (s *Store) QueuedEvents(ctx context.Context) ([]QueuedEvent, error) {
	return readAll(ctx, s, "read unmatched events", scanQueued, queuedEvents)
}

// Body returns the raw body of an event.
func (s *Store) Body(ctx context.Context, sequence int64) (body []byte, err error) {
	err = s.read(ctx, func(t *tx) error {
		body, err = one(t, scanOne[[]byte], eventBody, sequence)
		return wrap("read the body of an event", err)
	})
	return body, err
}

// Remove deletes an event that was forwarded. It is idempotent.
func (s *Store) Remove(ctx context.Context, sequence int64) error {
	return s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(deleteEvent, sequence)
		return wrap("delete an event", err)
	})
}
