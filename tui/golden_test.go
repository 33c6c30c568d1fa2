package tui_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// frames returns the states of the console's frame by name, each with a function that brings the
// console into the state. The packages of the screens have tests for the screens themselves.
func frames() map[string]func(c *console) {
	return map[string]func(c *console){
		"first":    func(c *console) { c.health.LastEvent = time.Time{} },
		"welcome":  func(c *console) { *c = *open(c.t, c.alike(), demo, welcome) },
		"sale":     func(c *console) { c.enter("Vary 3500 x2", "Coca 2000") },
		"restored": func(c *console) { c.enter("Vary 3500 x2"); *c = *at(c.t, c.Counter, c.alike()) },
		"news": func(c *console) {
			c.Pay(c.charge())
			c.wake().after(time.Second).press("enter")
			c.Pay(c.Charge("S2", shoptest.Coca()))
			c.enter("Savony 1200").wake()
		},
		"news-several": func(c *console) {
			c.Hear(shoptest.Event(c.Charge("S1"), payments.PaymentExpired, ""))
			c.Fail(c.Pay(c.Charge("S2")), "")
			c.Charge("S3")
			c.wake()
		},
		"board": func(c *console) { c.charge(); c.serve().press("f4") },
		"to-check": func(c *console) {
			lost(c)
			c.enter("Savony 1200").press("f2").after(counter.Grace).press("enter").wake()
		},
		"help-sale":     func(c *console) { c.press("f1") },
		"help-orders":   func(c *console) { c.press("f3", "f1") },
		"articles":      func(c *console) { c.stock(); c.press("f6") },
		"help-articles": func(c *console) { c.press("f6", "f1") },
		"help-pay":      func(c *console) { c.charge(); c.press("f1") },
		"help-demo":     func(c *console) { *c = *open(c.t, c.alike(), demo); c.charge(); c.press("f1") },
		"quit":          func(c *console) { c.charge(); c.serve(); c.charge(); c.press("ctrl+c") },
		"not-listening": func(c *console) { c.health.Listening = false },
		"no-charge":     func(c *console) { c.health.Listening = false; c.enter("Vary 3500 x2", "", "") },
		"unconfirmed":   func(c *console) { c.health.Looked = c.Now(); c.after(0).enter("Vary 3500 x2", "") },
		"store-down":    func(c *console) { c.enter("Vary 3500 x2"); c.Break(); c.wake() },
		"cut-off":       func(c *console) { c.health.Shared = true; c.enter("Vary 3500 x2"); c.Break(); c.wake() },
		"refused":       func(c *console) { c.refuse(7) },
		"orphan":        func(c *console) { c.enter("Savony 1200"); stranger(c) },
		"alarms":        func(c *console) { c.Pay(c.Charge("S1")); stranger(c); c.refuse(7) },
		"alarms-pay":    func(c *console) { c.Pay(c.Charge("S1")); c.charge(); stranger(c); c.refuse(7) },
		"demo":          func(c *console) { *c = *open(c.t, c.alike(), demo) },
		"demo-phones":   func(c *console) { *c = *open(c.t, c.alike(), demo, phones) },
		"demo-plays":    func(c *console) { *c = *open(c.t, c.alike(), demo, plays) },
	}
}

func TestTheConsoleLooksAsItDid(t *testing.T) {
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(frames())),
		Wide:   []string{"board", "sale"},
		Narrow: []string{"board.more"}, // Only the narrow strip contains this text, because the wide column has room for all payments.
		// These texts may be missing: the long mark of the demo, labels of the key bar, the second page of
		// the help, and texts that need more room than the total, the strip and the entry line leave.
		Yields: []string{
			"pay_keys.turn", "board.title", "board.jump", "guide.everywhere", "held.title", "sale.pieces", "verdicts.check",
			"cash.link", "cash.key_void", "receipt.shows", "alarms.other", "customer.welcome", "frame.demo",
			"today.sale", "guide.forms.12", "guide.forms.13", "guide.forms.14", "guide.forms.15", "guide.forms.16",
		},
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			c := open(t, in(language), dressed(styles))
			frames()[state](c)
			c.Send(c.gate.Open())
			c.after(0)
			return c.Driver
		},
	}.Test(t)
}
