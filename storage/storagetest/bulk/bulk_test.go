package bulk_test

import (
	"database/sql"
	"reflect"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest/bulk"
)

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestABulkIsWhatTheRulesMakeOfSuchOrders(t *testing.T) {
	store := open(t, bulk.Make(t, 1000))
	orders, err := store.Orders(t.Context(), payments.Query{Limit: 1000})
	if err != nil || len(orders) != 1000 {
		t.Fatalf("%d orders, %v", len(orders), err)
	}
	verdicts := map[payments.Verdict]int{}
	for _, order := range orders {
		if total, err := payments.Total(order.Items); err != nil || total != order.Amount+1 {
			t.Fatalf("%+v: the items come to %v, %v", order, total, err)
		}
		verdicts[order.Verdict(payments.Conditions{}, bulk.End())]++
	}
	if verdicts[payments.VerdictPaid] < 700 || verdicts[payments.VerdictNotPaid] < 100 || verdicts[payments.VerdictRejected] < 10 {
		t.Errorf("verdicts %v", verdicts)
	}
	for name, c := range map[string]struct {
		query payments.Query
		want  int
	}{
		"wait":        {payments.Query{Open: true, Status: payments.StatusPending, Limit: 1000}, bulk.Waiting},
		"are checked": {payments.Query{Check: bulk.End(), Limit: 1000}, bulk.Check},
	} {
		found, err := store.Orders(t.Context(), c.query)
		if err != nil || len(found) < c.want || len(found) > c.want+5 {
			t.Errorf("%d orders %s, want about %d (%v)", len(found), name, c.want, err)
		}
	}
}

func TestWhatWasNotDerivedIsDerivedAtTheOpening(t *testing.T) {
	path := bulk.Make(t, 300)
	look := func() (all []any) {
		store := open(t, path)
		for _, query := range []payments.Query{
			{Check: bulk.End()}, {Open: true}, {Search: "akoho"}, {Search: "REF_7001"}, {Search: "q"},
		} {
			found, err := store.Orders(t.Context(), query)
			if err != nil || len(found) == 0 {
				t.Errorf("%+v: %d orders, %v", query, len(found), err)
			}
			all = append(all, found)
		}
		takings, err := store.Takings(t.Context(), payments.Day(bulk.End()))
		if err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		return append(all, takings)
	}
	want := look()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), `INSERT INTO order_grams (order_grams) VALUES ('delete-all'); DELETE FROM order_blocks;
		UPDATE orders SET verdict = 'paid', check_from = NULL, open = 0; UPDATE takings SET amount = amount + 1;
		UPDATE meta SET value = 1 WHERE key = 'derive'`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got := look(); !reflect.DeepEqual(got, want) {
		t.Error("what was derived anew differs")
	}
}
