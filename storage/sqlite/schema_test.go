package sqlite_test

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/storage"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// migratedFile is the environment variable for the database that a child process migrates. killedAt
// is the number of statements in the migration after which the child is killed.
const (
	migratedFile = "TILL_TEST_MIGRATE"
	killedAt     = "TILL_TEST_KILLED_AT"
)

// recorded is the query for the schema version. traces counts the rows that the test's migration
// has added.
const (
	recorded = "SELECT value FROM meta WHERE key = 'schema'"
	traces   = "SELECT count(*) FROM sqlite_schema WHERE name = 'made_up' OR sql LIKE '%made_up_column%'"
)

func madeUp() []string {
	return []string{
		"ALTER TABLE orders ADD COLUMN made_up_column TEXT NOT NULL DEFAULT 'x'",
		"CREATE TABLE made_up (id INTEGER PRIMARY KEY)",
		"INSERT INTO made_up SELECT value FROM meta LIMIT 1",
		"UPDATE meta SET value = value WHERE key = 'probe'",
	}
}

func migrating(statements []string) func(*sqlite.Options) {
	return func(o *sqlite.Options) {
		o.Dialect.Version++
		o.Dialect.Migrations = append(o.Dialect.Migrations, strings.Join(statements, "; "))
	}
}

// If a migration is killed at any of its statements, the database keeps the old version.
func TestAMigrationIsCompleteOrDidNotHappen(t *testing.T) {
	path := whole(t)
	before := count(t, path, "SELECT count(*) FROM orders")
	for i := range len(madeUp()) + 1 {
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), migratedFile+"="+path, killedAt+"="+strconv.Itoa(i))
		output, err := child.CombinedOutput()
		if err == nil || strings.Contains(string(output), "not killed") {
			t.Fatalf("the process was not killed: %v\n%s", err, output)
		}
		version, found := count(t, path, recorded), count(t, path, traces)
		if version != storage.SchemaVersion || found != 0 {
			t.Errorf("killed after %d statements: version %d, %d traces", i, version, found)
		}
		expectWhole(t, path)
	}
	must(t, openAt(t, path, migrating(madeUp())).Close())
	if version, found := count(t, path, recorded), count(t, path, traces); version != storage.SchemaVersion+1 || found != 2 || count(t, path, "SELECT count(*) FROM orders") != before {
		t.Errorf("migrated: version %d, %d traces", version, found)
	}
	for name, refuse := range map[string]error{"open": failure(sqlite.Open(t.Context(), path)), "verify": failure(storage.Verify(t.Context(), path, storage.Checks{Now: time.Now()}))} {
		if !errors.Is(refuse, sqlstore.ErrNewerSchema) {
			t.Errorf("%s without the migration: error %v", name, refuse)
		}
	}
}

func TestEveryTableIsCopied(t *testing.T) {
	const tables = `SELECT group_concat(name, ' ' ORDER BY name) FROM sqlite_schema
		WHERE type = 'table' AND name <> 'meta' AND name NOT LIKE 'orders_search%'`
	if got, want := slices.Sorted(slices.Values(sqlstore.Tables())), strings.Fields(ask[string](t, whole(t), tables)); !slices.Equal(got, want) {
		t.Errorf("Copy copies %q, want %q", got, want)
	}
}

func TestAnOpenStoreRefusesTheTablesOfANewerProgram(t *testing.T) {
	path := whole(t)
	storagetest.RunOutdated(t, openAt(t, path), sqlstore.ErrNewerSchema, func() int64 {
		must(t, openAt(t, path, migrating([]string{storagetest.LastBefore})).Close())
		return ask[int64](t, path, "SELECT value FROM last_before")
	})
}

func failure[T any](_ T, err error) error { return err }
