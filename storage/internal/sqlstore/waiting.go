package sqlstore

import (
	"context"
	"time"

	"checkout/till/payments"
)

// Waiting is an unmatched event without what the sender wrote, as an outbox needs
// it to send it on.
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

// Remove deletes an event, which another database has now. It is no error when
// there is none.
func (s *Store) Remove(ctx context.Context, sequence int64) error {
	return s.writer.do(ctx, func(t *tx) error {
		_, err := t.exec(deleteEvent, sequence)
		return wrap("delete an event", err)
	})
}
