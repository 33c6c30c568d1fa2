package tui_test

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
	"checkout/till/tui/voice"
)

func TestAnOutcomeIsAnnouncedWithoutStealingAKey(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.serve().Type("Savony 12")
	c.Pay(order)
	c.wake()
	t.Run("the entry line keeps its text", func(t *testing.T) {
		c.Sees("✓ PAID", "9 000 Ar", "F2  Show", "› Savony 12")
		c.enter("00").Sees("1  Savony", "charges 1 200", "F2  Show")
	})
	t.Run("a narrow window shows the key instead of the reference", func(t *testing.T) {
		c.Resize(40, 15).Fits().Sees("✓ PAID", "9 000 Ar", "F2  Show").Lacks("T1-20261121")
		c.Resize(80, 24)
	})
	t.Run("the bell rings once", func(t *testing.T) {
		c.wake().after(time.Second).wake()
		tuitest.Equal(t, c.bells(), 1, "bells")
	})
	t.Run("a half-typed line survives reading the news", func(t *testing.T) {
		c.Type("Menaka 5").Press("f2").Sees("✓ PAID", "9 000 Ar").Lacks("Savony")
		c.after(counter.Grace).press("enter").wake().Sees("› Menaka 5", "1 200").Lacks("PAID", "F2  Show")
		c.press("f2").Sees("› Menaka 5")
	})
}

func TestNoBellRingsWithSoundTurnedOff(t *testing.T) {
	c := open(t, func(c *console) { c.config.Sound = nil })
	c.Pay(c.charge())
	c.wake().Sees("✓ PAID")
	tuitest.Equal(t, c.bells(), 0, "bells")
}

