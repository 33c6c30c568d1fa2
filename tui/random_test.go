package tui_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/counter"
)

// FuzzConsole (T11) sends what a person, a machine and a payment service can
// send, in any order, and looks at what is drawn after each.
func FuzzConsole(f *testing.F) {
	seeds := uint64(10)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { live(t, seed, 150) })
}

// live lets things happen to a console at random, and looks at what is drawn
// after each.
func live(t *testing.T, seed uint64, steps int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	charset := pick(random, theme.Unicode, theme.Unicode, theme.Console, theme.ASCII)
	draws := func(c *console) { c.config.Theme.Charset = charset }
	c := open(t, in(i18n.Languages()[random.IntN(3)]), draws)
	for range steps {
		did := step(c, random)
		if c.Quit() {
			c = at(t, c.Counter, in(c.language), draws)
		}
		checkView(t, c, did)
	}
}

// pick returns one of the choices.
func pick[T any](random *rand.Rand, choices ...T) T { return choices[random.IntN(len(choices))] }

// step does one thing of those that can happen, and says which.
func step(c *console, random *rand.Rand) string {
	entry := pick(random, "Vary 3500 x2", "1500", "vary", "2*Savony 1 200", "e\u0301\u202e中文 77", "x", strings.Repeat("long", 60)+" 5")
	switch random.IntN(10) {
	case 0:
		width, height := pick(random, 80, 120, 1+random.IntN(130)), pick(random, 24, 40, 1+random.IntN(45))
		c.Resize(width, height)
		return fmt.Sprintf("resize to %dx%d", width, height)
	case 1:
		c.Paste(entry)
		return "type " + entry
	case 2:
		c.after(pick(random, time.Second, time.Second, 20*time.Second, 5*time.Minute))
		return "wait"
	case 3:
		return hear(c, random, entry)
	case 4:
		c.Reply(pick(random, c.Accept, c.Accept, c.Accept, c.Accept,
			counter.Refuse("non"), counter.Lose("?"), counter.Unreachable()))
		c.health.Listening = random.IntN(6) > 0
		c.after(0)
		return "answer otherwise"
	case 5:
		c.press("ctrl+u").enter("Vary 3500", "", "")
		return "sell"
	}
	name := pick(random, "enter", "enter", "enter", "enter", "enter", "esc", "esc", "up", "down", "tab", "delete",
		"ctrl+z", "ctrl+c", "f1", "f2", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "?", "n", "n", "s", "l", "c", "y", "u", "m", "+", "-", "home", "left")
	c.Press(name)
	return "press " + name
}

// hear lets the service say something of one of the last orders.
func hear(c *console, random *rand.Rand, reason string) string {
	orders := c.All()
	if len(orders) == 0 {
		return "hear nothing"
	}
	kind := pick(random, append(payments.EventKinds(), payments.PaymentSuccess, "payment.refunded")...)
	event := counter.Event(orders[random.IntN(min(len(orders), 4))], kind, reason)
	event.Amount = pick(random, event.Amount, event.Amount, payments.AmountValue(1))
	c.Hear(event)
	c.wake()
	return "hear " + string(kind)
}

// checkView fails the test when the view is larger than its window, holds what
// a terminal must not get, or asks for a payment that is not wanted.
func checkView(t *testing.T, c *console, did string) {
	t.Helper()
	if c.Fits(); t.Failed() {
		t.Fatalf("after: %s", did)
	}
	view := c.View()
	if found := harm(view); found != "" {
		t.Fatalf("after %s the view holds %s", did, found)
	}
	if c.config.Theme.ASCII() && strings.ContainsFunc(view, func(r rune) bool { return r >= 0x80 }) {
		t.Fatalf("after %s the view holds more than ASCII:\n%s", did, view)
	}
	if !strings.Contains(view, "48;5;231") {
		return
	}
	link, all := c.QR(), c.All()
	i := slices.IndexFunc(all, func(o payments.Order) bool { return o.Link.URL == link })
	if i < 0 {
		t.Fatalf("after %s the code of no order is shown", did)
	}
	paid := slices.ContainsFunc(all, func(o payments.Order) bool { return o.Sale == all[i].Sale && o.Paid() })
	if paid || !all[i].Live(c.Now()) || !c.health.Listening {
		t.Fatalf("after %s the code of %+v is shown; listening: %v, its sale is paid: %v", did, all[i], c.health.Listening, paid)
	}
}
