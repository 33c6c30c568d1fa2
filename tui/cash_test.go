package tui_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTabTakesCashInsteadOfTheCode(t *testing.T) {
	t.Run("while the code is shown", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.wake().after(counter.Grace).Sees("… WAITING", "Tab", "cash")
		c.press("tab").Sees("To pay", "9 000", "Change", "the exact sum").Press("enter")
		c.after(counter.Grace).Sees("The code can still be paid until", "Take cash all the same?").Lacks("Make another one")
		c.press("enter").Sees("CASH", "T1-C-000001")
	})
	t.Run("after an outcome that was visible for long enough", func(t *testing.T) {
		c := open(t)
		c.Hear(shoptest.Event(c.charge(), payments.PaymentExpired, ""))
		c.wake().Sees("NOT PAID: expired").Lacks("Tab").Press("tab").Sees("NOT PAID: expired")
		c.after(counter.Grace).press("tab").Sees("Change").Press("enter").Sees("CASH", "T1-C-000001")
	})
	t.Run("not after proof", func(t *testing.T) {
		c := open(t)
		c.Pay(c.charge())
		c.wake().after(counter.Grace).Lacks("Tab").Press("tab").Sees("✓ PAID")
	})
}

func TestAScanThatEndsWithTabTakesNoCash(t *testing.T) {
	next := "For the next customer: Vary gasy, 3 500 Ar."
	t.Run("over a code", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.scans(varyGasy, 5*time.Millisecond, "tab").Sees("… WAITING", next).Lacks("Change")
		c.after(time.Second).press("tab").Sees("To pay", "9 000", "Change", "The sale that was begun is held as 1")
	})
	t.Run("over an outcome", func(t *testing.T) {
		c := open(t, sells)
		c.Hear(shoptest.Event(c.charge(), payments.PaymentExpired, ""))
		c.wake().after(counter.Grace).scans(varyGasy, 5*time.Millisecond, "tab").Sees("NOT PAID: expired", next)
	})
	t.Run("with an unknown code", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.scans("6111000000099", 5*time.Millisecond, "tab").Sees("… WAITING", "No article has the code").Lacks("Change")
	})
}

func TestAnOrderThatCashReplacedNamesTheCashSale(t *testing.T) {
	c := open(t)
	order := c.Fail(c.charge(), "")
	c.wake().after(counter.Grace).press("tab").Press("enter")
	c.after(counter.Grace).Press("enter")
	c.after(counter.Grace).Sees("T1-C-000001").Press("enter")
	const says = "This sale was paid in cash: T1-C-000001."
	c.press("f3", "enter").Sees(order.Reference, says).Press("esc", "esc")
	c.press("f2").after(counter.Grace).Sees("NOT PAID: refused", says).Lacks("Another order", "Tab")
}
