package drawer_test

import (
	"maps"
	"slices"
	"testing"

	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

func TestTheTransfersOfAPeriodHaveTheirArticles(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	s.pay(t, order)
	sale := s.cash(t, "S2")
	s.void(t, "T1", sale.Number)
	s.move(t, drawer.Float, 5000)
	s.close(t)
	today := money.Day(s.now, 0)
	s.now = s.now.AddDate(0, 0, 1)
	s.move(t, drawer.Float, 1)

	transfers, articles, err := s.Transfers(t.Context(), today)
	must(t, err)
	var kinds []ledger.Kind
	for i, transfer := range transfers {
		kinds = append(kinds, transfer.Kind)
		if transfer.ID != int64(i+1) {
			t.Errorf("place %d has the transfer %d", i, transfer.ID)
		}
	}
	if want := []ledger.Kind{ledger.Sale, ledger.Sale, ledger.Void, ledger.Float, ledger.Closing}; !slices.Equal(kinds, want) {
		t.Errorf("got %s, want %s", kinds, want)
	}
	want := map[ledger.Payment]string{
		{Kind: ledger.ByOrder, Ref: order.Reference}: "2 × Vary",
		{Kind: ledger.AtCounter, Ref: sale.Number}:   "2 × Vary",
	}
	if !maps.Equal(articles, want) {
		t.Errorf("got %v, want %v", articles, want)
	}
}
