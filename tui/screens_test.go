package tui_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func screens() map[string]func(c *console) {
	past := func(c *console) { c.charge(); c.serve().press("f3", "tab", "enter") }
	return map[string]func(c *console){
		"an empty sale":                    func(*console) {},
		"a sale":                           func(c *console) { c.enter("Vary 3500 x2") },
		"half a line":                      func(c *console) { c.enter("Vary 3500 x2").Type("Coca 20"); c.Press("left", "left") },
		"a line that was not understood":   func(c *console) { c.enter("Vary") },
		"an amount that is too large":      func(c *console) { c.enter("Vary 99999999999999999999") },
		"a chosen line":                    func(c *console) { c.enter("Vary 3500 x2").press("up") },
		"a correction":                     func(c *console) { c.enter("Vary 3500 x2").press("up", "enter") },
		"the charge question":              func(c *console) { c.enter("Vary 3500 x2", "") },
		"a name to hold the sale by":       func(c *console) { c.enter("Vary 3500").press("f5").Type("Ri") },
		"no charge":                        func(c *console) { c.health.Listening = false; c.after(0).enter("Vary 3500", "", "") },
		"a payment":                        func(c *console) { c.charge() },
		"a payment turned to the customer": func(c *console) { c.charge(); c.press("f9") },
		"the question whether to leave it": func(c *console) { c.charge(); c.press("esc") },
		"an order that was refused":        func(c *console) { c.Reply(shoptest.Refuse("non")); c.charge() },
		"an order that was not sent":       func(c *console) { c.Reply(shoptest.Unreachable()); c.charge() },
		"an outcome":                       func(c *console) { c.Pay(c.charge()); c.wake() },
		"the board":                        func(c *console) { c.charge(); c.serve().press("f4") },
		"many payments awaited":            func(c *console) { many(c) },
		"the history":                      func(c *console) { c.press("f3", "tab") },
		"an order of the past":             past,
		"a finding to confirm":             func(c *console) { past(c); c.press("y") },
		"a lost order":                     func(c *console) { lost(c); c.press("f3", "enter") },
		"the articles":                     func(c *console) { c.press("f6").Type("var") },
		"an article":                       func(c *console) { c.press("f6", "ctrl+n").Type("Koba") },
		"an article to throw away":         func(c *console) { c.press("f6", "ctrl+n").Type("Koba"); c.Press("esc") },
		"the health":                       func(c *console) { c.press("f8") },
		"the help of an order":             func(c *console) { c.charge(); c.press("f1") },
		"the question whether to end":      func(c *console) { c.charge(); c.press("ctrl+c") },
	}
}

func TestAlarmsAreShownOnEveryScreen(t *testing.T) {
	rendering(t)
	for name, reach := range screens() {
		t.Run("on "+name, func(t *testing.T) {
			// Every screen says that a test account moves no real money.
			c := open(t, func(c *console) { c.config.Test = true })
			reach(c)
			c.Sees("TEST")
			if name == "no charge" || name == "a lost order" || name == "a payment turned to the customer" {
				return // These screens have other texts for alarms.
			}
			said := func(text string) {
				t.Helper()
				c.Sees(text).Fits().Resize(40, 15).Sees(text, "TEST").Fits().Resize(80, 24)
			}
			c.refuse(3)
			c.after(time.Second)
			said("WEBHOOKS REFUSED")
			c.refuse(0)
			c.after(time.Second).Lacks("WEBHOOKS REFUSED")
			stranger(c)
			said("PAID WITHOUT ORDER: 1")
		})
	}
}

func TestFunctionKeysWorkOnEveryScreen(t *testing.T) {
	rendering(t)
	shows := map[string]string{
		"f3": "To check", "f4": "─ Waiting ─", "f5": "No sale is held.", "f6": "Find:", "f8": "What to do",
	}
	own := map[string]string{"the board": "f4", "the history": "f3", "the articles": "f6", "an article": "f6", "the health": "f8"}
	for _, name := range []string{
		"a sale", "a name to hold the sale by", "a payment", "the question whether to leave it", "an outcome", "the board", "the history", "the articles", "an article", "the health",
	} {
		for key, title := range shows {
			t.Run(key+" on "+name, func(t *testing.T) {
				c := open(t)
				c.stock()
				screens()[name](c)
				switch {
				case own[name] == key:
					title = "Type what the customer takes" // Here, the key closes the open screen.
				case name == "a sale" && key == "f5":
					title = "which name?"
				case name == "a name to hold the sale by" && key == "f5":
					title = "charges 3 500"
				}
				c.press(key).Sees(title)
			})
		}
	}
	t.Run("F2 without news says so", func(t *testing.T) {
		open(t).press("f2").Sees("Nothing new.", "Type what the customer takes").Press("x").Lacks("Nothing new.")
	})
	t.Run("F8 leads from a code to the cause of refused webhooks, and back", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.refuse(3)
		c.after(0).Sees("WEBHOOKS REFUSED · F8").Press("f8")
		c.Sees("refused since the last good one: 3").Press("f8")
		c.Sees("… WAITING", "the webhook secret has probably")
		tuitest.Equal(t, c.QR(), order.Link.URL, "the code")
	})
}

