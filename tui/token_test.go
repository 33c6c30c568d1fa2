package tui_test

import (
	"testing"

	"checkout/till/assets/i18n"
)

// A token of a test account moves no money, and no screen lets a cashier forget
// it.
func TestEveryScreenOfATestAccountSaysSo(t *testing.T) {
	rendering(t)
	test := func(c *console) { c.config.Test = true }
	everywhere := places()
	everywhere["a payment"] = func(c *console) { c.charge() }
	everywhere["a payment turned to the customer"] = func(c *console) { c.charge(); c.press("f9") }
	everywhere["an outcome"] = func(c *console) { c.Pay(c.charge()); c.wake() }
	everywhere["the articles"] = func(c *console) { c.press("f6") }
	everywhere["the health"] = func(c *console) { c.press("f8") }
	for place, reach := range everywhere {
		for _, language := range i18n.Languages() {
			t.Run(place+" in "+language, func(t *testing.T) {
				c := open(t, in(language), test)
				reach(c)
				c.Sees("TEST")
			})
		}
	}
	open(t).Lacks("TEST")
}
