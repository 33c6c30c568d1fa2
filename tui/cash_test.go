package tui_test

import (
	"testing"

	"checkout/till/tui/counter"
)

func TestAnOrderThatCashReplacedNamesTheCashSale(t *testing.T) {
	c := open(t)
	order := c.Fail(c.charge(), "")
	c.wake().after(counter.Grace).press("tab").Press("enter")
	c.after(counter.Grace).Press("enter")
	c.after(counter.Grace).Sees("T1-GT-C-000001").Press("enter")
	const says = "This sale was paid at the counter: T1-GT-C-000001."
	c.press("f3", "enter").Sees(order.Reference, says).Press("esc", "esc")
	c.press("f2").after(counter.Grace).Sees("NOT PAID: refused", says).Lacks("Another order", "Tab")
}

func TestASaleThatIsPaidInPartReturnsToBePaid(t *testing.T) {
	c := open(t)
	c.enter("Vary 9000", "").press("tab").enter("5000").after(counter.Grace).press("enter")
	order := c.newest()
	c.Fail(order, "")
	c.wake().after(counter.Grace).press("r").Sees("The sale is back: charge what is left.", "5 000 Ar paid, 4 000 Ar to pay").Lacks("correct them")
}
