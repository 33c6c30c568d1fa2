package tui_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

// owing opens a console with a customer who owes 7,000 Ar.
func owing(t *testing.T) *console {
	t.Helper()
	c := open(t, lending).enter("Vary 7000", "")
	c.press("tab", "tab").Type("Rabe").Press("enter", "enter")
	c.after(counter.Grace)
	c.press("enter").Lacks("F5 debts") // The bar names F5 already.
	return c
}

// asksForDebt charges the whole debt with a link.
func (c *console) asksForDebt() payments.Order {
	c.press("f5", "enter", "enter", "enter").QR()
	return c.newest()
}

func TestAPaymentOfADebtHasTheLanguageThatTheCashierHasChosen(t *testing.T) {
	c := owing(t)
	c.press("f7")
	if order := c.asksForDebt(); order.Description != "Règlement d'une dette" {
		t.Errorf("got the description %q", order.Description)
	}
}

func TestAnUnpaidLinkOfADebtSaysNothingOfGoods(t *testing.T) {
	c := owing(t)
	c.Hear(shoptest.Event(c.asksForDebt(), payments.PaymentExpired, ""))
	c.wake().Sees("The sum is still owed. n makes a new code.").Lacks("goods", "lines")
}

func TestTheDetailsNameTheCustomerOfADebt(t *testing.T) {
	c := owing(t)
	order := c.Pay(c.asksForDebt())
	c.wake().after(counter.Grace)
	c.press("enter").enter(order.Reference)
	c.Sees(order.Reference, "Customer Rabe")
	c.press("f3").enter("T1-GT-C-000001")
	c.Sees("ON ACCOUNT", "Customer Rabe")
}

func TestAFindingAboutADebtSaysNothingOfGoods(t *testing.T) {
	c := owing(t)
	paid := shoptest.Event(c.asksForDebt(), payments.PaymentSuccess, "")
	paid.Amount = payments.AmountValue(700)
	c.Hear(paid)
	c.wake()
	c.after(counter.Grace)
	c.press("enter", "f3").Press("tab", "tab", "tab")
	c.Sees("that much less is owed", "the sum is still owed").Lacks("hand over the goods, or", "keep the goods")
}
