package tui_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest/counter"
)

// varyGasy is the code of an article.
const varyGasy = "6111000000017"

// sells gives the shop an article with that code, and a favourite.
func sells(c *console) {
	for _, article := range []payments.Article{
		{Label: "Vary gasy", UnitPrice: 3500, Code: varyGasy}, {Label: "Vary stock", UnitPrice: 3000, Favourite: 2},
	} {
		if err := c.SaveArticles(c.t.Context(), []payments.Article{article}); err != nil {
			c.t.Fatal(err)
		}
	}
}

// scan types a code as a scanner does, a key every few milliseconds.
func (c *console) scan(code string) *console {
	c.t.Helper()
	for _, digit := range code {
		c.Advance(5 * time.Millisecond)
		c.Press(string(digit))
	}
	c.Advance(5 * time.Millisecond)
	return c.press("enter")
}

// burst is a scanner whose digits come at once.
func (c *console) burst(code string) *console {
	c.t.Helper()
	c.Send(runes(code))
	return c.press("enter")
}

func TestN46ACodeThatNobodyKnowsBecomesAnArticle(t *testing.T) {
	c := open(t, sells)
	c.scan("6111000000099").Sees("No article has the code 6111000000099", "F6")
	c.press("f6").Sees("─ New article", "6111000000099", "› Name").Type("Mofo gasy").Press("enter").Type("300").Press("ctrl+s")
	c.wake().press("f6").Sees("› 6111000000099")
	c.press("enter").Sees("1  Mofo gasy", "charges 300")
	c.press("f6").Sees("Mofo gasy").Lacks("─ New article")
}

func TestAScannerWorksOnEveryScreen(t *testing.T) {
	added := "Added: Vary gasy, 3 500 Ar"
	t.Run("over a code, which stays", func(t *testing.T) {
		c := open(t, sells)
		order := c.charge()
		c.scan(varyGasy).Sees("… WAITING", added)
		c.Resize(120, 40)
		if got := c.QR(); got != order.Link.URL {
			t.Errorf("the code says %q", got)
		}
		c.Resize(80, 24)
		c.after(5 * time.Second).Lacks(added)
		c.serve().Sees("1  Vary gasy", "charges 3 500")
	})
	t.Run("over a code, and has three digits", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.scan("123").Sees("… WAITING", "No article has the code 123.")
	})
	t.Run("it acknowledges no outcome", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(pay.Grace).burst(varyGasy).Sees("✓ PAID", added)
		c.scan("6111000000018").Sees("✓ PAID", "No article has the code 6111000000018.")
		c.after(time.Second).press("enter").wake().Sees("1  Vary gasy").Lacks("PAID")
	})
	t.Run("on the orders", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.serve().press("f3").scan(varyGasy).Sees("History", added)
		c.press("esc").Sees("1  Vary gasy")
	})
	t.Run("but not in the catalogue, where it finds an article", func(t *testing.T) {
		c := open(t, sells)
		c.press("f6").scan(varyGasy).Sees("Vary gasy").Lacks(added)
		c.press("esc", "esc", "esc").Sees("nothing yet")
	})
	t.Run("over the question whether to leave", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.press("ctrl+c").after(time.Second).scan(varyGasy).Sees("Leave?", added)
		if c.Quit() {
			t.Fatal("the scanner left the console")
		}
		c.after(time.Second).press("enter")
		if !c.Quit() {
			t.Error("Enter does not leave")
		}
	})
	t.Run("while an order is sent it is put off", func(t *testing.T) {
		c := open(t, sells).enter("Coca 2000", "")
		keep[sale.ChargeRequested](c)
		c.enter("").Sees("Asking the payment service")
		c.burst(varyGasy).Sees("Scan again in a moment.")
		c.release().Sees("… WAITING")
		c.serve().Sees("Type what the customer takes", "nothing yet")
	})
}

