package counter

import (
	"time"

	"checkout/till/payments"
)

// charging is what runs between the answer yes and the result: the write of the sale, and then an order call or
// the taking of cash. At most one charge is confirmed. Order calls are numbered, so that a late result is not taken
// for the result of a later call.
type charging struct {
	confirmed Effect // The [Checkout] or [TakeCash] that the cashier confirmed; nil if no charge is under way.
	taking    bool   // The confirmed [TakeCash] is under way.
	call      call   // The last order call.
	running   int    // Number of running order calls, also those without a waiting cashier.
}

type call struct {
	number int
	waited bool // The cashier is waiting for the result of the call.
	terms  payments.Terms
	began  time.Time
}

// underWay reports whether a charge is confirmed.
func (c *charging) underWay() bool { return c.confirmed != nil }

// confirm makes a charge the confirmed one. It begins when its sale is on disk.
func (c *charging) confirm(charge Effect) { c.confirmed = charge }

// begin returns the confirmed charge, once its sale is on disk. It returns nil if no charge is confirmed, or if the
// charge has begun. A [Checkout] is then no longer a confirmed charge but an order call; see send.
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

// take makes cash, or another tender, the charge that is under way. Its sale is on disk.
func (c *charging) take(charge TakeCash) {
	c.confirmed = charge
	c.taking = true
}

// end ends the confirmed charge.
func (c *charging) end() {
	c.confirmed = nil
	c.taking = false
}

// send returns the next order call. The cashier waits for its result.
func (c *charging) send(terms payments.Terms, seen Acknowledge, now time.Time) Checkout {
	c.running++
	c.call = call{number: c.call.number + 1, waited: true, terms: terms, began: now}
	return Checkout{Terms: terms, number: c.call.number, seen: seen}
}

// waiting reports whether the cashier waits for an order call.
func (c *charging) waiting() bool { return c.call.waited }

// stopWaiting lets the order call run without the cashier.
func (c *charging) stopWaiting() { c.call.waited = false }

// answered reports whether the cashier waited for an order call that has ended.
func (c *charging) answered(done Checkout) (waited bool) {
	c.running--
	waited = c.call.waited && done.number == c.call.number
	if waited {
		c.call.waited = false
	}
	return waited
}
