package tui_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheLinesOfAnOrderAreHeldIfAnotherSaleHasBegun(t *testing.T) {
	c := open(t)
	c.charge()
	c.serve().enter("Savony 1200").press("f4", "enter").Sees("… WAITING")
	c.press("r").Sees("Its lines are held as 1", "1  Savony", "1 200", "Hold1")
	// Esc no longer returns to the board, from which the order was opened.
	c.press("f6").Sees("Find:").Press("esc").Sees("1  Savony", "1 200")
}

// The tests of tui/pay and tui/orders check which orders can show the code. This test checks the
// keys.
func TestTheCodeOfACanceledOrderIsShownAgainFromTheOrders(t *testing.T) {
	c := open(t)
	order := c.Charge("S1")
	c.Hear(shoptest.Event(order, payments.PaymentCanceled, ""))
	c.wake().press("f3", "enter").Sees("Link until", "o show the code").Press("o")
	c.Resize(100, 40).Sees("✗ NOT PAID: canceled", "Esc", "next").Fits()
	if got := c.QR(); got != order.Link.URL {
		t.Errorf("the code contains %q, want %q", got, order.Link.URL)
	}
	c.press("esc").Sees("Leave it waiting until").Press("enter")
	c.Sees("Link until", order.Reference, "o show the code")
	c.press("o")
	c.Pay(order)
	c.wake().Sees("✓ PAID").Lacks("Scan")
	c.after(counter.Grace).press("enter").Sees("✓ PAID", "Link until").Lacks("o show the code")
}

func TestAReasonMayContainAnyCharacter(t *testing.T) {
	c := open(t)
	c.Pay(c.Charge("S1"))
	c.wake().press("f3", "enter", "b").press("2").Type("9000 why? 47110815")
	c.after(time.Second).press("enter").Sees("REFUNDED", "why? 47110815")
}

func TestTheNextSaleCanBeginWhileAnOrderIsSent(t *testing.T) {
	c := open(t)
	c.gate.HoldCommands(tui.Performed[counter.SaveSale])
	c.enter("Vary 3500", "", "").Sees("Asking the payment service", "at most 30 s")
	c.after(12*time.Second).Sees("12 s", "next customer: code under F4")
	c.press("esc").enter("Savony 1200").Sees("1  Savony", "charges 1 200")
	at(t, c.Counter).Sees("1  Savony", "Hold1") // After a restart, no line is lost.
	c.press("ctrl+c").Sees("Leave till while a customer pays?").Press("esc")
	c.release().wake().Sees("1  Savony", "charges 1 200", "Waiting  1").Press("f4").Sees("3 500 Ar", "Vary").Press("esc")
	c.Pay(c.newest())
	c.wake().Sees("✓ PAID", "3 500 Ar", "F2  Show", "1  Savony")
}

func TestTextTypedAtTheLeaveQuestionBeginsTheNextSale(t *testing.T) {
	for name, shown := range map[string]func(c *console){
		"of the sale":     func(c *console) { c.charge() },
		"from the board":  func(c *console) { c.Charge("S1"); c.wake().press("f4", "enter") },
		"from the orders": func(c *console) { c.Charge("S1"); c.wake().press("f3", "enter", "o") },
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t)
			shown(c)
			c.press("esc").Sees("Leave it waiting until")
			c.enter("nor 800").Sees("1  nor", "800 Ar", "Waiting  1")
			c.press("f3").Sees("History").Press("esc").Sees("1  nor")
			if calls := len(c.Calls()); calls != 1 {
				t.Errorf("the service was called %d times, want 1", calls)
			}
		})
	}
	t.Run("after a refused payment, without acknowledging it", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.Fail(order, "")
		c.wake().after(counter.Grace).press("enter").Sees("Close this order?")
		c.enter("nor 800").Sees("1  nor", "800 Ar", "NOT PAID")
		if c.Find(order.Reference).Facts.Acknowledged {
			t.Error("the outcome was acknowledged")
		}
	})
	t.Run("Enter and Esc answer it", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.press("esc", "up", "f9", "tab", "alt+x").Sees("Leave it waiting until").Press("esc").Sees("An SMS is no proof.").Lacks("Leave it waiting")
		c.press("esc", "enter").Sees("Type what the customer takes", "Waiting  1")
	})
}

func TestF6OpensTheArticlesAndKeepsTheEntry(t *testing.T) {
	c := open(t)
	c.stock()
	c.Type("Sav").Press("f6")
	c.Sees("Articles", "2 of 2", "Vary gasy", "5449000000996").Lacks("› Sav")
	c.Type("vary").Sees("1 of 2").Lacks("Coca")
	c.Type("?").Sees("Find: vary?")
	c.press("esc", "?").Sees("Keys", "Ctrl+N").Lacks("Find:")
	c.press("esc", "esc").Sees("› Sav")
}

func TestAHalfTypedArticleSurvivesTheNews(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.serve().press("f6", "ctrl+n").Type("Mofo g")
	c.Pay(order)
	c.wake().Sees("Mofo g", "PAID")
	c.Type("asy").Press("f2")
	c.Sees("PAID").Lacks("Mofo")
	c.after(time.Second).press("enter").Sees("New article", "Mofo gasy")
}

// welcome makes the console show the welcome text, as if there were no settings file.
func welcome(c *console) { c.config.Welcome = "~/.config/till/config.toml" }

func TestTheFirstStartShowsAWelcome(t *testing.T) {
	c := open(t, demo, welcome)
	c.Sees("A shop's till", "Vary 3500x2", "~/.config/till/config.toml", "› ").Lacks("Type what the customer takes")
	c.press("f7").Sees("Une caisse").Press("f7", "f7")
	c.Type("Coca").Sees("A shop's till").Press("esc")
	c.Resize(20, 6).Fits().Sees("…").Resize(80, 24)
	c.enter("Vary 3500x2").Lacks("A shop's till").Press("ctrl+z")
	c.Lacks("A shop's till").Sees("Type what the customer takes")
}

func TestARestoredSaleHidesTheWelcome(t *testing.T) {
	c := open(t)
	c.enter("Vary 3500x2")
	at(t, c.Counter, demo, welcome).Sees("7 000").Lacks("A shop's till")
}
