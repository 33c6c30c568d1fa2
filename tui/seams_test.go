package tui_test

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/component/question"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
)

func stocked(t *testing.T) *console {
	t.Helper()
	c := open(t)
	c.stock()
	return at(t, c.Counter)
}

func refunding(c *console) {
	c.t.Helper()
	c.paid().press("enter").press("f3").press("enter").Sees(c.newest().Reference).Press("b", "2")
}

// doubted opens the question whether to take cash although the order's code can still be paid.
func doubted(t *testing.T) *console {
	t.Helper()
	c := stocked(t)
	c.charge()
	c.wake().after(counter.Grace).press("tab", "enter").after(counter.Grace).Sees("Continue all the same: cash?", "takes the cash").Lacks("new code")
	return c
}

func TestNoArticleJoinsASaleThatMayBePaidTwice(t *testing.T) {
	for name, add := range map[string]func(c *console){
		"a scan":      func(c *console) { c.scan("5449000000996") },
		"a favourite": func(c *console) { c.press("alt+1") },
	} {
		t.Run(name, func(t *testing.T) {
			c := doubted(t)
			add(c)
			c.Sees("Continue all the same: cash?", "A question is open: answer it").Lacks("For the next customer")
			c.press("enter").Sees("CASH", "9 000")
			c.after(counter.Grace).press("enter").Sees("nothing yet")
		})
	}
}

func TestCashThatCannotBeStoredGoesBackToTheSale(t *testing.T) {
	c := doubted(t)
	c.Fill()
	c.press("enter").Sees("Coca", "9 000").Lacks("NO ORDER")
	c.Mend()
}

func TestAScreenThatTheCashierOpenedStays(t *testing.T) {
	t.Run("when the order call begins", func(t *testing.T) {
		c := open(t)
		c.enter("Vary 3500")
		c.gate.HoldMessages(tui.Performed[counter.SaveSale])
		c.press("enter", "enter", "f8").Sees("The path of a payment")
		c.release().Sees("The path of a payment")
		c.wake().press("esc").Sees("To pay", "3 500")
	})
	t.Run("when the cash is taken", func(t *testing.T) {
		c := open(t)
		c.enter("Vary 3500")
		c.gate.HoldMessages(tui.Performed[counter.TakeCash])
		c.press("enter", "tab", "enter", "f8").Sees("The path of a payment")
		c.release().Sees("The path of a payment")
		c.press("esc").Sees("CASH", "3 500")
	})
	t.Run("when another screen closes late", func(t *testing.T) {
		c := open(t)
		c.press("f6")
		c.gate.HoldMessages(func(msg tea.Msg) bool {
			_, is := msg.(live.Closed)
			return is
		})
		c.press("esc", "f8").Sees("The path of a payment")
		c.release().Sees("The path of a payment")
	})
}

func TestTheResultOfARefundIsSaidWhenItsScreenOpensAgain(t *testing.T) {
	c := open(t)
	refunding(c)
	c.Type("broken")
	c.gate.HoldMessages(func(msg tea.Msg) bool {
		_, is := msg.(question.Answered)
		return is
	})
	c.press("enter", "f8").release().Sees("The path of a payment")
	c.press("f3").Sees("9 000 Ar given back")
	c.press("f8", "f3").Lacks("9 000 Ar given back")
}

func TestTheConsoleDoesNotEndWhileCashIsTaken(t *testing.T) {
	c := open(t)
	c.enter("Vary 3500")
	c.gate.HoldMessages(tui.Performed[counter.TakeCash])
	c.press("enter", "tab", "enter")
	c.press("ctrl+c").Sees("The order is being sent")
	c.release().Sees("CASH", "3 500")
}

func TestAScannedArticleIsNotMentionedAfterItsSale(t *testing.T) {
	c := stocked(t)
	c.Fail(c.charge(), "")
	c.wake().after(counter.Grace).scan("5449000000996").Sees("For the next customer: Coca")
	c.press("2", "ctrl+u").Sees("1  Coca")
	c.press("enter", "tab", "enter")
	c.wake().after(counter.Grace).press("enter").Sees("nothing yet").Lacks("For the next customer")
}

func TestAScanDoesNotLeaveAQuestionForAWeight(t *testing.T) {
	shop := open(t)
	weighed := payments.Article{Label: "Tomate", UnitPrice: 4000, Unit: "kg", Code: "2040000000014"}
	if err := shop.AddArticles(t.Context(), []payments.Article{weighed}); err != nil {
		t.Fatal(err)
	}
	c := at(t, shop.Counter)
	refunding(c)
	c.Type("cassé")
	c.scan("2040000000014").Sees("› cassé", "Tomate: how many kg?")
}

func TestEscShowsTheCodeUntilTheNextSaleHasALine(t *testing.T) {
	for name, way := range map[string]struct {
		keys []string
		code bool
	}{
		"a stray letter":                {[]string{"j"}, true},
		"a letter that was erased":      {[]string{"j", "backspace"}, true},
		"a first line":                  {[]string{"j", "esc", "esc", "enter", "alt+1", "j"}, false},
		"a line that was removed again": {[]string{"j", "backspace", "alt+1", "ctrl+z", "j"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := stocked(t)
			order := c.charge()
			c.wake().after(counter.Grace)
			for _, key := range way.keys {
				c.press(key).after(counter.Grace)
			}
			c.press("esc")
			if way.code {
				c.Sees(order.Reference, "Time left")
			} else {
				c.Lacks("Time left")
			}
		})
	}
}
