package tui_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/counter"
)

// TestPaymentsThatWereMissedAreCountedUntilTheyAreSeen opens one of two payments that arrived while
// the till was off.
func TestPaymentsThatWereMissedAreCountedUntilTheyAreSeen(t *testing.T) {
	c := open(t)
	var missed []string
	for range 3 {
		order := c.charge()
		c.serve()
		c.Pay(order)
		missed = append(missed, order.Reference)
	}
	// The first payment arrived before the till was switched off, and the cashier has not seen it.
	c.health.Relay = payments.RelayState{Host: "relay.example.mg", Missed: missed[1:], MissedOf: 18_000, Contact: c.Now(), Emptied: true}
	c.wake().Sees("✓ 2 PAID (+1)  18 000 Ar", "While the till was off")
	see := func() { c.press("f2").after(counter.Grace).press("enter").wake().press("esc") }
	see()
	c.Sees("✓ 2 PAID  18 000 Ar")
	see()
	c.Sees("✓ 1 PAID  9 000 Ar", "While the till was off")
}