// The tests of tui/voice and tui/counter check which facts are spoken. This test checks that the
// console speaks them.
func TestAPaymentIsSpokenOnceInTheLanguageOfTheCashier(t *testing.T) {
	said := make(chan string, 8)
	speaks := voice.New(func(_ context.Context, _, text string) error {
		said <- text
		return nil
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { speaks.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	c := open(t, func(c *console) { c.config.Voice = speaks }).press("f7", "f7").wake()
	order := c.charge()
	c.Fail(order, "")
	c.wake().after(time.Second)
	for range 2 {
		c.Pay(order)
		c.wake().after(time.Second).wake()
	}
	c.Pay(c.Charge("S2", shoptest.Coca()))
	c.wake()
	tuitest.Equal(t, <-said, "Voaloa, sivy arivo ariary", "what it said")
	tuitest.Equal(t, <-said, "Voaloa, roa arivo ariary", "what it said then")
}

func TestLeavingAsksWhilePaymentsAreAwaited(t *testing.T) {
	t.Run("a payment is awaited", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.press("ctrl+c").Sees("Leave till while a customer pays?", "A closed till", "To pay", "Time left")
		c.press("x", "f1", "f2", "f3", "n").Sees("Leave till while a customer pays?").Press("esc").Sees("… WAITING")
		tuitest.Equal(t, c.Quit(), false, "it left")
		c.serve().press("f1", "ctrl+c").Sees("Leave till while a customer pays?").Press("enter")
		tuitest.Equal(t, c.Quit(), true, "it left")
	})
	t.Run("the next sale stays in view", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.press("esc", "enter").Type("Savony 1200")
		c.press("enter")
		c.press("ctrl+c").Sees("Leave till while a customer pays?", "Sale ─", "Savony", "1 200", "Waiting  1").Lacks("Enter charges").Press("esc").Lacks("Leave till while")
	})
}

func TestTheHelpHasTwoColumnsIn80Columns(t *testing.T) {
	for _, language := range i18n.Languages() {
		rule := strings.Repeat("─", 10)
		if view := open(t, in(language)).press("f1").View(); !regexp.MustCompile(rule + "  [^─]+ " + rule).MatchString(view) {
			t.Errorf("%s: the help has one column\n%s", language, view)
		}
	}
}

func TestAQuestionMarkOpensTheHelpUnlessItIsTyped(t *testing.T) {
	c := open(t)
	c.press("f1").Sees("Type a line ─").Press("x")
	c.Sees("Type what the customer takes", "› ").Press("?").Sees("Type a line ─").Press("esc")
	c.Type("Vary?").Sees("› Vary?").Press("f1").Sees("Type a line ─").Press("enter").Sees("› Vary?")
	c.Paste("?").Sees("› Vary??").Press("ctrl+u").Paste("?").Sees("› ?")
	c.press("ctrl+u").charge()
	c.press("?").Sees("s      send again", "c      copy").Lacks("undo", "pays").Press("q")
	c.serve().press("f3", "?").Sees("next list", "found paid").Press("esc").Sees("History")
}

func TestTypedWordsAreNotKeyNames(t *testing.T) {
	c := open(t).enter("Vary 3500")
	for _, word := range []string{"up", "f1", "enter", "esc", "ctrl+c", "?!"} {
		c.Send(runes(word)).Sees("› " + word).Press("ctrl+u")
	}
	tuitest.Equal(t, c.Quit(), false, "it left")
}

func TestLeavingAPaymentReturnsToWhereItWasOpened(t *testing.T) {
	t.Run("the board", func(t *testing.T) {
		c := open(t)
		c.Charge("S1")
		c.Charge("S2")
		c.wake().press("f4").Sees("─ Waiting ─").Press("down", "enter")
		c.wake().Sees("… WAITING").Lacks("─ Waiting ─").Press("esc", "enter")
		c.Sees("─ Waiting ─", "›   2").Press("esc")
		c.Sees("Type what the customer takes")
	})
	t.Run("the list, with the order's details", func(t *testing.T) {
		c := open(t)
		order := c.Charge("S1")
		c.wake().press("f3", "enter").Sees("Link until", order.OrderReference)
		c.Pay(order)
		c.wake().press("f2").Sees("✓ PAID").Lacks("Link until")
		c.after(counter.Grace).press("enter").wake().Sees("Link until", "✓ PAID").Press("esc").Sees("History")
	})
	t.Run("the first screen, through the news of several payments", func(t *testing.T) {
		c := open(t)
		for _, order := range []payments.Order{c.Charge("S1"), c.Charge("S2")} {
			c.Pay(order)
		}
		c.wake().press("f4", "f2").Sees("✓ PAID")
		c.after(counter.Grace).press("f2").after(counter.Grace).press("f3").Sees("History").Press("f2")
		c.after(counter.Grace).press("enter").wake().Sees("History")
	})
	t.Run("a paid order opened on the board leads to the next sale", func(t *testing.T) {
		c := open(t)
		c.Pay(c.Charge("S1"))
		c.wake().press("f4", "f2").Sees("✓ PAID")
		c.after(counter.Grace).Sees("next sale").Press("enter")
		c.wake().Sees("Type what the customer takes").Lacks("F2  Show")
	})
	t.Run("a newly charged payment leads to the next sale", func(t *testing.T) {
		c := open(t)
		c.Charge("S1")
		c.wake().press("f4", "enter", "esc", "enter", "esc").charge()
		c.serve().Sees("Type what the customer takes")
	})
}

func TestABoardThatShowsTheOutcomeHasNoBanner(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.serve().press("f4")
	c.Pay(order)
	c.wake()
	for _, window := range []struct {
		width, height int
		banner        bool
	}{{120, 36, false}, {80, 24, false}, {120, 36, false}, {80, 11, true}, {80, 24, false}} {
		c.Resize(window.width, window.height)
		view := c.Fits().Sees("✓ PAID").View()
		tuitest.Equal(t, strings.Contains(strings.Split(view, "\n")[1], c.config.Texts.Bar.News), window.banner, "%d×%d: the view has a banner\n%s", window.width, window.height, view)
		opened, closed := strings.Count(view, "╭"), strings.Count(view, "╰")
		tuitest.Equal(t, opened, closed, "%d×%d: panes that begin, unlike those that end\n%s", window.width, window.height, view)
	}
}

// TestPaymentsThatWereMissedAreCountedUntilTheyAreSeen opens one of two payments that arrived while
// the till was off.
func TestPaymentsThatWereMissedAreCountedUntilTheyAreSeen(t *testing.T) {
	c := open(t)
	var missed []string
	for range 3 {
		order := c.charge()
		c.serve()
		c.Pay(order)
		missed = append(missed, order.Reference)
	}
	// The first payment arrived before the till was switched off, and the cashier has not seen it.
	c.health.Relay = payments.RelayState{Host: "relay.example.mg", Missed: missed[1:], MissedOf: 18_000, Contact: c.Now(), Emptied: true}
	c.wake().Sees("✓ 2 PAID (+1)  18 000 Ar", "While the till was off")
	see := func() { c.press("f2").after(counter.Grace).press("enter").wake().press("esc") }
	see()
	c.Sees("✓ 2 PAID  18 000 Ar")
	see()
	c.Sees("✓ 1 PAID  9 000 Ar", "While the till was off")
}

// The key bar, F4, F10, the question before a closing and the question before leaving must agree on
// which orders are awaited.
func TestEveryScreenAwaitsTheSameOrders(t *testing.T) {
	inCash := func(c *console) {
		terms := shoptest.Terms("S1")
		terms.Despite = []payments.ObjectionKind{payments.SalePayable}
		_, err := c.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash, Given: 9000})
		tuitest.Must(t, err)
	}
	for name, tt := range map[string]struct {
		reply   shoptest.Answer // Answer to the order call; nil means a link.
		happens func(c *console)
		shown   string
		awaited bool
	}{
		"waiting":                 {shown: "… WAITING", awaited: true},
		"the time is over":        {happens: func(c *console) { c.Advance(11 * time.Minute) }, shown: "… TIME OVER", awaited: true},
		"not sent":                {reply: shoptest.Unreachable(), shown: "✗ NOT SENT"},
		"not sent, paid in cash":  {reply: shoptest.Unreachable(), happens: inCash, shown: "◇ PAID OTHERWISE"},
		"paid in cash":            {happens: inCash, shown: "◇ PAID OTHERWISE"},
		"paid by another code":    {happens: func(c *console) { c.Pay(c.Charge("S1")) }, shown: "◇ PAID OTHERWISE"},
		"paid in cash, time over": {happens: func(c *console) { inCash(c); c.Advance(11 * time.Minute) }, shown: "◇ PAID OTHERWISE"},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t)
			_, err := c.Move(t.Context(), shoptest.Till, drawer.Float, 5000, "", staff.Identity{}) // Without any money, there would be nothing to close.
			tuitest.Must(t, err)
			if tt.reply != nil {
				c.Reply(tt.reply)
			}
			c.Charge("S1")
			if tt.happens != nil {
				tt.happens(c)
			}
			c.wake().after(time.Second).Resize(140, 40)
			agrees := func(key, whenAwaited string) {
				t.Helper()
				if c.press(key); tt.awaited {
					c.Sees(whenAwaited)
				} else {
					c.Lacks(whenAwaited, "WAITING", "TIME OVER")
				}
			}
			agrees("f4", "Waiting  1")
			agrees("esc", "Waiting  1")
			c.press("f10").Sees(tt.shown + " 1")
			agrees("c", "1 "+strings.TrimPrefix(tt.shown, "… "))
			c.press("esc", "esc", "f3", "/").Sees("History", tt.shown).Press("esc", "esc")
			agrees("ctrl+c", "Leave till while a customer pays?")
			if c.Quit() == tt.awaited {
				t.Error("leaving does not ask, or asks for no reason")
			}
		})
	}
}
