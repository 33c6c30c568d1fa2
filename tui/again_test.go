package tui_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/pay"
	"checkout/till/tui/tuitest/counter"
)

func TestACodeIsShownAgainFromTheOrders(t *testing.T) {
	cases := map[string]func(c *console, order payments.Order){
		"after a refusal": func(c *console, order payments.Order) { c.Fail(order, "Solde insuffisant") },
		"after a cancel": func(c *console, order payments.Order) {
			c.Hear(counter.Event(order, payments.PaymentCanceled, ""))
		},
	}
	word := map[string]string{"after a refusal": "Payment refused: Solde insuffisant", "after a cancel": "NOT PAID: canceled"}
	for name, happened := range cases {
		t.Run(name, func(t *testing.T) {
			c := open(t)
			order := c.Charge("S1")
			happened(c, order)
			c.wake().press("f3", "enter").Sees("Link until", "o show the code").Press("o")
			c.Resize(100, 40).Sees("✗ "+word[name], "Esc Next customer").Fits()
			if got := c.QR(); got != order.Link.URL {
				t.Errorf("the code says %q", got)
			}
			c.press("esc").Sees("Leave it waiting?").Press("enter")
			c.Sees("Link until", order.Reference, "o show the code")
			c.press("o")
			c.Pay(order)
			c.wake().Sees("✓ PAID").Lacks("Scan")
			c.after(pay.Grace).press("enter").Sees("✓ PAID", "Link until").Lacks("show the code")
		})
	}
	t.Run("another outcome takes the code away", func(t *testing.T) {
		c := open(t)
		order := c.Charge("S1")
		c.Fail(order, "")
		c.wake().press("f3", "enter", "o").Resize(100, 40)
		c.QR()
		c.Hear(counter.Event(order, payments.PaymentCanceled, ""))
		c.wake().Sees("NOT PAID: canceled").Lacks("Scan")
	})
}

func TestAReasonMayHoldEveryCharacter(t *testing.T) {
	c := open(t)
	c.Pay(c.Charge("S1"))
	c.wake().press("f3", "enter", "u").Type("why? 47110815")
	c.after(time.Second).press("enter").Sees("MARKED UNPAID", "why? 47110815")
}
