package tui_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

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
