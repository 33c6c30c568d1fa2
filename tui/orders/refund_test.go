package orders_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestAPartOfACashSaleIsGivenBack(t *testing.T) {
	s := open(t)
	sale, err := s.TakeCash(t.Context(), payments.Terms{Till: shoptest.Till, Items: []payments.Item{shoptest.Coca()}}, 0, "")
	tuitest.Must(t, err)
	s.Enter().Keys("tab").Sees("¤ CASH")
	s.Keys("b").Sees(sale.Number + " (2 000 Ar): how much was given back").Fits()
	s.Type("3000 broken")
	s.Keys("enter").Sees("Type an amount of at most 2 000 Ar")
	for range "3000 broken" {
		s.Keys("backspace")
	}
	s.Type("500 broken")
	s.Keys("enter").Lacks("how much was given back")
	stored, err := s.CashSale(t.Context(), sale.Number)
	tuitest.Must(t, err)
	if stored.Refunded != 500 {
		t.Errorf("%d was given back, want 500", stored.Refunded)
	}
	s.Resize(120, 34).Sees("Refunded -500").Lacks("is voided")
}
