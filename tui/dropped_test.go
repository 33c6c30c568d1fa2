package tui_test

import (
	"bytes"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/tuitest/shoptest"
)

// The cashier takes what was paid of a dropped sale out of the drawer. The screen says so, and that
// Ctrl+Z does not bring the money back.
func TestTheDrawerOpensForThePartOfADroppedSale(t *testing.T) {
	shop := shoptest.Open(t)
	terms := shoptest.Terms("S1")
	terms.Part.Amount = 500
	shop.Sell(terms, drawer.Paying{Tender: drawer.TenderCash})
	connect, printed := prints(t)
	at(t, shop, connect).Press("esc").Sees("500 Ar", "Ctrl+Z brings the lines back, not the money.").
		Press("enter").Sees("nothing yet", "Take 500 Ar out of the drawer.")
	if got := printed(); !bytes.Contains(got, []byte("\x1bp")) {
		t.Errorf("the printer got %q", got)
	}
}

// Another till took the rest meanwhile, so nothing is given back.
func TestADroppedSaleThatIsPaidMeanwhileSaysSo(t *testing.T) {
	shop := shoptest.Open(t)
	terms := shoptest.Terms("S1")
	terms.Part.Amount = 500
	first := shop.Sell(terms, drawer.Paying{Tender: drawer.TenderCash})
	c := at(t, shop)
	terms.Part = payments.Part{Amount: first.Total - 500, Taken: 500, RestOf: first.Number}
	terms.Till = "T2"
	shop.Sell(terms, drawer.Paying{Tender: drawer.TenderCash})
	c.Press("esc").Sees("500 Ar").Press("enter").Sees("has ended. No money was given back.")
}
