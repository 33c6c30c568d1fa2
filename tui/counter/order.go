package counter

import (
	"errors"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// Shown returns the order that is shown, zero for none.
func (c *Counter) Shown() payments.Order { return c.shown.order }

// Missing reports whether the database does not have the shown order any more.
func (c *Counter) Missing() bool { return c.shown.missing }

// NextBegun reports whether the next sale was begun while the order was shown, so that
// [Counter.TakeBack] joins the two.
func (c *Counter) NextBegun() bool { return c.shown.nextBegun }

// current reports whether an order is shown and no other one is being sent.
func (c *Counter) current() bool { return c.shown.order.Reference != "" && !c.call.shown }

// Verdict returns the verdict of the shown order.
func (c *Counter) Verdict() payments.Verdict { return c.watch.picture.Verdict(c.shown.order) }

// Final reports whether the shown order has an outcome to acknowledge.
func (c *Counter) Final() bool {
	if !c.current() {
		return false
	}
	switch c.Verdict() {
	case payments.VerdictWaiting, payments.VerdictTimeOver:
		return false
	case payments.VerdictUnknown:
		return c.shown.order.Status == payments.StatusUnknown
	}
	return true
}

// Ready reports whether the shown outcome takes keys. A new one must be visible for
// [Config.Grace] first.
func (c *Counter) Ready() bool { return !c.Final() || !c.early() }

func (c *Counter) early() bool { return c.Now().Before(c.shown.graceEnds) }

// Answerable names the question or the outcome that an answer would be for now. It is
// blank if there is none that could be read.
func (c *Counter) Answerable() string {
	switch question := c.question; {
	case c.Charging():
		return ""
	case question != nil && question.Unbidden && c.early():
		return ""
	case question != nil:
		return "question: " + string(question.Kind)
	case c.Final() && !c.early():
		return "outcome: " + c.shown.order.Reference + " " + string(c.Verdict())
	}
	return ""
}

// Retrying reports whether the customer was refused and can try again with the code.
func (c *Counter) Retrying() bool {
	return c.Verdict() == payments.VerdictNotPaid && c.shown.order.Retryable(c.Picture().Now)
}

// CodeShown reports whether the code of the shown order may be shown: the customer is
// asked to pay, and the payment would be seen.
func (c *Counter) CodeShown() bool {
	order := c.shown.order
	left, _ := c.Picture().Left(order) // It may be over by one of the two clocks.
	if !c.current() || c.shown.stale || c.shown.missing || left <= 0 || !order.Payable(c.Picture().Now) {
		return false
	}
	switch c.Verdict() {
	case payments.VerdictWaiting:
		return true
	case payments.VerdictNotPaid:
		return c.shown.reshown || c.Retrying()
	case payments.VerdictMarkedUnpaid:
		return c.shown.reshown
	}
	return false
}

// Show shows an order that was made before. Its code is not shown until the order was
// read: another one of the sale may have been paid.
func (c *Counter) Show(order payments.Order) {
	c.open(order, "")
	c.tell(Opened{Order: order})
}

// ShowAgain shows the code of an order although an attempt to pay failed or a person saw
// that it was not paid, for as long as it is payable. Keys count at once.
func (c *Counter) ShowAgain(order payments.Order) {
	c.Show(order)
	c.shown.reshown = true
	c.shown.graceEnds = time.Time{}
}

// ShowNews shows the oldest outcome that the cashier has not seen. A code that it takes
// the place of comes back afterwards.
func (c *Counter) ShowNews() {
	news := c.Picture().News()
	switch {
	case c.call.shown:
		c.tell(Refused{Busy})
	case len(news) == 0:
		c.tell(Refused{NoNews})
	default:
		parked := c.shown.parked
		if c.shown.order.Live(c.Picture().Now) && c.shown.order.Reference != news[0].Reference {
			parked = c.shown.order.Reference
		}
		c.open(news[0], parked)
		c.tell(Opened{Order: news[0]})
	}
}

func (c *Counter) open(order payments.Order, parked string) {
	c.clear()
	c.shown.stale = true
	c.shown.parked = parked
	c.adopt(order)
	c.do(ReadOrder{Reference: order.Reference})
}

// Reappear starts the grace of what the cashier sees from now on.
func (c *Counter) Reappear() { c.shown.graceEnds = c.Now().Add(c.Grace) }

// clear shows no order any more. An order call goes on.
func (c *Counter) clear() {
	c.shown = shown{}
	c.call.shown = false
	c.Close()
}

// adopt shows an order as it is now. A final verdict that is new gets its grace.
func (c *Counter) adopt(order payments.Order) {
	before := c.shown
	c.shown.order = order
	c.shown.missing = false
	c.shown.graceFor = ""
	if !c.Final() {
		return
	}
	c.shown.graceFor = c.Verdict()
	if c.shown.graceFor == before.graceFor && order.Status == before.order.Status {
		return
	}
	c.shown.reshown = false
	if c.question != nil && c.question.Kind.OfOrder() {
		c.question = nil
	}
	c.tell(ShownChanged{})
	c.Reappear()
}

// refresh shows what the picture says of the shown order. An order that the picture does
// not have is read.
func (c *Counter) refresh() {
	if !c.current() {
		return
	}
	order, open := c.Picture().Find(c.shown.order.Reference)
	if !open || order.Status == payments.StatusCreating && c.shown.order.Status != payments.StatusCreating {
		order = c.shown.order // The picture lacks it, or is from before the service answered.
	}
	if open || !c.shown.missing {
		c.adopt(order)
	}
	if c.Picture().Changed && (!open || c.shown.stale) {
		c.do(ReadOrder{Reference: c.shown.order.Reference})
	}
}

// reread takes in the shown order as it was read.
func (c *Counter) reread(read ReadOrder) {
	switch {
	case read.Reference != c.shown.order.Reference || !c.current():
	case read.Err == nil:
		c.shown.stale = false
		c.adopt(read.Order)
	case errors.Is(read.Err, payments.ErrNotFound):
		// Another database has taken the place of the order's. Nothing is known of it
		// any more, whatever was shown before. The customer may have paid it: no other
		// order is offered.
		lost := c.shown.order
		lost.Status = payments.StatusUnknown
		lost.Reason = payments.Reason{}
		lost.Facts = payments.Facts{}
		lost.Finding = nil
		lost.Link = payments.Link{}
		c.adopt(lost)
		c.shown.missing = true
	}
}

// Leave leaves the order call or the order that is shown. While the customer can still
// pay it asks first.
func (c *Counter) Leave() {
	switch {
	case c.call.shown:
		c.clear()
		c.charged(cart.SaleOf(c.call.terms), false)
		c.tell(Closed{})
	case c.shown.order.Payable(c.Picture().Now):
		c.ask(Question{Kind: AskLeave, Order: c.shown.order})
	default:
		c.leave()
	}
}

// SetAside leaves the shown order without a question, because the cashier begins
// something else. The order waits.
func (c *Counter) SetAside() { c.clear() }

// leave leaves the shown order. The code that it took the place of comes back.
func (c *Counter) leave() {
	paid := c.shown.order.Facts.Acknowledged && c.shown.order.Paid()
	parked := c.shown.parked
	c.clear()
	c.tell(Closed{Paid: paid})
	code, found := c.Picture().Find(parked)
	if found && code.Live(c.Picture().Now) {
		c.open(code, "")
		c.tell(Opened{Order: code, Back: true})
	}
}

// Done acknowledges the outcome of an order. While its link can still be paid it asks
// first.
func (c *Counter) Done(order payments.Order) {
	isShown := order.Reference == c.shown.order.Reference
	switch {
	case isShown && c.early(): // It could not be read yet.
	case isShown && c.shown.missing:
		c.leave()
	case order.Payable(c.Picture().Now):
		c.ask(Question{Kind: AskDone, Order: order, seen: c.acknowledgement(order)})
	default:
		c.acknowledge(order)
	}
}

func (c *Counter) acknowledge(order payments.Order) { c.do(c.acknowledgement(order)) }

// acknowledgement returns the effect that acknowledges an order as the cashier saw it.
func (c *Counter) acknowledgement(order payments.Order) Acknowledge {
	seen := c.Verdict()
	if order.Reference != c.shown.order.Reference {
		seen = c.watch.announced[order.Reference].verdict
	}
	return Acknowledge{Reference: order.Reference, Seen: seen, Conditions: c.Picture().Reach.Conditions()}
}

// acknowledged takes in an acknowledgement. An order that has another verdict by now is
// shown with that, and stays unseen.
func (c *Counter) acknowledged(done Acknowledge) {
	isShown := c.current() && done.Reference == c.shown.order.Reference
	switch {
	case done.Err != nil:
		c.tell(StoreFailed{})
		return
	case done.Order.Facts.Acknowledged:
		c.watch.seen(done.Order)
		c.tell(Acknowledged{done.Order})
		if isShown {
			c.shown.order = done.Order
			c.leave()
		}
	case isShown:
		c.adopt(done.Order)
	}
	c.read()
}

// Repeatable reports whether another order can be made of the lines of an order, or the
// order can be sent again.
func (c *Counter) Repeatable(order payments.Order) bool {
	if order.Reference == c.shown.order.Reference && c.shown.missing {
		return false
	}
	unsent := order.Facts.NotSent && !order.Facts.Superseded
	return unsent || order.Repeatable(c.Picture().Reach.Conditions(), c.Picture().Now)
}

// TakeBack goes back to the sale with the lines of an order, to correct them. The order
// goes on waiting if it can still be paid. Lines that were entered while it was shown
// join its lines.
func (c *Counter) TakeBack(order payments.Order) {
	if order.Reference == c.shown.order.Reference && c.Final() && !order.Payable(c.Picture().Now) {
		c.acknowledge(order) // Its outcome was read.
	}
	joins := c.shown.nextBegun && order.Sale == c.shown.order.Sale
	c.clear()
	c.tell(TookBack{})
	if joins {
		c.join(order.Terms())
	} else {
		c.takeBack(order.Terms(), true)
	}
}

// Awaited returns how many payments may still come. One that is being made is on no
// picture yet, and one that was given up is on none any more.
func (c *Counter) Awaited() int {
	awaited := c.Picture().Awaited()
	others := c.watch.givenUp
	if c.current() {
		others = append(slices.Clip(others), c.shown.order)
	}
	for _, order := range others {
		listed := slices.ContainsFunc(awaited, func(other payments.Order) bool { return other.Reference == order.Reference })
		if order.Payable(c.Picture().Now) && !listed {
			awaited = append(awaited, order)
		}
	}
	return len(awaited) + c.calls
}
