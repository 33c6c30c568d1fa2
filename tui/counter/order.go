package counter

import (
	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// Leave leaves the payment screen. If the customer can still pay the shown order, Leave asks first.
// A running order call continues. The outcome PAID is acknowledged.
func (c *Counter) Leave() {
	switch {
	case c.charging.waiting():
		c.SetAside()
		c.endSale(cart.SaleOf(c.charging.call.terms), false)
		c.tell(OrderLeft{})
	case c.shown.Order.Payable(c.Picture().Now):
		c.ask(Question{Kind: AskLeave, Order: c.shown.Order})
	case c.Shown().Verdict() == payments.VerdictPaid:
		c.Done(c.shown.Order)
	default:
		c.leave()
	}
}

// PutBack puts the lines of an order back into the sale, so that the cashier can correct them. A
// payable order stays payable. Lines that were added while the order was shown are added to the
// order's lines. If another sale is current, the order's lines are put on hold instead.
func (c *Counter) PutBack(order payments.Order) {
	joins := c.shown.NextBegun && order.Sale == c.shown.Order.Sale
	c.backToSale(order)
	if joins {
		c.join(c.termsOf(order))
	} else {
		c.putBack(c.termsOf(order), true)
	}
}

// Tenderable reports whether the customer can pay for the lines of an order at the counter.
func (c *Counter) Tenderable(order payments.Order) bool {
	rejected := order.Status == payments.StatusRejected && !order.Facts.PaidOtherwise
	down := c.Picture().Reach.Conditions().StoreDown
	return len(c.Ways()) > 0 && (rejected || c.Repeatable(order)) && !down && !c.charging.waiting() && !c.Charging()
}

// TenderFor puts the lines of an order back into the sale, and asks how the customer pays for them
// at the counter. A payable order stays payable. Another current sale is put on hold. TenderFor
// reports [Refused] if the order is not [Counter.Tenderable].
func (c *Counter) TenderFor(order payments.Order) {
	isShown := order.Reference == c.shown.Order.Reference
	switch {
	case isShown && !c.Ready():
		return
	case !c.Tenderable(order):
		c.tell(Refused{NoRetry})
		return
	}
	c.backToSale(order)
	recalled, heldAs := c.cart.Recall(c.termsOf(order), c.Now())
	c.keep(recalled)
	c.readTakenOf(order.Sale)
	c.Tender()
	if heldAs != "" {
		c.tell(SaleHeld{heldAs})
	}
}

// Add adds items to the sale. It returns the errors of [cart.Cart.Add].
func (c *Counter) Add(items ...payments.Item) (cart.Line, error) {
	if c.shown.Order.Reference != "" && c.cart.Untouched() {
		c.shown.NextBegun = true
	}
	return c.change(c.cart.Add(items...))
}
