package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// openAt opens a database for the length of a test. It looks for other
// processes' changes more often than a console needs to.
func openAt(t testing.TB, path string, opts ...sqlite.Option) *sqlite.Store {
	t.Helper()
	opts = append([]sqlite.Option{sqlite.WithPoll(5 * time.Millisecond)}, opts...)
	store, err := sqlite.Open(t.Context(), path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestContractOfFaults(t *testing.T) {
	storagetest.RunFaults(t, func(t *testing.T) (storagetest.Opener, storagetest.Breaker) {
		path := filepath.Join(t.TempDir(), "till.db")
		move := func(from, to string) func(t *testing.T) {
			return func(t *testing.T) {
				t.Helper()
				must(t, os.Rename(from, to))
			}
		}
		return func(t *testing.T) storagetest.Store { return openAt(t, path) },
			storagetest.Breaker{Break: move(path, path+".away"), Mend: move(path+".away", path)}
	})
}

func TestContract(t *testing.T) {
	storagetest.Run(t, func(t *testing.T) storagetest.Opener {
		path := filepath.Join(t.TempDir(), "till.db")
		return func(t *testing.T) storagetest.Store { return openAt(t, path) }
	})
}
