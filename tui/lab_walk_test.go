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
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
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

// actAtRandom returns a random act for [lab.do], or "spoil" for [lab.spoil].
func (l *lab) actAtRandom(random *rand.Rand) string {
	customer := func(kinds ...string) string { return fmt.Sprint(pick(random, kinds...), " ", random.IntN(3)) }
	key := func() string {
		return "press " + pick(random, "enter", "enter", "enter", "esc", "esc", "f2", "f2", "f3", "f4", "f5", "f6", "f8", "f9", "f1", "?", "n", "n",
			"tab", "up", "down", "m", "y", "u", "s", "l", "c", "+", "-", "home", "left", "delete", "ctrl+z", "ctrl+c", "ctrl+u")
	}
	return pick(random,
		"spoil", "spoil", "mend", "sell", "deaf", customer("success", "failed"), customer("success", "canceled"), customer("failed", "expired"),
		fmt.Sprint("again ", max(1, len(l.service.Deliveries())-random.IntN(5))),
		"pass "+pick(random, "1s", "5s", "1m", "9m", "13m"),
		"type "+pick(random, "Vary 3500 x2", "1500", "vary", "2*Savony 1 200", "e\u0301\u202e中文 77", strings.Repeat("long", 60)+" 5"),
		pick(random, "resize 80 24", "resize 120 40", fmt.Sprint("resize ", 1+random.IntN(130), " ", 1+random.IntN(45))),
		key(), key(), key(), key(),
	)
}

// FuzzConsole performs random acts on a console, with up to two faults of the service at a time,
// and checks the invariants after each act.
func FuzzConsole(f *testing.F) {
	for seed := range uint64(storagetest.Size(3, 10)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		t.Parallel()
		random := rand.New(rand.NewPCG(seed, 3))
		charset, language := pick(random, theme.Unicode, theme.Unicode, theme.Console, theme.Lines, theme.ASCII), pick(random, i18n.Languages()...)
		l := openLab(t, labSetup{scheme: pick(random, gateway.Static, gateway.Body)}, sandbox.Faults{}, in(language),
			func(c *console) { c.config.Theme.Charset = charset })
		for range 40 {
			act := l.actAtRandom(random)
			if act == "spoil" {
				l.spoil(random)
				t.Logf("the faults are %+v", l.service.Faults())
			} else {
				t.Log(act)
				l.do(act)
			}
			if l.honest(); t.Failed() {
				return
			}
			if l.Quit() {
				health := l.config.Health
				l.console = at(t, l.Counter, l.alike(), func(c *console) { c.config.Health = health })
			}
		}
		// End the faults and send every event again.
		l.do("mend")
		for _, sent := range l.service.Deliveries() {
			l.do(fmt.Sprint("again ", sent.ID))
		}
		l.honest()
	})
}
