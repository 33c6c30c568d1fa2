package counter

import (
	"time"

	"checkout/till/payments"
)

// charging is the state between a yes and the result of a charge.
type charging struct {
	confirmed Effect // A [Checkout] or [TakeCash], or nil.
	taking    bool   // Whether the confirmed [TakeCash] has begun.
	call      call   // The last order call.
	running   int    // Number of running order calls.
}

type call struct {
	number int  // Number of the call. A result of an earlier call is ignored.
	waited bool // Whether the cashier waits for the result.
	terms  payments.Terms
	began  time.Time
}

// begin returns the confirmed charge if it has not begun yet, else nil. Call it when the sale is on
// disk.
func (c *charging) begin() Effect {
	switch charge := c.confirmed.(type) {
	case Checkout:
		c.confirmed = nil
		return charge
	case TakeCash:
		if !c.taking {
			c.taking = true
			return charge
		}
	}
	return nil
}

// sale returns the ID of the sale that is being charged, or "".
func (c *charging) sale() string {
	switch charge := c.confirmed.(type) {
	case Checkout:
		return charge.Terms.Sale
	case TakeCash:
		return charge.Terms.Sale
	}
	return ""
}

func (c *charging) take(charge TakeCash) {
	c.confirmed = charge
	c.taking = true
}

func (c *charging) end() {
	c.confirmed = nil
	c.taking = false
}

func (c *charging) send(terms payments.Terms, seen Acknowledge, now time.Time) Checkout {
	c.running++
	c.call = call{number: c.call.number + 1, waited: true, terms: terms, began: now}
	return Checkout{Terms: terms, number: c.call.number, seen: seen}
}

func (c *charging) waiting() bool { return c.call.waited }

func (c *charging) stopWaiting() { c.call.waited = false }

func (c *charging) answered(done Checkout) (waited bool) {
	c.running--
	waited = c.call.waited && done.number == c.call.number
	if waited {
		c.call.waited = false
	}
	return waited
}
