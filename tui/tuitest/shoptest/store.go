package shoptest

import (
	"context"
	"sync/atomic"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// shaky is a store that a test can break. A full store refuses only new orders.
type shaky struct {
	drawer.Store
	broken, full atomic.Bool
}

// cramped is a transaction on a full disk.
type cramped struct{ payments.Tx }

func (cramped) InsertOrder(payments.Order) error { return payments.ErrNoRoom }

func (s *shaky) fault() error {
	if s.broken.Load() {
		return ErrDisk
	}
	return nil
}

// Update fails if the store is broken, or if it is full and change inserts an order.
func (s *shaky) Update(ctx context.Context, change func(payments.Tx) error) error {
	if err := s.fault(); err != nil {
		return err
	}
	if s.full.Load() {
		return s.Store.Update(ctx, func(tx payments.Tx) error { return change(cramped{tx}) })
	}
	return s.Store.Update(ctx, change)
}

func (s *shaky) Order(ctx context.Context, ref string) (order payments.Order, records []payments.Record, err error) {
	if err = s.fault(); err == nil {
		order, records, err = s.Store.Order(ctx, ref)
	}
	return order, records, err
}

func (s *shaky) Orders(ctx context.Context, query payments.Query) ([]payments.Order, error) {
	return unlessBroken(s, func() ([]payments.Order, error) { return s.Store.Orders(ctx, query) })
}

func (s *shaky) Unmatched(ctx context.Context, limit int) ([]payments.Record, error) {
	return unlessBroken(s, func() ([]payments.Record, error) { return s.Store.Unmatched(ctx, limit) })
}

func (s *shaky) Overview(ctx context.Context, till string, now time.Time, limit int) (view payments.Overview, err error) {
	if err = s.fault(); err == nil {
		view, err = s.Store.Overview(ctx, till, now, limit)
	}
	return view, err
}

func (s *shaky) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	return unlessBroken(s, func() ([]payments.Sale, error) { return s.Store.Sales(ctx, till) })
}

func (s *shaky) Articles(ctx context.Context) ([]payments.Article, error) {
	return unlessBroken(s, func() ([]payments.Article, error) { return s.Store.Articles(ctx) })
}

func (s *shaky) View(ctx context.Context, read func(drawer.Tx) error) error {
	if err := s.fault(); err != nil {
		return err
	}
	return s.Store.View(ctx, read)
}

func unlessBroken[T any](s *shaky, read func() ([]T, error)) ([]T, error) {
	if err := s.fault(); err != nil {
		return nil, err
	}
	return read()
}
