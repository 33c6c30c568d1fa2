package bulk_test

import (
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

func TestBulkOrdersFollowTheRules(t *testing.T) {
	store := open(t, bulk.Make(t, 1000))
	orders, err := store.Orders(t.Context(), payments.Query{Limit: 1000})
	if err != nil || len(orders) != 1000 {
		t.Fatalf("got %d orders (%v), want 1000", len(orders), err)
	}
	verdicts := map[payments.Verdict]int{}
	for _, order := range orders {
		if total, err := payments.Total(order.Items); err != nil || total != order.Amount+1 {
			t.Fatalf("%+v: the items total %v (%v), want the amount + 1", order, total, err)
		}
		open, err := store.Orders(t.Context(), payments.Query{Search: order.Reference, Open: true})
		if err != nil || len(open) > 0 != order.Open() {
			t.Fatalf("%+v: found as open: %v (%v)", order, len(open) > 0, err)
		}
		verdicts[order.Verdict(payments.Conditions{}, bulk.End())]++
	}
	if verdicts[payments.VerdictPaid] < 700 || verdicts[payments.VerdictNotPaid] < 100 || verdicts[payments.VerdictRejected] < 10 {
		t.Errorf("got verdicts %v", verdicts)
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