func TestAPersonIsNotTakenForAScanner(t *testing.T) {
	t.Run("a price that is typed fast", func(t *testing.T) {
		open(t, sells).enter("Savony 1200", "1500").Sees("1  Savony", "2  Free amount", "charges 2 700")
	})
	t.Run("nor is a name with a price that comes at once", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(pay.Grace)
		c.Send(runes("Coca"), tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, runes("2000"))
		c.press("enter").Lacks("No article has the code")
	})
	t.Run("digits that are typed slowly", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.serve().press("f3")
		for _, digit := range varyGasy {
			c.after(scanGap).Press(string(digit))
		}
		c.after(scanGap).press("enter").Sees("… WAITING").Lacks("Added")
	})
	t.Run("an Enter that comes later", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(pay.Grace)
		c.Send(runes(varyGasy))
		c.after(scanGap).press("enter").wake().Sees("Type what the customer takes")
	})
	t.Run("a paste", func(t *testing.T) {
		c := open(t, sells)
		c.Pay(c.charge())
		c.wake().after(pay.Grace).Paste(varyGasy)
		c.press("enter").wake().Sees("Type what the customer takes")
	})
	t.Run("few digits, or a number that is no code, on the orders", func(t *testing.T) {
		for _, digits := range []string{"123", "12345"} {
			c := open(t, sells)
			c.charge()
			c.serve().press("f3").scan(digits).Sees("… WAITING").Lacks("No article")
		}
	})
}

// scanGap is what lies between the keys of a fast person.
const scanGap = 100 * time.Millisecond

func TestASaleIsHeldFromTheConsole(t *testing.T) {
	c := open(t).enter("Coca 2000").press("f5").Sees("which name? Enter alone: 1")
	c.Press("enter").Sees("till  Épicerie Soa  T1", "Hold  1", "Type what the customer takes")
	t.Run("and resumed from the orders, too", func(t *testing.T) {
		c.Press("f3").Sees("Hold  1").Press("f5").Sees("Held sales", "› 1 ").Press("enter").Sees("1  Coca").Lacks("Hold  1")
	})
	t.Run("and is charged as any other", func(t *testing.T) {
		shop := open(t).enter("Coca 2000").press("f5", "enter", "f5", "enter").enter("", "")
		shop.Sees("… WAITING", "2 000 Ar")
		at(t, shop.Counter).Sees("Type what the customer takes").Lacks("held", "restored")
	})
	t.Run("N20 and from a code, which goes on waiting", func(t *testing.T) {
		c := open(t)
		c.charge()
		c.press("f5").Sees("Waiting  1", "No sale is held.")
	})
}

func TestTheLinesOfANewOrderThatIsRefusedAreNotLost(t *testing.T) {
	refused := func(t *testing.T, next ...string) *console {
		c := open(t)
		c.Fail(c.charge(), "Solde insuffisant")
		c.wake().after(pay.Grace)
		c.press("esc").press("enter").enter(next...)
		c.Reply(counter.Refuse("Compte suspendu"))
		c.press("f2").after(pay.Grace).press("n", "enter").Sees("REFUSED BY THE SERVICE")
		return c
	}
	t.Run("O6 into a sale that is empty", func(t *testing.T) {
		c := refused(t).after(pay.Grace).press("enter").wake()
		c.Sees("Its lines are back", "1  Vary", "2  Coca").Lacks("Note:")
		at(t, c.Counter).Sees("The previous sale is back.", "charges 9 000")
		c.Reply(c.Accept)
		c.enter("", "").after(pay.Grace).Sees("The earlier link can still be paid until").Press("enter").Sees("… WAITING", "9 000 Ar")
		c.serve().Sees("Type what the customer takes")
	})
	t.Run("O4 nor when nobody knows whether it was taken", func(t *testing.T) {
		c := open(t)
		c.Fail(c.charge(), "Solde insuffisant")
		c.Reply(counter.Lose("no answer came in time"))
		c.wake().after(pay.Grace).press("n", "enter").Sees("? UNKNOWN")
		c.Reply(c.Accept)
		c.after(pay.Grace).press("n", "enter").after(pay.Grace).press("enter").Sees("… WAITING")
		c.serve().Sees("Type what the customer takes").Lacks("held")
	})
}
