package postgres_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Run(m)) }

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// openAt opens a store until the end of the test.
func openAt(t testing.TB, address string, options ...postgres.Options) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), address, append(options, postgres.Options{})[0])
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// migrated makes a database that has till's tables, and returns its name.
func migrated(t testing.TB) string {
	t.Helper()
	address := postgrestest.Database(t)
	must(t, openAt(t, address).Close())
	return postgrestest.Name(address)
}

// P8: the suite is the one that SQLite runs.
func TestContract(t *testing.T) {
	template := migrated(t)
	storagetest.Run(t, storagetest.Plain, func(t *testing.T) storagetest.Opener {
		address := postgrestest.Like(t, template)
		return func(t *testing.T) storagetest.Store {
			return openAt(t, address, postgres.Timed(time.Second, 0))
		}
	})
}

func TestContractOfTexts(t *testing.T) {
	storagetest.RunClean(t, "chr", func(t *testing.T) (storagetest.Opener, func(t *testing.T, statement string)) {
		address := postgrestest.Database(t)
		return func(t *testing.T) storagetest.Store { return openAt(t, address) },
			func(t *testing.T, statement string) { postgrestest.Script(t, address, statement) }
	})
}
