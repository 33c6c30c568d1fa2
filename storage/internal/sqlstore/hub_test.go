package sqlstore_test

import (
	"context"
	"testing"
	"testing/synctest"

	"checkout/till/storage/internal/sqlstore"
)

// P8: the server from which a store was opened may be another one by the time
// that the store follows it, at the same change sequence.
func TestP8WhatIsFoundAtAServerFirstIsTold(t *testing.T) {
	path := empty(t)
	for origin, want := range map[string]bool{"another server": true, "a server": false} {
		synctest.Test(t, func(t *testing.T) {
			writers, _ := pool(t, path, 1)
			readers, _ := pool(t, path, sqlstore.ReaderCount)
			follow := func(ctx context.Context, found func(sequence int64, origin string)) {
				for range 2 {
					found(0, origin)
				}
				<-ctx.Done()
			}
			store, err := sqlstore.New(t.Context(), sqlstore.Config{
				Writer: writers, Readers: readers, Dialect: dialect{}, Follow: follow, Origin: "a server",
			})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			notices := store.Watch(t.Context())
			synctest.Wait()
			if told := len(notices) == 1; told != want {
				t.Errorf("origin %q: told %v, want %v", origin, told, want)
			}
		})
	}
}
