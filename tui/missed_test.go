package tui_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
)

// TestPaymentsThatWereMissedAreCountedUntilTheyAreSeen opens one of two payments that came while the
// till was off.
func TestPaymentsThatWereMissedAreCountedUntilTheyAreSeen(t *testing.T) {
	c := open(t)
	for range 2 {
		order := c.charge()
		c.serve()
		c.Pay(order)
	}
	c.health.Relay = payments.RelayState{Host: "relay.example.mg", Missed: 2, MissedOf: 18_000, Since: c.Now().Add(time.Minute), Contact: c.Now(), Emptied: true}
	c.wake().Sees("✓ 2 PAID", "18 000 Ar", "While the till was off")
	c.press("f2").after(counter.Grace).press("enter").wake()
	c.press("esc").Lacks("2 PAID").Sees("✓ 1 PAID", "9 000 Ar")
}
