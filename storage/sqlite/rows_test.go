package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

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
