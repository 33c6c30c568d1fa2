package sqlite_test

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
)

// update writes the fixture of the newest schema. Those of older ones are what
// their versions wrote, and are never written again.
var update = flag.Bool("update", false, "write the newest schema's fixture")

// memorable fills a store with something of everything.
func memorable(tx payments.Tx) error {
	paid, waiting := orderFor(1), orderFor(2)
	paid.Status, paid.Error = payments.StatusExpired, "Lien expiré"
	paid.Facts = payments.Facts{
		PaidAt: paid.CreatedAt.Add(time.Minute), SuccessSeen: true, ExpiredSeen: true,
		Attention: []payments.Attention{payments.Contradicted}, ReportedAmount: "1", ReportedUnit: "MGA",
	}
	paid.Finding = &payments.Finding{Paid: true, By: "Hasina", Note: "vu", At: paid.CreatedAt.Add(time.Hour)}
	applied := payments.Record{
		Event: success(paid), ID: success(paid).ID(), ReceivedAt: paid.CreatedAt.Add(time.Minute),
		Outcome: payments.NoSuchOrder, Count: 1, Body: []byte("{'é'}"), BodySHA256: [32]byte{1},
	}
	unmatched := applied
	unmatched.Event.OrderReference = "REF_1"
	unmatched.ID = unmatched.Event.ID()
	stored, _, err := tx.Events().Insert(applied)
	stored.Order, stored.Outcome = paid.Reference, payments.Applied
	_, _, unmatchedErr := tx.Events().Insert(unmatched)
	_, numberErr := tx.Sales().NextNumber("T1-20261121-0000")
	return errors.Join(
		err, unmatchedErr, numberErr, tx.InsertOrder(paid), tx.InsertOrder(waiting), tx.Events().Save(stored),
		tx.Sales().SaveSale(payments.Sale{
			ID: "s", Till: "T1", Items: waiting.Items, Description: "d'accord", UpdatedAt: waiting.CreatedAt,
		}),
	)
}

// discounted is a sale that is held, with a discount.
func discounted() payments.Sale {
	return payments.Sale{
		ID: "h", Till: "T2", Name: "Rado", UpdatedAt: orderFor(3).CreatedAt,
		Items: []payments.Item{{Label: "Vary", UnitPrice: 3000, Quantity: 1, ListPrice: 3500}},
	}
}

// catalogued fills a store with what came with the second schema.
func catalogued(tx payments.Tx) error {
	article := payments.Article{ID: "a", Label: "Vary", UnitPrice: 3500, Code: "101", Favourite: 1}
	return errors.Join(tx.Sales().SaveArticle(article), tx.Sales().CountUse("Vary"), tx.Sales().SaveSale(discounted()))
}

// staffed fills a store with what came with the fifth schema.
func staffed(tx payments.Tx) error { return tx.Staff().SaveCashier(hasina()) }

func hasina() payments.Cashier {
	return payments.Cashier{
		Name: "Hasina", Role: payments.RoleOwner, PIN: payments.PINHash{Salt: []byte{1}, Sum: []byte{2}, Iterations: 3},
		Tries: payments.Tries{Failed: 4, Until: orderFor(1).CreatedAt},
	}
}

func checkStaffed(t *testing.T, store *sqlite.Store) {
	t.Helper()
	var cashiers []payments.Cashier
	err := store.Update(t.Context(), func(tx payments.Tx) (err error) {
		cashiers, err = tx.Staff().Cashiers()
		return err
	})
	if err != nil || !reflect.DeepEqual(cashiers, []payments.Cashier{hasina()}) {
		t.Errorf("cashiers %+v (%v)", cashiers, err)
	}
}

// closed fills a store with what came with the sixth schema.
func closed(tx payments.Tx) error {
	_, _, err := tx.Staff().InsertClosing(closing())
	return err
}

func closing() payments.Closing {
	at := orderFor(1).CreatedAt
	return payments.Closing{
		Day: "2026-11-21", Period: payments.Period{From: at, To: at.Add(time.Hour)}, Till: "T1", By: "Soa", At: at,
		Orders: 1, Verdicts: map[payments.Verdict]payments.Sum{payments.VerdictPaid: {Count: 1, Amount: 9000}},
	}
}

func checkClosed(t *testing.T, store *sqlite.Store) {
	t.Helper()
	var closings []payments.Closing
	err := store.Update(t.Context(), func(tx payments.Tx) (err error) {
		closings, err = tx.Staff().Closings("2026-11-21", "2026-11-21")
		return err
	})
	if err != nil || !reflect.DeepEqual(closings, []payments.Closing{closing()}) {
		t.Errorf("closings %+v (%v)", closings, err)
	}
}

