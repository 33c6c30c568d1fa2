package counter

import (
	"time"

	"checkout/till/payments"
)

// charging is the state between the answer yes and the result of a charge: first the sale is
// written, then the order call runs or the payment is recorded. At most one charge is confirmed.
// Order calls have numbers, so that a late result is not taken for the result of a later call.
type charging struct {
	confirmed Effect // The [Checkout] or [TakeCash] that the cashier has confirmed; nil without one.
	taking    bool   // Whether the confirmed [TakeCash] has begun.
	call      call   // The last order call.
	running   int    // Number of running order calls, including those that the cashier does not wait for.
}

type call struct {
	number int
	waited bool // Whether the cashier waits for the result of the call.
	terms  payments.Terms
	began  time.Time
}

func (c *charging) underWay() bool { return c.confirmed != nil }

// confirm sets the confirmed charge. The charge begins when its sale is on disk.
func (c *charging) confirm(charge Effect) { c.confirmed = charge }

// begin returns the confirmed charge, so that the caller begins it. Call it when the sale is on
// disk. It returns nil if no charge is confirmed or the charge has already begun. A [Checkout] is
// then no longer a confirmed charge but an order call; see send.
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

// take sets a payment at the counter as the charge that is under way. Its sale is on disk.
func (c *charging) take(charge TakeCash) {
	c.confirmed = charge
	c.taking = true
}

func (c *charging) end() {
	c.confirmed = nil
	c.taking = false
}

// send returns the effect for an order call. The cashier waits for its result.
func (c *charging) send(terms payments.Terms, seen Acknowledge, now time.Time) Checkout {
	c.running++
	c.call = call{number: c.call.number + 1, waited: true, terms: terms, began: now}
	return Checkout{Terms: terms, number: c.call.number, seen: seen}
}

// waiting reports whether the cashier waits for an order call.
func (c *charging) waiting() bool { return c.call.waited }

// stopWaiting records that the cashier does not wait for the order call any more. The call
// continues.
func (c *charging) stopWaiting() { c.call.waited = false }

// answered records the end of an order call, and reports whether the cashier waited for it.
func (c *charging) answered(done Checkout) (waited bool) {
	c.running--
	waited = c.call.waited && done.number == c.call.number
	if waited {
		c.call.waited = false
	}
	return waited
}
