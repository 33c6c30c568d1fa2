package tui_test

import (
	"testing"

	"checkout/till/tui/tuitest/shoptest"
)

// staffed opens the console of a shop with the owner Hasina and the cashier Soa.
func staffed(t *testing.T) *console {
	t.Helper()
	shop := shoptest.Open(t)
	shop.Hire()
	return at(t, shop)
}

// The story about cashiers tests the sales of two cashiers. This test checks which cashier a
// question for a PIN suggests.
func TestQuestionsForAPINProposeWhoSells(t *testing.T) {
	c := staffed(t)
	c.Sees("T1 · F12 sign in")
	c.press("f12").Sees("Who sells?", "› Hasina").Type("s0000").Press("enter").Sees("› Soa", "PIN is wrong")
	c.Type(shoptest.SoasPIN).Press("enter").Sees("T1 · Soa", "Soa sells from now on.")
	c.press("f12").Sees("› Soa").Type("h" + shoptest.HasinasPIN).Press("enter").Sees("T1 · Hasina")
	c.press("f10").Press("f").Type("50000").Press("enter").Sees("› Hasina", "PIN")
}

func TestEscLeavesWhoSellsAsItWas(t *testing.T) {
	c := staffed(t)
	c.press("f12").Sees("Who sells?").Press("esc").Sees("T1 · F12 sign in")
	if order := c.charge(); order.By != "" {
		t.Errorf("got an order by %q, want none", order.By)
	}
}

func TestACashierCanSignInWhenTheStoreIsBack(t *testing.T) {
	shop := shoptest.Open(t)
	shop.Hire()
	shop.Break()
	c := at(t, shop)
	c.Lacks("F12")
	c.Mend()
	c.wake().Sees("T1 · F12 sign in")
}

func TestOnlyAShopWithCashiersSeesSomethingOfSigningIn(t *testing.T) {
	c := open(t)
	c.Lacks("F12").Press("f12").Lacks("Who sells?").Press("f1").Lacks("F12", "sign in").Press("esc")
	c.Hire()
	c.wake().Sees("T1 · F12 sign in")
}