func checkCatalogued(t *testing.T, store *sqlite.Store) {
	t.Helper()
	articles, err := store.Articles(t.Context())
	want := []payments.Article{{ID: "a", Label: "Vary", UnitPrice: 3500, Code: "101", Favourite: 1, Uses: 1}}
	if err != nil || !reflect.DeepEqual(articles, want) {
		t.Errorf("articles %+v, want %+v (%v)", articles, want, err)
	}
	sales, err := store.Sales(t.Context(), "T2")
	if err != nil || !reflect.DeepEqual(sales, []payments.Sale{discounted()}) {
		t.Errorf("sales %+v, want %+v (%v)", sales, discounted(), err)
	}
}

// everything reads all that a store can show.
func everything(t *testing.T, store *sqlite.Store) []any {
	t.Helper()
	orders, err := store.Orders(t.Context(), payments.Query{})
	if err != nil {
		t.Fatal(err)
	}
	all := []any{orders}
	for _, order := range orders {
		_, events, err := store.Order(t.Context(), order.Reference)
		all = append(all, events, err)
	}
	unmatched, err := store.Unmatched(t.Context(), 10)
	all = append(all, unmatched, err)
	toCheck, err := store.Orders(t.Context(), payments.Query{Check: orders[0].CreatedAt.AddDate(0, 1, 0)})
	all = append(all, toCheck, err)
	period := payments.Day(orders[0].CreatedAt)
	period.Sold = true
	takings, err := store.Takings(t.Context(), period)
	all = append(all, takings, err)
	sales, err := store.Sales(t.Context(), "T1")
	all = append(all, sales, err)
	err = store.Update(t.Context(), func(tx payments.Tx) error {
		number, err := tx.Sales().NextNumber("T1-20261121-0000")
		all = append(all, number, err)
		return err
	})
	return append(all, err)
}

func TestS10EverySchemaThatWasEverWrittenIsReadAsItWas(t *testing.T) {
	newest, err := sqlite.SchemaVersion()
	if err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh.db")
	store := openAt(t, fresh)
	for _, change := range []func(payments.Tx) error{memorable, catalogued, staffed, closed} {
		if err := store.Update(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		overwrite(t, fmt.Sprintf("testdata/schema-%d.sql", newest), []byte(dump(t, raw(t, fresh))))
	}
	want := everything(t, store)
	for version := 1; version <= newest; version++ {
		t.Run(fmt.Sprint("schema ", version), func(t *testing.T) {
			text, err := os.ReadFile(fmt.Sprintf("testdata/schema-%d.sql", version))
			if err != nil {
				t.Fatalf("%v: every schema needs a fixture; run with -update before it changes again", err)
			}
			path := filepath.Join(t.TempDir(), "till.db")
			script(t, path, string(text))
			if got := everything(t, openAt(t, path)); !reflect.DeepEqual(got, want) {
				t.Errorf("\n got %+v\nwant %+v", got, want)
			}
			if version >= 2 {
				checkCatalogued(t, openAt(t, path))
			}
			if version >= 5 {
				checkStaffed(t, openAt(t, path))
			}
			if version >= 6 {
				checkClosed(t, openAt(t, path))
			}
			var now int
			if err := raw(t, path).QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&now); err != nil || now != newest {
				t.Errorf("schema %d, want %d (%v)", now, newest, err)
			}
		})
	}
}

// dump returns a database as SQL.
func dump(t *testing.T, db *sql.DB) string {
	t.Helper()
	var text strings.Builder
	for _, name := range []string{"application_id", "user_version"} {
		for _, value := range column(t, db, "PRAGMA "+name) {
			fmt.Fprintf(&text, "PRAGMA %s = %s;\n", name, value)
		}
	}
	// What a virtual table is kept in is made with it, and not empty.
	const own = " AND name NOT LIKE 'order_grams_%' ORDER BY rowid"
	for _, schema := range column(t, db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"+own) {
		fmt.Fprintf(&text, "%s;\n", schema)
	}
	for _, table := range column(t, db, "SELECT name FROM sqlite_schema WHERE name LIKE 'order_grams_%' ORDER BY rowid") {
		fmt.Fprintf(&text, "DELETE FROM %s;\n", table)
	}
	for _, table := range column(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'order_grams' ORDER BY rowid") {
		names := column(t, db, "SELECT name FROM pragma_table_info('"+table+"') ORDER BY cid")
		quoted := "quote(" + strings.Join(names, ") || ', ' || quote(") + ")"
		for _, values := range column(t, db, "SELECT "+quoted+" FROM "+table) {
			fmt.Fprintf(&text, "INSERT INTO %s (%s) VALUES (%s);\n", table, strings.Join(names, ", "), values)
		}
	}
	return text.String()
}

// column returns the texts of a query's only column.
func column(t *testing.T, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}
