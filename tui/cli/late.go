package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
)

// errNotOpen says that the database was away since the start.
var errNotOpen = errors.New("the database is not open yet")

// lateStore is a database that was away when it was opened. Every call fails
// until run has opened it. It is safe for concurrent use.
type lateStore struct {
	open   func(ctx context.Context) (storage.Store, error)
	logger *slog.Logger
	opened chan struct{} // Closed when the database is open.

	mu    sync.Mutex
	store storage.Store // Nil until the database is open.
	fault error         // Why it could not be opened the last time.
}

var _ storage.Store = (*lateStore)(nil)

// newLateStore returns the database that open opens, which failed just now.
func newLateStore(open func(ctx context.Context) (storage.Store, error), fault error, logger *slog.Logger) *lateStore {
	return &lateStore{open: open, fault: fault, logger: logger, opened: make(chan struct{})}
}

// run opens the database as soon as it can be opened, and returns then or when
// ctx ends. Each reason why it cannot is logged once.
func (l *lateStore) run(ctx context.Context) error {
	const pause = time.Second
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	l.logger.Warn("the database is away: the listener opens it when it is there", slog.String(logFailure, l.away().Error()))
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		store, err := l.open(ctx)
		if err == nil {
			l.set(store)
			l.logger.Info("the database is open")
			return nil
		}
		if ctx.Err() == nil && l.differs(err) {
			l.logger.Warn("the database cannot be opened", slog.String(logFailure, err.Error()))
		}
	}
}

func (l *lateStore) set(store storage.Store) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.store, l.fault = store, nil
	close(l.opened)
}

// differs notes why the database cannot be opened, and tells whether that is
// another reason than before.
func (l *lateStore) differs(fault error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.fault
	l.fault = fault
	return known == nil || known.Error() != fault.Error()
}

// away returns why the database is not open, nil when it is.
func (l *lateStore) away() error {
	_, err := l.there()
	return err
}

// there returns the open database, or why there is none.
func (l *lateStore) there() (storage.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil {
		return nil, fmt.Errorf("%w: %w", errNotOpen, l.fault)
	}
	return l.store, nil
}

// Update runs change in one transaction of the open database.
func (l *lateStore) Update(ctx context.Context, change func(payments.Tx) error) error {
	store, err := l.there()
	if err != nil {
		return err
	}
	return store.Update(ctx, change)
}

// Order returns an order and its events.
func (l *lateStore) Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error) {
	store, err := l.there()
	if err != nil {
		return payments.Order{}, nil, err
	}
	return store.Order(ctx, ref)
}

// Orders returns the orders that fit, newest first.
func (l *lateStore) Orders(ctx context.Context, query payments.Query) ([]payments.Order, error) {
	return within(l, func(store storage.Store) ([]payments.Order, error) { return store.Orders(ctx, query) })
}

// Unmatched returns the newest events that no order has.
func (l *lateStore) Unmatched(ctx context.Context, limit int) ([]payments.Record, error) {
	return within(l, func(store storage.Store) ([]payments.Record, error) { return store.Unmatched(ctx, limit) })
}

// Sales returns the till's sales.
func (l *lateStore) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	return within(l, func(store storage.Store) ([]payments.Sale, error) { return store.Sales(ctx, till) })
}

// Articles returns the catalogue.
func (l *lateStore) Articles(ctx context.Context) ([]payments.Article, error) {
	return within(l, func(store storage.Store) ([]payments.Article, error) { return store.Articles(ctx) })
}

// Takings returns what a report is made from.
func (l *lateStore) Takings(ctx context.Context, period payments.Period) (payments.Takings, error) {
	return within(l, func(store storage.Store) (payments.Takings, error) { return store.Takings(ctx, period) })
}

// Probe writes and reads, durably.
func (l *lateStore) Probe(ctx context.Context) error {
	store, err := l.there()
	if err != nil {
		return err
	}
	return store.Probe(ctx)
}

// Watch returns a channel that says "something changed" until ctx ends; that
// the database was opened is a change.
func (l *lateStore) Watch(ctx context.Context) <-chan struct{} {
	notices := make(chan struct{}, 1)
	go func() {
		defer close(notices)
		select {
		case <-ctx.Done():
			return
		case <-l.opened:
		}
		store, err := l.there()
		if err != nil {
			return
		}
		changes, more := store.Watch(ctx), true
		for more {
			select {
			case notices <- struct{}{}:
			default: // One lies there.
			}
			_, more = <-changes
		}
	}()
	return notices
}

// Close closes the database if it is open. run has ended.
func (l *lateStore) Close() error {
	store, err := l.there()
	if err != nil {
		return nil //nolint:nilerr // What is not open is closed.
	}
	return store.Close()
}

// within reads from the open database.
func within[T any](l *lateStore, read func(storage.Store) (T, error)) (T, error) {
	store, err := l.there()
	if err != nil {
		var none T
		return none, err
	}
	return read(store)
}
