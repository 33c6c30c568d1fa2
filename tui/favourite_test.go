package tui_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/tuitest"
)

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
