package tui_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/sound"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// console is the console under test, with the driver that presses its keys, and with the shop that
// the test controls.
type console struct {
	*tuitest.Driver
	*shoptest.Counter
	t        *testing.T
	config   tui.Config
	language string
	gate     shoptest.Gate
	out      *bytes.Buffer // Output that is not part of a frame: bells and clipboard sequences.
	health   payments.Health
}

type setting func(c *console)

func in(language string) setting { return func(c *console) { c.language = language } }

func dressed(styles theme.Theme) setting { return func(c *console) { c.config.Theme = styles } }

// alike returns a setting that copies the language and the theme of the console c.
func (c *console) alike() setting {
	language, styles := c.language, c.config.Theme
	return func(other *console) { other.language, other.config.Theme = language, styles }
}

func demo(c *console) {
	c.config.Customer = func(context.Context, string, payments.EventKind) error { return nil }
}

func open(t *testing.T, settings ...setting) *console {
	t.Helper()
	return at(t, shoptest.Open(t), settings...)
}

// at opens a console at an existing counter, as after a restart.
func at(t *testing.T, shop *shoptest.Counter, settings ...setting) *console {
	t.Helper()
	c := &console{t: t, Counter: shop, out: new(bytes.Buffer), language: "en"}
	c.health = payments.Health{Listening: true, Address: "127.0.0.1:8788", LastEvent: shoptest.Opening().Add(-time.Minute)}
	c.config = tui.Config{
		Console: live.Console{Tenders: []drawer.Tender{drawer.TenderCash}, Service: shop.Service, Till: shoptest.Till, Theme: theme.Plain(), Zone: shoptest.Zone()},
		Shop:    "Épicerie Soa", Sound: c.ring, Output: c.out, Health: func() payments.Health { return c.health },
	}
	for _, set := range settings {
		set(c)
	}
	c.config.Texts = i18n.Load(c.language)
	c.gate = shoptest.NewGate(tui.New(t.Context(), c.config))
	c.Driver = tuitest.Drive(t, c.gate, 80, 24)
	c.Driver.Tap = c.tap
	return c
}

// rendering skips a test that draws many screens if -short is set. Runs with the race detector set
// -short: the detector would need minutes, and would find nothing because the test has only one
// goroutine.
func rendering(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("draws all screens: skipped with -short")
	}
}

// refuse makes the listener report the given number of refused events, of several orders. 0 ends
// the alarm.
func (c *console) refuse(count int64) {
	c.health.Refused, c.health.Expected, c.health.Cause = count, payments.Expected{}, payments.Cause{}
	if count > 0 {
		c.health.Expected = payments.Expected{Order: "REF_700001", At: c.Now(), Several: true}
		c.health.Cause.Kind = payments.CauseSecretChanged
	}
}

func (c *console) wake() *console {
	c.t.Helper()
	c.Send(tui.Changed())
	return c
}

func (c *console) after(by time.Duration) *console {
	c.t.Helper()
	c.Counter.Advance(by)
	c.Send(tui.Ticked())
	return c
}

// tap presses keys one after the other. The console delays letters, Enter, Tab and Ctrl+C, and
// ignores the repeats of a function key that is held down. Therefore, tap advances the clock after
// each key.
func (c *console) tap(keys ...tea.KeyMsg) {
	c.t.Helper()
	wait := time.Duration(0)
	for _, k := range keys {
		c.Send(k)
		switch name := k.String(); {
		case keyboard.Types(k):
			wait = keyboard.LetterWait
		case name == "enter" || name == "tab" || name == "ctrl+c" || k.Alt || strings.HasPrefix(name, "f"):
			wait = keyboard.Repeat
		}
	}
	if wait > 0 {
		c.Advance(wait)
		c.Send(keyboard.Quiet{})
	}
}

func (c *console) enter(entries ...string) *console {
	c.t.Helper()
	for _, entry := range entries {
		c.Type(entry).Press("enter")
	}
	return c
}

func (c *console) press(keys ...string) *console {
	c.t.Helper()
	c.Press(keys...)
	return c
}

func (c *console) stock() {
	c.t.Helper()
	err := c.AddArticles(c.t.Context(), []payments.Article{
		{Label: "Coca", UnitPrice: 2000, Code: "5449000000996"}, {Label: "Vary gasy", UnitPrice: 3500, Favourite: 1},
	})
	tuitest.Must(c.t, err)
}

// charge enters a sale of 9 000 Ar, charges it and returns the order.
func (c *console) charge() payments.Order {
	c.t.Helper()
	c.enter("Vary 3500 x2", "Coca 2000", "", "").wake()
	return c.newest()
}

// paid charges a sale of 9 000 Ar, and shows that it is paid until a key may end the outcome.
func (c *console) paid() *console {
	c.t.Helper()
	c.Pay(c.charge())
	return c.wake().after(counter.Grace)
}

func (c *console) newest() payments.Order {
	c.t.Helper()
	return c.All()[0]
}

// serve leaves the unpaid order open and begins the next sale.
func (c *console) serve() *console { return c.press("esc", "enter") }

// ring writes one bell character for a paid order, two for an unpaid one and ten for a payment
// without an order.
func (c *console) ring(_ context.Context, cue sound.Tune) {
	c.out.WriteString(map[sound.Tune]string{sound.Paid: "\a", sound.Unpaid: "\a\a", sound.Alarm: strings.Repeat("\a", 10)}[cue])
}

func (c *console) bells() int { return bytes.Count(c.out.Bytes(), []byte("\a")) }

func (c *console) release() *console {
	c.Send(c.gate.Open())
	return c
}

// runes returns one message with several characters, as the program gets it from a fast scanner.
func runes(text string) tea.Msg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }
