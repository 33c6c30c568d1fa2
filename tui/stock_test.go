package tui_test

import (
	"testing"
	"time"
)

func TestTheArticlesAreOneKeyAwayFromTheSale(t *testing.T) {
	c := open(t)
	c.stock()
	c.Type("Sav").Press("f6")
	c.Sees("Articles", "2 of 2", "Vary gasy", "5449000000996").Lacks("› Sav")
	c.Type("vary").Sees("1 of 2").Lacks("Coca")
	c.Type("?").Sees("Find: vary?")
	c.press("esc", "?").Sees("Keys", "Ctrl+N").Lacks("Find:")
	c.press("esc", "esc").Sees("› Sav")
}

func TestAnArticleThatIsTypedOutlivesTheNews(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.serve().press("f6", "ctrl+n").Type("Mofo g")
	c.Pay(order)
	c.wake().Sees("Mofo g", "PAID")
	c.Type("asy").Press("f2")
	c.Sees("PAID").Lacks("Mofo")
	c.after(time.Second).press("enter").Sees("New article", "Mofo gasy")
}
