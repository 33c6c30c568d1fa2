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
func TestContract(t *testing.T) { contract(t, func(address string) string { return address }) }

// contract runs the suite, with stores at the addresses that to returns.
func contract(t *testing.T, to func(address string) string, options ...postgres.Options) {
	t.Helper()
	template := migrated(t)
	storagetest.Run(t, storagetest.Plain, func(t *testing.T) storagetest.Database {
		address := postgrestest.Like(t, template)
		allow := func(t *testing.T, allowed string) {
			postgrestest.Script(t, postgresOf(address), "ALTER DATABASE "+postgrestest.Name(address)+" ALLOW_CONNECTIONS "+allowed)
		}
		return storagetest.Database{
			Open: func(t *testing.T) storagetest.Store {
				return openAt(t, to(address), append(options, postgres.Timed(time.Second, 0))[0])
			},
			Break: func(t *testing.T) {
				allow(t, "false")
				throwOut(t, address)
			},
			Mend:   func(t *testing.T) { allow(t, "true") },
			Script: func(t *testing.T, statement string) { postgrestest.Script(t, address, statement) },
			Char:   "chr",
		}
	})
}
