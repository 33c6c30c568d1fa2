package postgres_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"checkout/till/payments"
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

func TestRandomHistoriesOfSalesAgreeWithTheOracle(t *testing.T) {
	storagetest.RunHistories(t, openAt(t, postgrestest.Database(t)), storagetest.Size(2000, 5000))
}

// contract runs the suite, with stores at the addresses that to returns.
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
				expectSoon(t, "the database is back", func() bool { return answers(t, to(address)) }) // A pooler tries it again after a pause.
			},
			Script: func(t *testing.T, statement string) { postgrestest.Script(t, address, statement) },
			Char:   "chr",
		}
	})
}

const patience = 20 * time.Second

// throwOut ends all connections to a database, and waits until they are gone: the
// server does not.
func throwOut(t *testing.T, address string) {
	t.Helper()
	postgrestest.Script(t, postgresOf(address), "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = '"+
		postgrestest.Name(address)+"'")
}

// postgresOf is the address of the server's first database.
func postgresOf(address string) string {
	return strings.Replace(address, "/"+postgrestest.Name(address), "/postgres", 1)
}

// answers tells whether a database takes connections.
func answers(t *testing.T, address string) bool {
	t.Helper()
	plain, err := pgx.Connect(t.Context(), address)
	if err == nil {
		err = errors.Join(plain.Ping(t.Context()), plain.Close(t.Context())) // A pooler connects to the server with the first query.
	}
	return err == nil
}

// expectSoon waits for what must come.
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

// expectNotice waits for a notice.
func expectNotice(t *testing.T, notices <-chan struct{}) {
	t.Helper()
	select {
	case <-notices:
	case <-time.After(patience):
		t.Fatal("no notice came")
	}
}

// charged makes an order by a store.
func charged(t *testing.T, store *postgres.Store, n int) {
	t.Helper()
	must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(n)) }))
}

// receive lets a store have the success of an order.
func receive(t *testing.T, store *postgres.Store, n int) {
	t.Helper()
	receipt, err := payments.New(store, storagetest.Taker{}, time.Now).Receive(t.Context(), storagetest.Success(storagetest.Order(n)), []byte("{}"))
	if err != nil || receipt.Effect != payments.Applied {
		t.Fatalf("event %d: %s, %v", n, receipt.Effect, err)
	}
}
