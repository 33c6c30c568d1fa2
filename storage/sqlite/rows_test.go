package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments"
)

// Shops have rows of these forms.
func TestTheJSONInRowsKeepsItsForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	store := openAt(t, path)
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	must(t, store.Update(t.Context(), func(tx payments.Tx) error {
		_, _, err := tx.Staff().InsertClosing(payments.Closing{
			Day: "2026-11-21", Till: "T1", By: "Soa", At: at, Orders: 3, Received: payments.Sum{Count: 2, Amount: 18000},
			Verdicts: map[payments.Verdict]payments.Sum{payments.VerdictPaid: {Count: 2, Amount: 18000}},
		})
		if err != nil {
			return err
		}
		return tx.Sales().SaveSale(payments.Sale{ID: "S1", Till: "T1", UpdatedAt: at, Items: []payments.Item{
			{Label: "Vary <gasy>", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 1500, Quantity: 1, ListPrice: 2000},
		}})
	}))
	for query, want := range map[string]string{
		"SELECT sums FROM closings": `{"paid":{"count":2,"amount":18000},"received":{"count":2,"amount":18000}}`,
		"SELECT items FROM sales": `[{"label":"Vary \u003cgasy\u003e","unit_price":3500,"quantity":2},` +
			`{"label":"Coca","unit_price":1500,"quantity":1,"list_price":2000}]`,
	} {
		if got := ask[string](t, path, query); got != want {
			t.Errorf("%s gives\n%s, want\n%s", query, got, want)
		}
	}
}
