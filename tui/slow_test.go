package tui_test

import (
	"testing"
	"time"

	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest/counter"
)

func TestO19TheNextCustomerIsServedWhileTheServiceIsAsked(t *testing.T) {
	slow := func(t *testing.T) *console {
		c := open(t)
		keep[sale.Charged](c)
		c.enter("Vary 3500", "", "").Sees("Asking the payment service", "at most 30 s")
		return c.after(12 * time.Second).press("esc").enter("Savony 1200")
	}
	t.Run("the order waits on the board, and its outcome is told", func(t *testing.T) {
		c := slow(t)
		c.Sees("1  Savony", "charges 1 200")
		c.press("ctrl+c").Sees("Payments awaited: 1").Press("esc")
		c.release().wake().Sees("1  Savony", "charges 1 200", "Waiting  1").Press("f4").Sees("3 500 Ar", "Vary").Press("esc")
		c.Pay(c.newest())
		c.wake().Sees("✓ PAID", "3 500 Ar", "F2  Show", "1  Savony")
	})
	t.Run("the lines of one that is refused are held", func(t *testing.T) {
		c := slow(t)
		c.Reply(counter.Refuse("Compte suspendu"))
		c.release().wake().Sees("Its lines are held as 1.", "1  Savony", "Hold  1")
	})
	t.Run("a restart in between loses no line", func(t *testing.T) {
		c := slow(t)
		at(t, c.Counter).Sees("1  Savony", "Hold  1")
	})
}

func TestN48WhoLeavesOrdersToWaitIsAskedOnce(t *testing.T) {
	c := open(t)
	c.charge()
	c.press("esc").Sees("can be paid until").Press("enter").Sees("Type what the customer takes")
	c.charge()
	c.press("esc").Sees("Type what the customer takes", "Left waiting: 9 000 Ar, until 12:10. F4 shows it.", "Waiting  2")
	c.Type("x").Lacks("Left to wait")
}
