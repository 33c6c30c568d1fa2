package tui_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// stranger receives a payment for an order that this shop does not know, and then advances the
// clock by payments.OrphanGrace. Before that, a late answer to an order call could show that the
// payment belongs to an order of the shop.
func stranger(c *console) {
	c.t.Helper()
	c.Hear(shoptest.Event(payments.Order{Reference: "X-1", OrderReference: "REF_800001", Amount: 4000}, payments.PaymentSuccess, ""))
	c.wake().after(payments.OrphanGrace)
}

func TestAPaymentWithoutOrderRaisesAnAlarm(t *testing.T) {
	t.Run("F3 opens it, and a review ends the alarm", func(t *testing.T) {
		c := open(t)
		c.press("f6")
		stranger(c)
		c.Sees("PAID WITHOUT ORDER: 1 · F3", "Orders1").Press("f3")
		c.Sees("it belongs to no order here: 4 000 Ar, REF_800001").Press("s", "enter")
		c.wake().Lacks("PAID WITHOUT ORDER", "no order here").Sees("● receives payments")
		after := at(t, c.Counter)
		after.Lacks("PAID WITHOUT ORDER")
		tuitest.Equal(t, after.bells(), 0, "bells after a restart")
	})
	t.Run("the alarm sounds once, also after a restart", func(t *testing.T) {
		c := open(t)
		stranger(c)
		c.after(time.Second).wake()
		tuitest.Equal(t, c.bells(), 10, "bells")
		after := at(t, c.Counter)
		after.Sees("PAID WITHOUT ORDER: 1")
		tuitest.Equal(t, after.bells(), 10, "bells after a restart")
	})
	t.Run("F3 opens it from a code, and Esc returns to the code", func(t *testing.T) {
		c := open(t)
		c.charge()
		stranger(c)
		c.Sees("PAID WITHOUT ORDER: 1 · F3").Press("f3")
		c.Sees("Paid, but it belongs to no order here").Press("esc")
		c.Sees("… WAITING", "An SMS is no proof.")
		c.serve().Sees("PAID WITHOUT ORDER: 1 · F3")
	})
}

func TestRefusedWebhooksAreShown(t *testing.T) {
	t.Run("the news stay visible", func(t *testing.T) {
		c := open(t)
		c.Pay(c.Charge("S1"))
		c.refuse(3)
		c.wake().Sees("WEBHOOKS REFUSED · F8", "✓ PAID", "F2  Show")
		c.Resize(40, 15).Sees("WEBHOOKS REFUSED · F8", "✓ PAID", "9 000 Ar").Press("f8")
		c.Resize(80, 24).Sees("Health", "refused since the last good one: 3")
	})
	t.Run("a doubtful way in stays in the header", func(t *testing.T) {
		c := open(t)
		stranger(c)
		c.health.Looked = c.Now()
		c.after(time.Second).Sees("! payments not confirmed", "PAID WITHOUT ORDER: 1 · F3").Fits()
	})
	t.Run("the screen turned to the customer shows only a sign", func(t *testing.T) {
		c := open(t)
		order := c.charge()
		c.press("f9")
		c.health.Cause = payments.Cause{Kind: payments.CauseSignatureKnown}
		c.after(time.Second).Sees(" ! ", "9 000 Ar").Lacks("SECRET")
		tuitest.Equal(t, c.QR(), order.Link.URL, "the code")
	})
}

func TestThePaymentScreenAnnouncesOtherOrders(t *testing.T) {
	c := open(t)
	first, second := c.Charge("S1"), c.Charge("S2", shoptest.Coca())
	order := c.wake().charge()
	c.Pay(first)
	c.Fail(second, "")
	c.wake().Sees("… WAITING", "Another order: ✓ PAID 9 000 Ar", "· F2 (+1)").Fits()
	tuitest.Equal(t, c.bells(), 1, "bells")
	tuitest.Equal(t, c.QR(), order.Link.URL, "the code")
	c.Pay(order)
	c.wake().Sees("✓ PAID", "Another order: ✓ PAID 9 000 Ar · F2 (+1)")
	c.after(counter.Grace).press("enter").wake().Sees("Type what the customer takes", "(+1)")
}

func TestAnotherOutcomeHasItsColourOnlyNextToACode(t *testing.T) {
	styles := theme.Full(theme.Dark)
	c := open(t, dressed(styles))
	first := c.Charge("S1")
	order := c.wake().charge()
	c.Pay(first)
	_, block := badge.Paid.Styles(styles)
	tuitest.Contains(t, c.wake().View(), block.Render("✓ PAID"))
	c.Pay(order)
	tuitest.Contains(t, c.wake().View(), styles.Strong.Render("Another order: ✓ PAID 9 000 Ar"))
}

func TestTheHeaderShowsAClockDifference(t *testing.T) {
	c := open(t)
	c.health.Ahead = 2 * time.Minute
	c.wake().Sees("● receives payments").Lacks("CLOCK")
	c.health.Ahead = -3*time.Hour - time.Minute
	c.wake().Sees("✗ CLOCK OFF BY 3 h · F8").Press("f8")
	c.wake().Sees("CLOCK OFF BY 3 h", "✗ Clock", "3 h apart from the payment service's", "Let the network set it").Lacks("· F8")
}
