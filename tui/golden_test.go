package tui_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/pay"
	"checkout/till/tui/tuitest/counter"
)

// frames are the ways in which the console can stand around its screens, and
// how it comes to that. How the screens themselves look is theirs to keep.
func frames() map[string]func(c *console) {
	return map[string]func(c *console){
		"first":    func(c *console) { c.health.LastEvent = time.Time{} },
		"welcome":  func(c *console) { *c = *open(c.t, in(c.language), demo, welcome) },
		"sale":     func(c *console) { c.enter("Vary 3500 x2", "Coca 2000") },
		"restored": func(c *console) { c.enter("Vary 3500 x2"); *c = *at(c.t, c.Counter, in(c.language)) },
		"news": func(c *console) {
			c.Pay(c.charge())
			c.wake().after(time.Second).press("enter")
			c.Pay(c.Charge("S2", counter.Coca()))
			c.enter("Savony 1200").wake()
		},
		"news-several": func(c *console) {
			c.Hear(counter.Event(c.Charge("S1"), payments.PaymentExpired, ""))
			c.Fail(c.Pay(c.Charge("S2")), "")
			c.Charge("S3")
			c.wake()
		},
		"board":         func(c *console) { c.charge(); c.serve().press("f4") },
		"to-check":      func(c *console) { lost(c); c.enter("Savony 1200").press("f2").after(pay.Grace).press("enter").wake() },
		"help-sale":     func(c *console) { c.press("f1") },
		"help-orders":   func(c *console) { c.press("f3", "f1") },
		"articles":      func(c *console) { c.stock(); c.press("f6") },
		"help-articles": func(c *console) { c.press("f6", "f1") },
		"help-pay":      func(c *console) { c.charge(); c.press("f1") },
		"help-demo":     func(c *console) { *c = *open(c.t, in(c.language), demo); c.charge(); c.press("f1") },
		"quit":          func(c *console) { c.charge(); c.serve(); c.charge(); c.press("ctrl+c") },
		"not-listening": func(c *console) { c.health.Listening = false },
		"no-charge":     func(c *console) { c.health.Listening = false; c.enter("Vary 3500 x2", "", "") },
		"store-down":    func(c *console) { c.enter("Vary 3500 x2"); c.Break(); c.wake() },
		"refused":       func(c *console) { c.health.Refused = 7 },
		"demo":          func(c *console) { *c = *open(c.t, in(c.language), demo) },
		"demo-phones":   func(c *console) { *c = *open(c.t, in(c.language), demo, phones) },
		"demo-plays":    func(c *console) { *c = *open(c.t, in(c.language), demo, plays) },
	}
}

func TestTheConsoleLooksAsItDid(t *testing.T) {
	rendering(t)
	for _, language := range i18n.Languages() {
		for _, state := range slices.Sorted(maps.Keys(frames())) {
			t.Run(state+" in "+language, func(t *testing.T) {
				c := open(t, in(language))
				frames()[state](c)
				c.Send(c.gate.Open())
				c.after(0)
				c.Resize(40, 15).Golden(state + "-" + language + "-40x15")
				c.Resize(80, 24).Golden(state + "-" + language + "-80x24")
				c.Resize(120, 40).Golden(state + "-" + language + "-120x40")
			})
		}
	}
}
