package postgres_test

import (
	"errors"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// TestMain runs only TestContract if -short is set and -run names no tests.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "6") // Most of these tests wait for a server, so more can run in parallel.
	if flag.Parse(); testing.Short() && flag.Lookup("test.run").Value.String() == "" {
		_ = flag.Set("test.run", "^TestContract$")
	}
	os.Exit(postgrestest.Run(m))
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func openAt(t testing.TB, address string, options ...postgres.Options) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), address, append(options, postgres.Options{})[0])
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// migrated makes a database with the tables of till, and returns its name.
func migrated(t testing.TB) string {
	t.Helper()
	address := postgrestest.Database(t)
	must(t, openAt(t, address).Close())
	return postgrestest.Name(address)
}

func TestContract(t *testing.T) {
	t.Parallel()
	contract(t, func(address string) string { return address })
}

func TestRandomHistoriesOfSalesAgreeWithTheOracle(t *testing.T) {
	t.Parallel()
	storagetest.RunHistories(t, openAt(t, postgrestest.Database(t)), storagetest.Size(40, 2000)) // SQLite plays the other histories, because the rules are the same.
}

// contract runs the storage tests. to converts a database's address to the address that the stores
// open.
func contract(t *testing.T, to func(address string) string) {
	t.Helper()
	template := migrated(t)
	storagetest.Run(t, storagetest.Plain, func(t *testing.T) storagetest.Database {
		address := postgrestest.Like(t, template)
		allow := func(t *testing.T, allowed string) {
			postgrestest.Script(t, postgresOf(address), "ALTER DATABASE "+postgrestest.Name(address)+" ALLOW_CONNECTIONS "+allowed)
		}
		return storagetest.Database{
			Open: func(t *testing.T) storagetest.Store {
				return openAt(t, to(address))
			},
			Break: func(t *testing.T) {
				allow(t, "false")
				throwOut(t, address)
			},
			Mend: func(t *testing.T) {
				allow(t, "true")
				expectSoon(t, "the database is back", func() bool { return answers(t, to(address)) }) // A pooler waits before it connects to the server again.
			},
			Script: func(t *testing.T, statement string) { postgrestest.Script(t, address, statement) },
			Char:   "chr",
		}
	})
}

const patience = 20 * time.Second

// throwOut ends all connections to a database. With a timeout, pg_terminate_backend waits until
// they are closed.
func throwOut(t *testing.T, address string) {
	t.Helper()
	postgrestest.Script(t, postgresOf(address), "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = '"+
		postgrestest.Name(address)+"'")
}

func postgresOf(address string) string {
	return strings.Replace(address, "/"+postgrestest.Name(address), "/postgres", 1)
}

func answers(t *testing.T, address string) bool {
	t.Helper()
	plain, err := pgx.Connect(t.Context(), address)
	if err == nil {
		err = errors.Join(plain.Ping(t.Context()), plain.Close(t.Context())) // A pooler connects to the server only at the first query.
	}
	return err == nil
}

func expectSoon(t *testing.T, what string, is func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !is() {
		select {
		case <-deadline:
			t.Fatal(what + ": not within 20 s")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func expectNotice(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	select {
	case <-notices:
	case <-time.After(patience):
		t.Fatal("no notice came")
	}
}

func charged(t *testing.T, store *postgres.Store, n int) {
	t.Helper()
	must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(n)) }))
}

func receive(t *testing.T, store *postgres.Store, n int) {
	t.Helper()
	receipt, err := payments.New(store, storagetest.Taker{}, time.Now).Receive(t.Context(), storagetest.Success(storagetest.Order(n)), []byte("{}"))
	if err != nil || receipt.Effect != payments.Applied {
		t.Fatalf("event %d: got %s, error %v", n, receipt.Effect, err)
	}
}

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
