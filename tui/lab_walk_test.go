package tui_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"checkout/till/assets/i18n"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/storage/storagetest"
	"checkout/till/tui"
	"checkout/till/tui/counter"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// spoil gives the service the faults of two random scenarios at the same time.
func (l *lab) spoil(random *rand.Rand) {
	l.t.Helper()
	var faults sandbox.Faults
	for range 2 {
		text, err := json.Marshal(pick(random, sandbox.Scenarios()...).Faults, sandbox.JSON())
		if err == nil {
			err = json.Unmarshal(text, &faults, sandbox.JSON()) // This adds to the faults of the first scenario.
		}
		tuitest.Must(l.t, err)
	}
	// Shorten the faults that take real time.
	faults.Call.Slow, faults.Event.Slow = min(faults.Call.Slow, time.Millisecond), min(faults.Event.Slow, time.Millisecond)
	l.service.SetFaults(faults)
}

// pick returns a random choice.
func pick[T any](random *rand.Rand, choices ...T) T { return choices[random.IntN(len(choices))] }

// actAtRandom logs and performs a random act: one of [lab.do], or one of this test alone.
func (l *lab) actAtRandom(random *rand.Rand) {
	customer := func(kinds ...string) string { return fmt.Sprint(pick(random, kinds...), " ", random.IntN(3)) }
	key := func() string {
		return "press " + pick(random, "enter", "enter", "enter", "esc", "esc", "f2", "f2", "f3", "f4", "f5", "f6", "f8", "f9", "f1", "?", "n", "n",
			"tab", "up", "down", "m", "y", "u", "s", "l", "c", "+", "-", "home", "left", "delete", "ctrl+z", "ctrl+c", "ctrl+u")
	}
	anyKey := func() string {
		return "press " + pick(random, "f10", "f10", "f7", "f12", "x", "x", "z", "p", "r", "v", "b", "t", "k", "f", "i", "o", "d", "e", "a", "w", "g", "1", "5", "/", "*",
			"end", "right", "pgup", "pgdown", "shift+tab", "insert", "backspace", "ctrl+n", "ctrl+a", "ctrl+w", "ctrl+left", "alt+1", "alt+3", "alt+9", "alt+x", "alt+enter", "f20")
	}
	const wide, high = 300, 100 // The largest window.
	act := pick(random,
		"spoil", "mend", "sell", "deaf", customer("success", "failed"), customer("success", "canceled"), customer("failed", "expired"),
		fmt.Sprint("again ", max(1, len(l.service.Deliveries())-random.IntN(5))),
		"pass "+pick(random, "1s", "5s", "1m", "9m", "13m", "11h59m59s", "15h", "24h", "900h"),
		"type "+pick(random, "Vary 3500 x2", pick(random, storagetest.HostileTexts()...).Raw, "1500", "vary", "2*Savony 1 200", "e\u0301\u202e中文 77", strings.Repeat("long", 60)+" 5"),
		pick(random, "enter Vary 3500", "enter Savony 1200", "enter 2000", "cash 1000", "cash"),
		"write "+pick(random, shoptest.HasinasPIN, shoptest.SoasPIN, "Hasina", debtor, "5000", "10%", "6111000000017", "a"),
		pick(random, "resize 80 24", "resize 120 40", fmt.Sprint("resize ", 1+random.IntN(130), " ", 1+random.IntN(45))),
		pick(random, "resize 80 24", "resize 120 40", "resize 160 45", fmt.Sprint("resize ", 1+random.IntN(wide), " ", 1+random.IntN(high))),
		"break", "repair", "repair", "late", "release", "release", "other", "other", "other",
		key(), key(), key(), key(), anyKey(), anyKey(), anyKey(),
	)
	l.t.Log(act)
	switch act {
	case "spoil":
		l.spoil(random)
		l.t.Logf("the faults are %+v", l.service.Faults())
	case "late":
		l.delays(random)
	case "release":
		l.gate.Shuffle(random)
		l.do(act)
	case "other":
		l.other(random)
	default:
		l.do(act)
	}
}

// anySettings returns random settings of a console.
func anySettings(random *rand.Rand) []setting {
	charset := pick(random, theme.Unicode, theme.Unicode, theme.Console, theme.Lines, theme.ASCII)
	bare := func(*console) {}
	return []setting{
		in(pick(random, i18n.Languages()...)),
		pick(random, bare, colourful),
		pick(random, bare, demo, plays),
		func(c *console) { c.config.Theme.Charset = charset },
		pick(random, bare, lending, lending),
		pick(random, bare, func(c *console) { c.config.Motion = true }),
		pick(random, bare, func(c *console) { c.config.Receipts = receipt.Config{Columns: 32} }, func(c *console) {
			c.config.Receipts = receipt.Config{Columns: 48, When: receipt.Always, Printer: receipt.Printer{Address: "127.0.0.1:1"}}
		}),
	}
}

// FuzzConsole performs random acts on a console, with up to two faults of the service at a time,
// and checks the invariants after each act. Other people change the shop at the same time.
func FuzzConsole(f *testing.F) {
	for seed := range uint64(storagetest.Size(3, 10)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		t.Parallel()
		random := rand.New(rand.NewPCG(seed, 3))
		settings := anySettings(random)
		l := openLab(t, labSetup{scheme: pick(random, gateway.Static, gateway.Body)}, sandbox.Faults{}, settings...)
		if l.staffed = random.IntN(3) == 0; l.staffed {
			l.Hire()
		}
		l.Updated = l.drawn(random)
		for range 40 {
			l.actAtRandom(random)
			if l.honest(); t.Failed() {
				return
			}
			if l.Quit() {
				health := l.config.Health
				l.console = at(t, l.Counter, append(settings, func(c *console) { c.config.Health = health })...)
				l.Resize(120, 40)
				l.late = false
				l.Updated = l.drawn(random)
			}
		}
		// End the faults and send every event again.
		l.do("release")
		l.do("repair")
		l.do("mend")
		for _, sent := range l.service.Deliveries() {
			l.do(fmt.Sprint("again ", sent.ID))
		}
		l.honest()
		l.leaves(random)
	})
}

// drawn returns a function that draws one of four frames, because the terminal does not draw every
// frame either.
func (l *lab) drawn(random *rand.Rand) func() {
	return func() {
		if random.IntN(4) == 0 {
			l.Fits()
		}
	}
}

// leaves fails the test unless some keys lead from the open screen to the sale.
func (l *lab) leaves(random *rand.Rand) {
	l.t.Helper()
	l.Resize(120, 40)
	for range 60 {
		if l.Quit() || tui.Selling(l.Model().(shoptest.Gate).Model) {
			return
		}
		l.pass(counter.Grace).Press(pick(random, "esc", "esc", "enter"))
	}
	l.t.Errorf("no key leads to the sale:\n%s", l.View())
}
