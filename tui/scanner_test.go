package tui_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/tuitest"
)

const varyGasy = "6111000000017"

// sells saves two articles: one with the code varyGasy, and a favourite.
func sells(c *console) {
	for _, article := range []payments.Article{
		{Label: "Vary gasy", UnitPrice: 3500, Code: varyGasy}, {Label: "Vary stock", UnitPrice: 3000, Favourite: 2},
	} {
		tuitest.Must(c.t, c.AddArticles(c.t.Context(), []payments.Article{article}))
	}
}

// scan types a code as a scanner does: a key every five milliseconds.
func (c *console) scan(code string) *console {
	c.t.Helper()
	return c.scans(code, 5*time.Millisecond, "enter")
}

// scans types a code with the time gap between two keys, and then the end key.
func (c *console) scans(code string, gap time.Duration, end string) *console {
	c.t.Helper()
	for _, char := range code {
		c.Advance(gap)
		c.Send(runes(string(char)))
	}
	c.Advance(gap)
	return c.press(end)
}

func (c *console) sells(label string, price money.Ariary, code string) {
	c.t.Helper()
	tuitest.Must(c.t, c.AddArticles(c.t.Context(), []payments.Article{{Label: label, UnitPrice: price, Code: code}}))
}

func (c *console) burst(code string) *console {
	c.t.Helper()
	c.Send(runes(code))
	return c.press("enter")
}

func TestAnUnknownCodeCanBecomeAnArticle(t *testing.T) {
	c := open(t, sells)
	c.scan("6111000000099").Sees("No article has the code 6111000000099", "F6")
	c.press("f6").Sees("─ New article", "6111000000099", "› Name").Type("Mofo gasy").Press("enter").Type("300").Press("ctrl+s")
	c.wake().press("f6").Lacks("6111000000099")
	c.scan("6111000000099").Sees("1  Mofo gasy", "Added: Mofo gasy, 300 Ar")
	c.press("f6").Sees("Mofo gasy").Lacks("─ New article")
}

func TestAScannerWorksOnEveryScreen(t *testing.T) {
	added, next := "Added: Vary gasy, 3 500 Ar", "For the next customer: Vary gasy, 3 500 Ar."
	t.Run("over a payment code, which stays", func(t *testing.T) {
		c := open(t, sells)
		order := c.charge()
		c.scan(varyGasy).Sees("… WAITING", next, "r takes this sale back with it.")
		c.Resize(120, 40)
		tuitest.Equal(t, c.QR(), order.Link.URL, "the code")
		c.Resize(80, 24)
		c.after(5*time.Second - keyboard.Repeat).Lacks(next)
		c.serve().Sees("1  Vary gasy", "charges 3 500", next)
	})
	t.Run("over a search, which keeps its text", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.serve().press("f3", "/").Type("ris").Sees("Find: ris")
		c.scan(varyGasy).Sees(added, "Find: ris").Lacks("Find: ris6")
	})
	t.Run("over a search, the entry line of the sale stays", func(t *testing.T) {
		c := open(t, sells)
		c.Type("Savony 17")
		c.press("f3", "/").Type("Rado 61")
		c.scan(varyGasy).Sees("Find: Rado 61", added)
		c.press("esc", "esc").Sees("› Savony 17")
	})
	t.Run("over a payment code, with an article code of three digits", func(t *testing.T) {
		c := open(t, sells, func(c *console) { c.sells("Mofo", 300, "123") })
		c.charge()
		c.scan("123").Sees("… WAITING", "For the next customer: Mofo, 300 Ar.")
	})
	t.Run("it acknowledges no outcome", func(t *testing.T) {
		c := open(t, sells)
		c.paid().burst(varyGasy).Sees("✓ PAID", next).Lacks("takes this sale back")
		c.scan("6111000000018").Sees("✓ PAID", "No article has the code 6111000000018.")
		c.after(time.Second).press("enter").wake().Sees("1  Vary gasy").Lacks("PAID")
	})
	t.Run("on the orders", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.serve().press("f3").scan(varyGasy).Sees("History", added)
		c.press("esc").Sees("1  Vary gasy")
	})
	t.Run("in the catalogue it finds the article", func(t *testing.T) {
		c := open(t, sells)
		c.press("f6").scan(varyGasy).Sees("Vary gasy").Lacks(added)
		c.press("esc", "esc", "esc").Sees("nothing yet")
	})
	t.Run("over the leave question", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.press("ctrl+c").after(time.Second).scan(varyGasy).Sees("Leave till while", next)
		tuitest.Equal(t, c.Quit(), false, "it left")
		c.after(time.Second).press("enter")
		tuitest.Equal(t, c.Quit(), true, "it left")
	})
	t.Run("while an order is sent it asks to scan again", func(t *testing.T) {
		c := open(t, sells).enter("Coca 2000", "")
		c.gate.HoldCommands(tui.Performed[counter.SaveSale])
		c.enter("").Sees("Asking the payment service")
		c.burst(varyGasy).Sees("Scan again in a moment.")
		c.release().Sees("… WAITING")
		c.serve().Sees("Type what the customer takes", "nothing yet")
	})
}

