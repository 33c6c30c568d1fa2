package storagetest_test

import (
	"path/filepath"
	"testing"
	"time"

	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// A backend's test hands over how to make an empty database, and how to open
// it.
func ExampleRun() {
	_ = func(t *testing.T) { // TestContract, in the backend's package.
		storagetest.Run(t, func(t *testing.T) storagetest.Opener {
			path := filepath.Join(t.TempDir(), "till.db")
			return func(t *testing.T) storagetest.Store {
				store, err := sqlite.Open(t.Context(), path, sqlite.WithPoll(5*time.Millisecond))
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = store.Close() })
				return store
			}
		})
	}
	// Output:
}
