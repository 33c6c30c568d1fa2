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

// errOpening says that the database has not answered yet.
var errOpening = errors.New("it is being opened")

// lateStore is a database that is opened in the background. Every call fails
// until it is open. It is safe for concurrent use.
type lateStore struct {
	open   func(ctx context.Context) (storage.Store, error)
	logger *slog.Logger
	opened chan struct{} // Closed when the database is open.
	first  chan error    // How the first attempt to open it ended; one slot.
	leave  context.CancelFunc
	left   chan struct{} // Closed when nobody tries to open it any more.

	mu    sync.Mutex
	store storage.Store // Nil until the database is open.
	fault error         // Why it is not open.
}

var _ storage.Store = (*lateStore)(nil)

// openLate opens a database in the background, until [lateStore.Close].
func openLate(ctx context.Context, open func(ctx context.Context) (storage.Store, error), logger *slog.Logger) *lateStore {
	l := &lateStore{
		open: open, logger: logger, opened: make(chan struct{}), first: make(chan error, 1), left: make(chan struct{}),
		fault: errOpening,
	}
	ctx, l.leave = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(l.left)
		l.run(ctx)
	}()
	return l
}

// run opens the database as soon as it can be opened, and returns then or when
// ctx ends. Each reason why it cannot is logged once.
func (l *lateStore) run(ctx context.Context) {
	const pause = time.Second
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for first := true; ; first = false {
		store, err := l.open(ctx)
		if err == nil {
			l.set(store)
		} else if differs := l.differs(err); differs && !first && ctx.Err() == nil {
			l.logger.Warn("the database cannot be opened", slog.String(LogFailure, err.Error()))
		}
		if first {
			l.first <- err
		}
		if err == nil {
			if !first {
				l.logger.Info("the database is open")
			}
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// begun waits until the first attempt to open the database has ended, for as
// long as patience lasts, and returns why it cannot be opened as things are.
// One that is away is no error: it is opened when it is there.
func (l *lateStore) begun(ctx context.Context, patience time.Duration) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case err := <-l.first:
		if err != nil && !storage.Away(err) {
			return err
		}
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	if fault := l.away(); fault != nil {
		l.logger.Warn("the database is away: it is opened when it is there", slog.String(LogFailure, fault.Error()))
	}
	return nil
}

// watched returns when ctx ends, or earlier with the reason why the database
// cannot be opened as things are, if that was found out after [lateStore.begun]
// had no more patience.
func (l *lateStore) watched(ctx context.Context) error {
	select {
	case err := <-l.first:
		if err != nil && !storage.Away(err) {
			return err
		}
		<-ctx.Done()
	case <-ctx.Done():
	}
	return nil
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
	return known.Error() != fault.Error()
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
func (l *lateStore) Takings(ctx context.Context, period payments.Period, count func(payments.Order) bool) ([]payments.Sold, error) {
	return within(l, func(store storage.Store) ([]payments.Sold, error) { return store.Takings(ctx, period, count) })
}

// Probe writes and reads, durably.
func (l *lateStore) Probe(ctx context.Context) error {
	store, err := l.there()
	if err != nil {
		return err
	}
	return store.Probe(ctx)
}

// Heard returns when the database answered last.
func (l *lateStore) Heard() time.Time {
	store, err := l.there()
	if err != nil {
		return time.Time{}
	}
	return store.Heard()
}

// Connection tells what [storage.ConnectionOf] does; nothing before the database
// is open.
func (l *lateStore) Connection() storage.Connection {
	store, err := l.there()
	if err != nil {
		return storage.Connection{Local: true}
	}
	connection, _ := storage.ConnectionOf(store)
	return connection
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

// Close gives up opening the database, or closes it.
func (l *lateStore) Close() error {
	l.leave()
	<-l.left
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
