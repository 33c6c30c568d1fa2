package counter

import (
	"time"

	"checkout/till/payments"
)

// charging is the state between the answer yes and the result of a charge. At most one charge is
// confirmed. The number of an order call distinguishes a late result from the result of a later
// call.
type charging struct {
	confirmed Effect // The [Checkout] or [TakeCash] that the cashier has confirmed; nil without one.
	taking    bool   // Whether the confirmed [TakeCash] has begun.
	call      call   // The last order call.
	running   int    // Number of running order calls, even those without a waiting cashier.
}

type call struct {
	number int
	waited bool // Whether the cashier waits for the result.
	terms  payments.Terms
	began  time.Time
}

// begin returns the confirmed charge once, when its sale is on disk. A [Checkout] is then no longer
// the confirmed charge but an order call; see send.
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
