package tui_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/tuitest/shoptest"
)

func TestTheWindowMayBeResizedAtAnyMoment(t *testing.T) {
	t.Run("while the outcome arrives during a sale", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.serve().Type("Savony 12").Resize(200, 60).Fits().Sees("› Savony 12").Resize(20, 5)
		c.Pay(order)
		c.wake().Fits().Sees("✓ PAID", "Make the window", "larger: 20×6")
		c.Type("00").Resize(80, 24).Fits().Sees("✓ PAID", "F2  Show", "› Savony 1200")
	})
	t.Run("while the help is larger than the window", func(t *testing.T) {
		c := open(t)
		c.Resize(40, 15).Fits()
		c.press("up", "f1").Fits().Sees("an article").Lacks("Ctrl+C")
		c.press("up").Sees("an article").Press("pgdown").Fits().Sees("two amounts").Press("end").Sees("Ctrl+C", "leave")
		c.press("down").Sees("leave").Resize(120, 40).Fits().Sees("charge", "Ctrl+C")
		c.Resize(20, 6).Fits().Resize(20, 1).Fits().Resize(40, 15)
		c.press("home").Sees("an article").Press("f1").Lacks("two quantities").Sees("F1Keys")
	})
}

func TestATallHealthScreenShowsTheLastOutcomes(t *testing.T) {
	c := open(t)
	c.press("f8")
	c.Sees("What to do").Lacks("Last outcomes").Resize(200, 60).Fits().Sees("What to do", "Last outcomes")
	c.press("d").Sees("Report").Lacks("Last outcomes")
}

// lost creates an order and loses the answer to its call. Then it receives a success event that is
// not matched with the order. No screen opens.
func lost(c *console) {
	c.Reply(shoptest.Silence())
	event := shoptest.Event(c.Charge("S1"), payments.PaymentSuccess, "")
	event.OrderReference = "REF_700900"
	c.Hear(event)
	c.Reply(c.Accept)
	c.wake()
}

func many(c *console) {
	for range 12 {
		c.Charge("S1", shoptest.Coca())
	}
	c.wake()
}