// After F7, each screen must look as if the console had started in the new language.
func TestTheLanguageChangesWhileTheConsoleRuns(t *testing.T) {
	rendering(t)
	for place, reach := range screens() {
		t.Run(place, func(t *testing.T) { speaks(t, reach) })
	}
}

func speaks(t *testing.T, reach func(c *console)) {
	t.Helper()
	show := func(language string) *console {
		c := open(t, in(language))
		reach(c)
		return c
	}
	c := show("en")
	before := c.View()
	for _, language := range []string{"fr", "mg"} {
		if got, want := c.press("f7").Fits().View(), show(language).View(); got != want {
			t.Fatalf("in %s after F7:\n%s\nwant\n%s", language, got, want)
		}
	}
	tuitest.Equal(t, c.press("f7").View(), before, "the view")
}

func TestEveryScreenSurvivesResizing(t *testing.T) {
	for place, reach := range screens() {
		if place == "a payment turned to the customer" {
			continue // The view for the customer has large letters, because it is read from two metres. It does not fit into these windows.
		}
		t.Run(place, func(t *testing.T) {
			c := open(t)
			reach(c)
			before := c.View()
			for _, size := range tuitest.Some(3, [][2]int{{20, 5}, {20, 6}, {21, 9}, {33, 12}, {132, 7}, {1, 40}, {200, 1}}) {
				c.Resize(size[0], size[1]).Fits()
			}
			c.Resize(20, 5)
			if text := c.Screen().String(); !strings.Contains(text, "larger: 20×6") && !strings.ContainsAny(text, "✓✗") {
				t.Errorf("in 20x5 the screen shows %q", text)
			}
			tuitest.Equal(t, c.Resize(80, 24).View(), before, "the view")
		})
	}
}

func TestEveryScreenShowsItsKeysInEveryWindow(t *testing.T) {
	for _, place := range []string{
		"a payment", "the board", "the history", "an order of the past", "a finding to confirm", "the articles", "an article", "the health",
		"the charge question", "the question whether to leave it", "the question whether to end",
	} {
		t.Run(place, func(t *testing.T) {
			c := open(t)
			screens()[place](c)
			for _, size := range [][2]int{{40, 15}, {50, 30}, {59, 24}, {60, 20}, {80, 24}, {100, 28}, {120, 36}} {
				c.Resize(size[0], size[1]).Fits().Sees("Esc")
			}
		})
	}
}

// The banner takes the row from the screen that a border with the keys would need.
func TestTheKeysStayInViewBelowABanner(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.press("esc")
	c.Pay(order)
	c.wake().Sees("✓ PAID")
	for _, route := range []string{"f3", "f6", "f8", "f10"} {
		c.press(route)
		for _, height := range []int{18, 19, 20, 21, 22} {
			c.Resize(60, height).Fits().Sees("✓ PAID", "Esc")
		}
	}
}

func TestTheWindowMayBeResizedAtAnyMoment(t *testing.T) {
	t.Run("while the outcome arrives during a sale", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.serve().Type("Savony 12").Resize(200, 60).Fits().Sees("› Savony 12").Resize(20, 5)
		c.Pay(order)
		c.wake().Fits().Sees("✓ PAID", "Make the window", "larger: 20×6")
		c.Type("00").Resize(80, 24).Fits().Sees("✓ PAID", "F2  Show", "› Savony 1200")
	})
	t.Run("while the help is larger than the window", func(t *testing.T) {
		c := open(t)
		c.Resize(40, 15).Fits()
		c.press("up", "f1").Fits().Sees("an article").Lacks("Ctrl+C")
		c.Sees("Esc closes  PgDn ↓ ").Lacks("F1Keys", "↑")
		c.press("up").Sees("an article").Press("pgdown").Fits().Sees("Type a line ─", "a receipt", "Esc closes  ↑ ").Press("end").Sees("drop the sale").Lacks("a receipt", "↓")
		c.press("down").Sees("drop the sale").Resize(120, 40).Fits().Sees("charge", "Ctrl+C")
		c.Resize(20, 6).Fits().Resize(20, 1).Fits().Resize(40, 15)
		c.press("home").Sees("an article").Press("f1").Lacks("two quantities").Sees("F1Keys")
	})
}

func TestATallHealthScreenShowsTheLastOutcomes(t *testing.T) {
	c := open(t)
	c.press("f8")
	c.Sees("What to do").Lacks("Last outcomes").Resize(200, 60).Fits().Sees("What to do", "Last outcomes")
	c.press("d").Sees("Report").Lacks("Last outcomes")
}

// lost creates an order and loses the answer to its call. Then it receives a success event that is
// not matched with the order. No screen opens.
func lost(c *console) {
	c.Reply(shoptest.Silence())
	event := shoptest.Event(c.Charge("S1"), payments.PaymentSuccess, "")
	event.OrderReference = "REF_700900"
	c.Hear(event)
	c.Reply(c.Accept)
	c.wake()
}

func many(c *console) {
	for range 12 {
		c.Charge("S1", shoptest.Coca())
	}
	c.wake()
}

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