func TestAScanNeverAnswersAQuestion(t *testing.T) {
	const ms = time.Millisecond
	for _, code := range tuitest.Some(4, []string{"ln-1042", "]E0" + varyGasy, "]C10106111000000017\x1d10A1", "(''çàààà('ééè", "RNSLC-77", varyGasy}) {
		for _, end := range []string{"enter", "tab", "ctrl+j"} {
			t.Run(code+" "+end, func(t *testing.T) {
				c := open(t, sells)
				c.charge()
				c.scans(code, 12*ms, end).Sees("… WAITING").Lacks("Charge", "?  ")
				tuitest.Equal(t, len(c.All()), 1, "orders")
				c.Pay(c.newest())
				c.wake().after(counter.Grace).scans(code, 12*ms, end).Sees("✓ PAID")
				tuitest.Equal(t, c.newest().Facts.Acknowledged, false, "the outcome is acknowledged")
				c.press("enter").enter("Coca 2000", "").Sees("Charge")
				c.scans(code, 12*ms, end)
				tuitest.Equal(t, len(c.All()), 1, "orders after the question")
			})
		}
	}
}

func TestAScanLeavesTheTextAndTheCursor(t *testing.T) {
	c := open(t, sells)
	c.Type("Savony").Press("home", "right")
	c.scan(varyGasy).Sees("1  Vary gasy", "› Savony")
	c.Type("ro").Sees("› Sroavony")
}

// TestAScanAtTheCashQuestionDrawsFewNotes scans a code that could also be read as an amount of
// billions.
func TestAScanAtTheCashQuestionDrawsFewNotes(t *testing.T) {
	c := open(t, sells).enter("Vary 3500", "").press("tab")
	c.scans("498000000000", 40*time.Millisecond, "enter").Sees("No article has the code 498000000000")
}

func TestScansDoNotRunTogether(t *testing.T) {
	for _, end := range []string{"enter", "tab", "ctrl+j"} {
		c := open(t, sells)
		for _, code := range []string{"6111000000099", varyGasy, "6111000000088"} {
			c.scans(code, 5*time.Millisecond, end)
		}
		c.Sees("1  Vary gasy", "No article has the code 6111000000088.", "›  ")
		c.press("f6").Sees("─ New article", "6111000000088").Lacks("6111000000099")
		c.scan("6111000000077").Sees("─ New article", "6111000000077").Lacks("6111000000088")
	}
}

func weighs(c *console) {
	tuitest.Must(c.t, c.AddArticles(c.t.Context(), []payments.Article{{Label: "Tomate", UnitPrice: 4000, Unit: "kg", Code: "2040000000014", Favourite: 5}}))
}

// TestAFavouriteAtAnOrderBeginsTheNextSale checks that a favourite's key on the payment screen has
// the same effect as a scan there: it adds to the next customer's sale.
func TestAFavouriteAtAnOrderBeginsTheNextSale(t *testing.T) {
	next := "For the next customer: Vary stock, 3 000 Ar."
	t.Run("over a payment code, which stays", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.press("alt+2").Sees("… WAITING", next, "r takes this sale back with it.")
		c.press("alt+2").Sees("… WAITING", "Vary stock: now 2 in one line")
		c.serve().Sees("1  Vary stock", "charges 6 000")
	})
	t.Run("it acknowledges no outcome", func(t *testing.T) {
		c := open(t, sells)
		c.paid().press("alt+2").Sees("✓ PAID", next)
		c.press("enter").wake().Sees("1  Vary stock").Lacks("PAID")
	})
	t.Run("a free place is said", func(t *testing.T) {
		c := open(t, sells)
		c.charge()
		c.press("alt+9").Sees("… WAITING", "There is no favourite 9.").Lacks("For the next customer")
	})
}

func TestAnArticleSoldByWeightAsksForItOnTheSale(t *testing.T) {
	asks := "Tomate: how many kg? Type 0.75 or 750 g"
	for name, add := range map[string]func(c *console){
		"a favourite at a code":   func(c *console) { c.charge(); c.press("alt+5") },
		"a scan at a code":        func(c *console) { c.charge(); c.scan("2040000000014") },
		"a scan at an outcome":    func(c *console) { c.paid().scan("2040000000014") },
		"a scan on the orders":    func(c *console) { c.press("f3").scan("2040000000014") },
		"a scan on the sale":      func(c *console) { c.scan("2040000000014") },
		"a favourite on the sale": func(c *console) { c.press("alt+5") },
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, sells, weighs)
			c.wake()
			add(c)
			c.Sees(asks).Type("750g")
			c.press("enter").Sees("1  Tomate", "0.75 kg", "3 000")
		})
	}
}

func TestACustomerWhoSaysPaidIsAnsweredWithWhatToDo(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.press("y").Sees("What happened", order.Reference, "Look in the merchant area. If it is paid", "press y").Fits()
	c.press("y").Sees("Did you see in the merchant area that").Press("esc", "esc", "esc")
	c.Sees("… WAITING", "An SMS is no proof.")
}
