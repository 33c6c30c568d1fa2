package postgres_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"checkout/till/storage"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

const recorded = "SELECT value::text FROM meta WHERE key = 'schema'"

func expectText(t *testing.T, address, query, want string) {
	t.Helper()
	texts, err := postgrestest.Try(t, address, query)
	if err != nil || len(texts) != 1 || texts[0] != want {
		t.Errorf("%s: got %q (%v), want %s", query, texts, err, want)
	}
}

// If a migration is killed at any of its statements, the database keeps the old version.
func TestAMigrationIsCompleteOrDidNotHappen(t *testing.T) {
	address := postgrestest.Database(t)
	must(t, openAt(t, address).Close())
	statements := []string{
		"ALTER TABLE orders ADD COLUMN made_up text COLLATE \"C\" NOT NULL DEFAULT 'x'",
		"CREATE TABLE made_up (id bigint)",
		"INSERT INTO made_up SELECT id FROM orders",
	}
	const traces = `SELECT count(*)::text FROM information_schema.columns WHERE table_name = 'made_up' OR column_name = 'made_up'`
	for i := range len(statements) + 1 {
		killed := slices.Insert(slices.Clone(statements), i, "SELECT pg_terminate_backend(pg_backend_pid())")
		if _, err := postgres.Open(t.Context(), address, postgres.Migrating(strings.Join(killed, "; "))); err == nil {
			t.Error("the killed migration gives no error")
		}
		expectText(t, address, recorded, strconv.Itoa(storage.SchemaVersion))
		expectText(t, address, traces, "0")
		must(t, openAt(t, address).Close())
	}
	migration := strings.Join(statements, "; ")
	for i := range 2 { // The second migration has nothing to do.
		store := openAt(t, address, postgres.Migrating(migration))
		charged(t, store, i+1)
		must(t, store.Close())
	}
	expectText(t, address, recorded, strconv.Itoa(storage.SchemaVersion+1))
	expectText(t, address, traces, "2")
	if _, err := postgres.Open(t.Context(), address, postgres.Options{}); !errors.Is(err, sqlstore.ErrNewerSchema) {
		t.Errorf("a program without the migration: error %v", err)
	}
	t.Run("a new database begins with the newest version", func(t *testing.T) {
		address := postgrestest.Database(t)
		must(t, openAt(t, address, postgres.Migrating(migration)).Close())
		expectText(t, address, recorded, strconv.Itoa(storage.SchemaVersion+1))
	})
}

func TestAnOpenStoreRefusesTheTablesOfANewerProgram(t *testing.T) {
	address := postgrestest.Database(t)
	storagetest.RunOutdated(t, openAt(t, address), sqlstore.ErrNewerSchema, func() int64 {
		must(t, openAt(t, address, postgres.Migrating(storagetest.LastBefore)).Close())
		found, err := postgrestest.Try(t, address, "SELECT value FROM last_before")
		must(t, err)
		last, err := strconv.ParseInt(strings.Join(found, ""), 10, 64)
		must(t, err)
		return last
	})
}
