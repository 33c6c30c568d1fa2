package tui_test

import (
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// staffed returns a shop with the owner Hasina and the cashier Soa.
func staffed(t *testing.T) *shoptest.Counter {
	t.Helper()
	shop := shoptest.Open(t)
	owner := staff.Identity{Name: "Hasina", PIN: secret.New("4711")}
	_, err := shop.AddCashier(t.Context(), owner.Name, "", owner.PIN, staff.Identity{})
	tuitest.Must(t, err)
	_, err = shop.AddCashier(t.Context(), "Soa", "", secret.New("1357"), owner)
	tuitest.Must(t, err)
	return shop
}

func TestACashierSignsInOnceAndEverySaleNamesThem(t *testing.T) {
	c := at(t, staffed(t))
	c.Sees("T1 · F12 sign in")
	c.press("f12").Sees("Who sells?", "› Hasina").Type("s1358").Press("enter").Sees("› Soa", "PIN is wrong")
	c.Type("1357").Press("enter").Sees("T1 · Soa", "Soa sells from now on.")
	order := c.charge()
	c.wake()
	c.Hear(shoptest.Event(order, payments.PaymentSuccess, ""))
	c.wake().after(counter.Grace).Press("enter")
	c.enter("Coca 2000").press("enter", "tab", "enter").after(counter.Grace).Sees("CASH")
	entries, err := c.Journal(t.Context(), money.Day(c.Now(), 0))
	tuitest.Must(t, err)
	if order.By != "Soa" || len(entries) != 2 || entries[0].By != "Soa" || entries[1].By != "Soa" {
		t.Errorf("got the order %q and the sales %+v, want both by Soa", order.By, entries)
	}
	// Another cashier takes over in one act. What asks for a PIN proposes the one who sells.
	c.press("enter", "f12").Sees("› Soa").Type("h4711").Press("enter").Sees("T1 · Hasina")
	c.press("f10").Press("f").Type("50000").Press("enter").Sees("› Hasina", "PIN")
}

func TestEscLeavesWhoSellsAsItWas(t *testing.T) {
	c := at(t, staffed(t))
	c.press("f12").Sees("Who sells?").Press("esc").Sees("T1 · F12 sign in")
	if order := c.charge(); order.By != "" {
		t.Errorf("got an order by %q, want none", order.By)
	}
}

func TestAShopWithoutCashiersSeesNothingOfSigningIn(t *testing.T) {
	c := open(t)
	c.Lacks("F12").Press("f12").Lacks("Who sells?").Press("f1").Lacks("F12")
	if strings.Contains(c.View(), "sign in") {
		t.Error("the help names the sign-in")
	}
}
