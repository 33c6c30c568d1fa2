package sqlstore

import (
	"context"
	"time"

	"checkout/till/payments"
)

// Waiting is the metadata of an unmatched event, for an outbox that forwards it.
type Waiting struct {
	Sequence       int64
	ID             payments.EventID
	OrderReference string
	ReceivedAt     time.Time
	Size           int64 // Of its body, in bytes.
}

const (
	waitingEvents = `SELECT sequence, id, order_reference, received_at, body_size FROM events WHERE order_id IS NULL ORDER BY sequence`
	eventBody     = `SELECT body FROM events WHERE sequence = $1`
)

func scanWaiting(scan scanFunc) (event Waiting, err error) {
	var id []byte
	err = scan(&event.Sequence, &id, &event.OrderReference, instant{&event.ReceivedAt}, &event.Size)
	copy(event.ID[:], id)
	return event, err
}

// Waiting returns all unmatched events, in order of arrival.
func (s *Store) Waiting(ctx context.Context) ([]Waiting, error) {
	return readAll(ctx, s, "read unmatched events", scanWaiting, waitingEvents)
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
