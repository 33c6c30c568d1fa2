package sqlite_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/staff"
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

// Existing databases contain JSON in these forms, so the forms must not change.
func TestStoredJSONKeepsItsForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	store := openAt(t, path)
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	must(t, store.Update(t.Context(), func(tx payments.Tx) error {
		if err := tx.SaveCashier(staff.Cashier{Name: "Soa", PIN: staff.PINHash{Salt: []byte{1}, Sum: []byte{2}}, Tries: map[string]staff.Tries{"T1": {Failed: 1}, "T2": {Failed: 4, Until: at}}}); err != nil {
			return err
		}
		return tx.SaveSale(payments.Sale{ID: "S1", Till: "T1", UpdatedAt: at, Items: []payments.Item{
			{Label: "Vary <gasy>", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 1500, Quantity: 1, ListPrice: 2000},
		}})
	}))
	for query, want := range map[string]string{
		"SELECT tries FROM cashiers": `{"T1":{"failed":1},"T2":{"failed":4,"until":1795251600000}}`,
		"SELECT items FROM sales": `[{"label":"Vary \u003cgasy\u003e","unit_price":3500,"quantity":2},` +
			`{"label":"Coca","unit_price":1500,"quantity":1,"list_price":2000}]`,
	} {
		if got := ask[string](t, path, query); got != want {
			t.Errorf("%s gives\n%s, want\n%s", query, got, want)
		}
	}
}

func TestTheReasonOfAnOrderIsStoredAsACodeAndADetail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	store := openAt(t, path)
	order := storagetest.Order(1)
	must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) }))
	read := func() payments.Reason {
		read, _, err := store.Order(t.Context(), order.Reference)
		must(t, err)
		return read.Reason
	}
	for want, reason := range map[string]payments.Reason{
		"":                     {},
		"Solde insuffisant":    {Detail: "Solde insuffisant"},
		`{"code":"no_answer"}`: {Fault: payments.ErrNoAnswer},
		`{"code":"no_host","detail":"dial tcp: x"}`:     {Fault: payments.ErrNoHost, Detail: "dial tcp: x"},
		`{"code":"","detail":"{\"code\":\"no_host\"}"}`: {Detail: `{"code":"no_host"}`},
	} {
		order.Reason = reason
		must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveOrder(order) }))
		if got := ask[string](t, path, "SELECT error FROM orders"); got != want || read() != reason {
			t.Errorf("%+v is stored as %s and read as %+v", reason, got, read())
		}
	}
	for _, detail := range []string{"the call was interrupted", `{"message":"closed"}`} {
		script(t, path, "UPDATE orders SET error = '"+detail+"'")
		if got := read(); got != (payments.Reason{Detail: detail}) {
			t.Errorf("%q is read as %+v", detail, got)
		}
	}
}
