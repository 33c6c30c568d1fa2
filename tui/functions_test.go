package tui_test

import (
	"testing"

	"checkout/till/tui/pay"
	"checkout/till/tui/tuitest/counter"
)

func TestFunctionKeysLeadFromEveryScreenToEachOther(t *testing.T) {
	rendering(t)
	shows := map[string]string{
		"f3": "To check", "f4": "─ Waiting ─", "f5": "No sale is held.", "f6": "Find:", "f8": "Listener",
	}
	own := map[string]string{"the board": "f4", "the history": "f3", "the articles": "f6", "an article": "f6", "the health": "f8"}
	for name, reach := range everyScreen() {
		for key, title := range shows {
			t.Run("N20 "+key+" on "+name, func(t *testing.T) {
				c := open(t)
				c.stock()
				reach(c)
				switch {
				case own[name] == key:
					title = "Type what the customer takes" // It closes its screen.
				case name == "the sale" && key == "f5":
					title = "which name?"
				}
				c.press(key).Sees(title)
			})
		}
	}
	t.Run("N20 F2 without news says so", func(t *testing.T) {
		open(t).press("f2").Sees("Nothing new.", "Type what the customer takes").Press("x").Lacks("Nothing new.")
	})
	t.Run("N20 WEBHOOKS REFUSED leads from the code to the reason, and back", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.health.Refused = 3
		c.after(0).Sees("WEBHOOKS REFUSED · F8").Press("f8")
		c.Sees("refused since the last good one: 3").Press("f8")
		if got := c.QR(); got != order.Link.URL {
			t.Errorf("the code says %q", got)
		}
	})
	t.Run("N20 news of another order lead back to the code", func(t *testing.T) {
		c := open(t)
		first := c.Charge("S1", counter.Coca())
		order := c.wake().charge()
		c.Pay(first)
		c.wake().press("f2").Sees("✓ PAID", "2 000 Ar")
		c.after(pay.Grace).press("enter").Sees("Scan to pay")
		if got := c.QR(); got != order.Link.URL {
			t.Errorf("the code says %q", got)
		}
	})
}
