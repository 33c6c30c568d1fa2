package tui

import (
	"context"
	"errors"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/sale"
)

// draftLimit is how long the sales that are being entered may take to be written
// when the console ends.
const draftLimit = 5 * time.Second

// drafts writes the sales that are being entered, one at a time: a write that is
// still under way when the console ends must not land on a newer one.
type drafts struct {
	sale.Desk
	lock *sync.Mutex
}

// SaveSale stores a sale.
func (d drafts) SaveSale(ctx context.Context, sale payments.Sale) error {
	d.lock.Lock()
	defer d.lock.Unlock()
	return d.Desk.SaveSale(ctx, sale)
}

// finish writes what was not written when the console ended, though ctx has
// ended with it.
func (d drafts) finish(ctx context.Context, unsaved []*payments.Sale) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), draftLimit)
	defer cancel()
	var failed []error
	for _, sale := range unsaved {
		failed = append(failed, d.SaveSale(ctx, *sale))
	}
	return errors.Join(failed...)
}
