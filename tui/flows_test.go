package tui_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/component/question"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/tuitest"
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

func TestCashAndANewCodeAreOneKeyFromTheBoard(t *testing.T) {
	c := open(t)
	c.charge()
	c.serve().press("f4", "n").Sees("Make a new code?").Press("esc")
	c.Sees("… WAITING").Press("f4")
	c.press("tab").Sees("Type what the customer gives", "2  Coca")
}

// The tests of tui/pay and tui/orders check which orders can show the code. This test checks the
// keys.
func TestTheCodeOfACanceledOrderIsShownAgainFromTheOrders(t *testing.T) {
	c := open(t)
	order := c.Charge("S1")
	c.Hear(shoptest.Event(order, payments.PaymentCanceled, ""))
	c.wake().press("f3", "enter").Sees("Link until", "o show the code").Press("o")
	c.Resize(100, 40).Sees("✗ NOT PAID: cancelled", "Esc", "next").Fits()
	tuitest.Equal(t, c.QR(), order.Link.URL, "the code")
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
			tuitest.Equal(t, len(c.Calls()), 1, "order calls")
		})
	}
	t.Run("after a refused payment, without acknowledging it", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.Fail(order, "")
		c.wake().after(counter.Grace).press("enter").Sees("Close this order?")
		c.enter("nor 800").Sees("1  nor", "800 Ar", "NOT PAID")
		tuitest.Equal(t, c.Find(order.Reference).Facts.Acknowledged, false, "the outcome is acknowledged")
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

func TestAnOrderThatCashReplacedNamesTheCashSale(t *testing.T) {
	c := open(t)
	order := c.Fail(c.charge(), "")
	c.wake().after(counter.Grace).press("tab").Press("enter")
	c.after(counter.Grace).Press("enter")
	c.after(counter.Grace).Sees("T1-GT-C-000001").Press("enter")
	const says = "This sale was paid at the counter: T1-GT-C-000001."
	c.press("f3", "enter").Sees(order.Reference, says).Press("esc", "esc")
	c.press("f2").after(counter.Grace).Sees("NOT PAID: refused", says).Lacks("Another order", "Tab")
}

func TestASaleThatIsPaidInPartReturnsToBePaid(t *testing.T) {
	c := open(t)
	c.enter("Vary 9000", "").press("tab").enter("5000").after(counter.Grace).press("enter")
	order := c.newest()
	c.Fail(order, "")
	c.wake().after(counter.Grace).press("r").Sees("The sale is back: charge what is left.", "5 000 Ar paid, 4 000 Ar to pay").Lacks("correct them")
}

// owing opens a console with a customer who owes 7,000 Ar.
func owing(t *testing.T) *console {
	t.Helper()
	c := open(t, lending).enter("Vary 7000", "")
	c.press("tab", "tab").Type("Rabe").Press("enter", "enter")
	c.after(counter.Grace)
	c.press("enter").Lacks("F5 debts") // The bar names F5 already.
	return c
}

func (c *console) asksForDebt() payments.Order {
	c.press("f5", "enter", "enter", "enter").QR()
	return c.newest()
}

func TestAPaymentOfADebtHasTheLanguageThatTheCashierHasChosen(t *testing.T) {
	c := owing(t)
	c.press("f7")
	tuitest.Equal(t, c.asksForDebt().Description, "Règlement d'une dette", "the description")
}

func TestAnUnpaidLinkOfADebtSaysNothingOfGoods(t *testing.T) {
	c := owing(t)
	c.Hear(shoptest.Event(c.asksForDebt(), payments.PaymentExpired, ""))
	c.wake().Sees("The sum is still owed. n makes a new code.").Lacks("goods", "lines")
}

func TestTheDetailsNameTheCustomerOfADebt(t *testing.T) {
	c := owing(t)
	order := c.Pay(c.asksForDebt())
	c.wake().after(counter.Grace)
	c.press("enter").enter(order.Reference)
	c.Sees(order.Reference, "Customer Rabe")
	c.press("f3").enter("T1-GT-C-000001")
	c.Sees("ON ACCOUNT", "Customer Rabe")
}

func TestAFindingAboutADebtSaysNothingOfGoods(t *testing.T) {
	c := owing(t)
	paid := shoptest.Event(c.asksForDebt(), payments.PaymentSuccess, "")
	paid.Amount = payments.AmountValue(700)
	c.Hear(paid)
	c.wake()
	c.after(counter.Grace)
	c.press("enter", "f3").Press("tab", "tab", "tab")
	c.Sees("that much less is owed", "the sum is still owed").Lacks("hand over the goods, or", "keep the goods")
}

// staffed opens the console of a shop with the owner Hasina and the cashier Soa.
func staffed(t *testing.T) *console {
	t.Helper()
	shop := shoptest.Open(t)
	shop.Hire()
	return at(t, shop)
}

// The story about cashiers tests the sales of two cashiers. This test checks which cashier a
// question for a PIN suggests.
func TestQuestionsForAPINProposeWhoSells(t *testing.T) {
	c := staffed(t)
	c.Sees("T1 · F12 sign in")
	c.press("f12").Sees("Who sells?", "› Hasina").Type("s0000").Press("enter").Sees("› Soa", "PIN is wrong")
	c.Type(shoptest.SoasPIN).Press("enter").Sees("T1 · Soa", "Soa sells from now on.")
	c.press("f12").Sees("› Soa").Type("h" + shoptest.HasinasPIN).Press("enter").Sees("T1 · Hasina")
	c.press("f10").Press("f").Type("50000").Press("enter").Sees("› Hasina", "PIN")
}

func TestEscLeavesWhoSellsAsItWas(t *testing.T) {
	c := staffed(t)
	c.press("f12").Sees("Who sells?").Press("esc").Sees("T1 · F12 sign in")
	tuitest.Equal(t, c.charge().By, "", "the cashier of the order")
}

func TestACashierCanSignInWhenTheStoreIsBack(t *testing.T) {
	shop := shoptest.Open(t)
	shop.Hire()
	shop.Break()
	c := at(t, shop)
	c.Lacks("F12")
	c.Mend()
	c.wake().Sees("T1 · F12 sign in")
}

func TestOnlyAShopWithCashiersSeesSomethingOfSigningIn(t *testing.T) {
	c := open(t)
	c.Lacks("F12").Press("f12").Lacks("Who sells?").Sees("No cashiers here. To add one: till cashier add NAME").Press("f1").Lacks("F12", "sign in").Press("esc")
	c.Hire()
	c.wake().Sees("T1 · F12 sign in")
}

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

// The cashier must not take it for the payment of another customer.
func TestAPaymentOfTheSaleInQuestionIsNamed(t *testing.T) {
	c := doubted(t)
	c.Pay(c.newest())
	c.wake().Sees("Continue all the same: cash?", "This sale: ✓ PAID 9 000 Ar · F2").Lacks("Another order").Fits()
	c.press("enter").Lacks("CASH")
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
	tuitest.Must(t, shop.AddArticles(t.Context(), []payments.Article{weighed}))
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
