package storagetest

import (
	"cmp"
	"context"
	"errors"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// errRehearsed rolls the first run of a change back.
var errRehearsed = errors.New("rehearsed")

// Twice is a store that runs every change, and every read of a View, twice, because a store may run
// them more than once.
type Twice struct{ drawer.Store }

// Update runs change in a transaction that is rolled back, and then in another one.
func (s Twice) Update(ctx context.Context, change func(payments.Tx) error) error {
	Rehearse(ctx, s.Store, change)
	return s.Store.Update(ctx, change)
}

// View runs read on two snapshots.
func (s Twice) View(ctx context.Context, read func(drawer.Tx) error) error {
	_ = s.Store.View(ctx, read)
	return s.Store.View(ctx, read)
}

// Rehearse runs a change in a transaction that is rolled back.
func Rehearse(ctx context.Context, store payments.Store, change func(payments.Tx) error) {
	_ = store.Update(ctx, func(tx payments.Tx) error { return cmp.Or(change(tx), errRehearsed) })
}
