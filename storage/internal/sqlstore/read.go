package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"checkout/till/payments"
)

// ReaderCount is how many reads run at a time at most.
const ReaderCount = 4

// readers is a pool of read-only sessions. The one that was used last is used
// first: who reads now and then needs one connection, with what is prepared on
// it.
type readers struct {
	pool    *sql.DB
	dialect Dialect
	doctor  *doctor
	places  chan struct{} // One entry for each read that may begin.
	closed  chan struct{}
	heard   atomic.Pointer[time.Time] // When the database answered last.

	mu   sync.Mutex
	idle []*session
}

func newReaders(pool *sql.DB, dialect Dialect) *readers {
	r := &readers{
		pool: pool, dialect: dialect,
		places: make(chan struct{}, ReaderCount), closed: make(chan struct{}),
	}
	for range ReaderCount {
		r.places <- struct{}{}
	}
	return r
}

// read runs a function that sees one moment of the database, unless there is a
// fault.
func (r *readers) read(ctx context.Context, see func(query queryFunc) error) error {
	select {
	case <-r.closed:
		return ErrClosed
	default:
	}
	return r.doctor.attend(r.doctor.keeper.Look, func() error { return r.perform(ctx, see) })
}

// perform does what read says, whatever the doctor says.
func (r *readers) perform(ctx context.Context, see func(query queryFunc) error) error {
	select {
	case <-r.places:
	case <-r.closed:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r.places <- struct{}{} }()
	s, err := r.begin(ctx)
	if err != nil {
		return err
	}
	// Whatever happens, the place is given back; a connection on which
	// something went wrong is not.
	sound := false
	defer func() { r.give(s, sound) }()
	seen := see(s.querying(ctx))
	if seen != nil && !errors.Is(seen, payments.ErrNotFound) {
		return seen
	}
	_, err = s.exec(ctx, "ROLLBACK")
	if sound = err == nil; sound {
		now := time.Now()
		r.heard.Store(&now)
	}
	return seen
}

// begin returns a session with a transaction. Connections that were lost since
// they were used last are passed over.
func (r *readers) begin(ctx context.Context) (*session, error) {
	for {
		s, err := r.take(ctx)
		if err != nil {
			return nil, err
		}
		fresh := s.fresh()
		_, err = s.exec(ctx, r.dialect.BeginRead())
		if err == nil {
			return s, nil
		}
		s.drop()
		if fresh || !r.dialect.Lost(err) {
			return nil, fmt.Errorf("begin to read: %w", err)
		}
	}
}

// take returns the session that was used last, or else a new one.
func (r *readers) take(ctx context.Context) (*session, error) {
	if s := r.last(); s != nil {
		return s, nil
	}
	return newSession(ctx, r.pool)
}

func (r *readers) last() *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.idle) - 1
	if last < 0 {
		return nil
	}
	s := r.idle[last]
	r.idle = r.idle[:last]
	return s
}

// give takes a session back, and closes one that is not sound.
func (r *readers) give(s *session, sound bool) {
	if !sound {
		s.drop()
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, s)
}

// drop closes all connections. Nobody reads meanwhile.
func (r *readers) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.idle {
		s.drop()
	}
	r.idle = nil
}

// close waits for the reads that are under way and refuses others.
func (r *readers) close() {
	close(r.closed)
	for range ReaderCount {
		<-r.places
	}
	r.drop()
}

// Order returns the order whose reference or order reference is ref, with its
// items, and its events in order of arrival. [payments.ErrNotFound].
func (s *Store) Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error) {
	var (
		order  payments.Order
		events []payments.Record
	)
	err := s.readers.read(ctx, func(query queryFunc) error {
		row, err := orderOf(query, scanOrder, orderByReference, ref)
		if errors.Is(err, payments.ErrNotFound) {
			row, err = orderOf(query, scanOrder, orderByOrderReference, ref)
		}
		if err != nil {
			return err
		}
		rows := []orderRow{row}
		if err := addItems(query, rows); err != nil {
			return err
		}
		if events, err = list(query, scanEvent, eventsOfOrder, row.order.OrderReference, row.id); err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		sortEvents(events)
		order = rows[0].order
		return nil
	})
	s.tally.complete(events)
	return order, events, err
}

// Orders returns the orders that fit, with their items, newest first. None are
// older than an order that does not exist.
func (s *Store) Orders(ctx context.Context, query payments.Query) ([]payments.Order, error) {
	var orders []payments.Order
	asked, grams := query, s.readers.dialect.Grams()
	err := s.readers.read(ctx, func(query queryFunc) error {
		rows, err := grams.find(query, asked, fewOrders)
		if err != nil {
			return fmt.Errorf("read orders: %w", err)
		}
		if err := addItems(query, rows); err != nil {
			return err
		}
		for _, row := range rows {
			orders = append(orders, row.order)
		}
		return nil
	})
	return orders, err
}

// Unmatched returns events that no order has, at most limit: first the successes
// that nobody has looked at, and of each the newest first.
func (s *Store) Unmatched(ctx context.Context, limit int) ([]payments.Record, error) {
	var events []payments.Record
	err := s.readers.read(ctx, func(query queryFunc) error {
		events = nil
		for _, statement := range []string{unnoticedEvents, unmatchedEvents} {
			more, err := list(query, scanEvent, statement, max(0, limit-len(events)),
				string(payments.PaymentSuccess), string(payments.NoSuchOrder))
			if err != nil {
				return fmt.Errorf("read unmatched events: %w", err)
			}
			events = append(events, more...)
		}
		return nil
	})
	s.tally.complete(events)
	return events, err
}

// Sales returns the till's sales that are being entered, newest first.
func (s *Store) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	var sales []payments.Sale
	err := s.readers.read(ctx, func(query queryFunc) (err error) {
		if sales, err = list(query, scanSale, salesOfTill, till); err != nil {
			return fmt.Errorf("read sales: %w", err)
		}
		return nil
	})
	return sales, err
}
