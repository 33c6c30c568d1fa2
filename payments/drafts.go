package payments

import (
	"context"
	"sync"
)

// WithDrafts keeps the sales that are being entered or held in a store of their
// own, on the till's own disk, so that they can be entered while the shop's
// database is away. Without it they are kept in the shop's database.
func WithDrafts(drafts Store) Option { return func(s *Service) { s.drafts = drafts } }

func dropSale(ctx context.Context, store Store, id string) error {
	return store.Update(ctx, func(tx Tx) error { return tx.Sales().DropSale(id) })
}

// draftStore is the store of the sales that are being entered or held.
func (s *Service) draftStore() Store {
	if s.drafts != nil {
		return s.drafts
	}
	return s.store
}

// either returns a channel that says so when one of two does, with one slot,
// until both are closed.
func either(first, second <-chan struct{}) <-chan struct{} {
	notices, open := make(chan struct{}, 1), new(sync.WaitGroup)
	for _, source := range []<-chan struct{}{first, second} {
		open.Go(func() {
			for range source {
				select {
				case notices <- struct{}{}:
				default: // One lies there.
				}
			}
		})
	}
	go func() {
		open.Wait()
		close(notices)
	}()
	return notices
}
