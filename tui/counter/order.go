package counter

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/cart"
)

// Shown returns the shown order, or a zero order.
func (c *Counter) Shown() payments.Order { return c.shown.order }

// ShownCash returns the shown cash sale, or a zero one.
func (c *Counter) ShownCash() drawer.CashSale { return c.shown.cash }

// DoneCash closes the shown cash sale if it has been visible for [Config.Grace].
func (c *Counter) DoneCash() {
	if c.shown.cash.Number != "" && !c.early() {
		c.SetAside()
		c.tell(OrderLeft{Paid: true})
	}
}

// Missing reports whether the database has lost the shown order.
func (c *Counter) Missing() bool { return c.shown.missing }

// NextBegun reports whether the next sale was begun while the order was shown. If so,
// [Counter.TakeBack] joins the lines of the order and the lines of the next sale.
func (c *Counter) NextBegun() bool { return c.shown.nextBegun }

// current reports whether an order is shown and the cashier does not wait for an order call.
func (c *Counter) current() bool { return c.shown.order.Reference != "" && !c.call.waited }

// Verdict returns the verdict of the shown order.
func (c *Counter) Verdict() payments.Verdict { return c.watch.picture.Verdict(c.shown.order) }

// Final reports whether the shown order has an outcome to acknowledge.
func (c *Counter) Final() bool {
	if !c.current() {
		return false
	}
	switch c.Verdict() {
	case payments.VerdictWaiting, payments.VerdictTimeOver, payments.VerdictNotSent:
		return false
	case payments.VerdictUnknown:
		return c.shown.order.Status == payments.StatusUnknown
	}
	return true
}

// Ready reports whether the shown order or cash sale accepts keys. A final outcome and a cash sale
// accept keys only after they have been visible for [Config.Grace].
func (c *Counter) Ready() bool { return !c.Final() && c.shown.cash.Number == "" || !c.early() }

func (c *Counter) early() bool { return c.Now().Before(c.shown.graceEnds) }

// Answerable identifies what a key press would answer or close now: the open question, such as
// "question 7", or the shown outcome. It returns "" if there is neither, and while a
// confirmed charge is under way. An outcome, or a question with [Question.Unbidden], counts only
// after it has been visible for [Config.Grace].
func (c *Counter) Answerable() string {
	switch question := c.question; {
	case c.Charging(), c.early() && (question == nil || question.Unbidden):
		return ""
	case question != nil:
		return fmt.Sprint("question ", c.asked)
	case c.shown.cash.Number != "":
		return "outcome: " + c.shown.cash.Number
	case c.Final():
		return "outcome: " + c.shown.order.Reference + " " + string(c.Verdict())
	}
	return ""
}

// Retrying reports whether the payment of the shown order failed and the customer can try
// again with the same QR code.
func (c *Counter) Retrying() bool {
	return c.Verdict() == payments.VerdictNotPaid && c.shown.order.Retryable(c.Picture().Now)
}

// CodeShown reports whether the QR code of the shown order may be shown: the customer may
// pay, and the till would see the payment. While earlier events are fetched from the relay, the code
// is shown although the verdict is unknown.
func (c *Counter) CodeShown() bool {
	order, picture := c.shown.order, c.Picture()
	left, _ := picture.Remaining(order) // The shorter of the times by the wall clock and by the monotonic clock.
	if !c.current() || c.shown.stale || c.shown.missing || left <= 0 || picture.Reach.Blind() || !order.Payable(picture.Now) {
		return false
	}
	switch order.Verdict(payments.Conditions{}, picture.Now) {
	case payments.VerdictWaiting:
		return true
	case payments.VerdictNotPaid:
		return c.shown.reshown || order.Retryable(picture.Now)
	case payments.VerdictMarkedUnpaid:
		return c.shown.reshown
	}
	return false
}

// Show shows an order that was made before, and queues a read of its current state. The QR code
// stays hidden until the read is done, because another order of the same sale may have been paid.
func (c *Counter) Show(order payments.Order) {
	c.open(order, "")
	c.tell(Opened{Order: order})
}

// ShowAgain shows a payable order and its QR code, even if a payment failed or a person
// marked the order as not paid. Keys act on the order immediately, without the wait of
// [Config.Grace].
func (c *Counter) ShowAgain(order payments.Order) {
	c.Show(order)
	c.shown.reshown = true
	c.shown.graceEnds = time.Time{}
}

// ShowNews shows the oldest outcome that the cashier has not seen. If the outcome replaces an order
// that can still be paid, that order is shown again once the cashier closes the outcome.
func (c *Counter) ShowNews() {
	news := c.Picture().News()
	switch {
	case c.call.waited:
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
	c.SetAside()
	c.leftCode = ""
	c.shown.stale = true
	c.shown.parked = parked
	c.adopt(order)
	c.do(ReadOrder{Reference: order.Reference})
}

// Reappear starts the wait of [Config.Grace] again. Call it when an outcome or a question that was
// covered is visible again.
func (c *Counter) Reappear() { c.shown.graceEnds = c.Now().Add(c.Grace) }

// SetAside closes the shown order or stops waiting for the order call. It does not ask first. The
// call continues, and the order can still be paid.
func (c *Counter) SetAside() {
	c.shown = shown{}
	c.call.waited = false
	c.DismissQuestion()
}

// TypeNext closes the shown order, because the cashier types the next sale. A single letter may be a
// mistake, so [Counter.BackToCode] shows the order again.
func (c *Counter) TypeNext() {
	left := c.shown.order.Reference
	c.SetAside()
	c.leftCode = left
}

// LeftCode reports whether [Counter.BackToCode] can show an order again: its customer can still pay,
// and the next sale is empty.
func (c *Counter) LeftCode() bool {
	order, found := c.Picture().Find(c.leftCode)
	return found && order.Live(c.Picture().Now)
}

// BackToCode shows the order that [Counter.TypeNext] closed. It does nothing if [Counter.LeftCode] is
// false.
func (c *Counter) BackToCode() {
	if c.LeftCode() {
		order, _ := c.Picture().Find(c.leftCode)
		c.ShowAgain(order)
	}
}

// adopt shows the given state of an order. If the verdict is final and the verdict or the status
// has changed, adopt starts [Config.Grace] and closes an open question about an order.
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
	if c.Asking().OfOrder() {
		c.question = nil
	}
	c.debtOf(order.Debt)
	c.tell(ShownChanged{})
	c.Reappear()
}

// refresh updates the shown order from the [Picture] of the store. If the picture lacks the
// order, refresh queues a read of the order.
func (c *Counter) refresh() {
	if !c.current() {
		return
	}
	order, open := c.Picture().Find(c.shown.order.Reference)
	if !open || order.Status == payments.StatusCreating && c.shown.order.Status != payments.StatusCreating {
		order = c.shown.order // The picture lacks the order, or has it from before the service answered.
	}
	if open || !c.shown.missing {
		c.adopt(order)
	}
	if c.Picture().Changed && (!open || c.shown.stale) {
		c.do(ReadOrder{Reference: c.shown.order.Reference})
	}
}

func (c *Counter) reread(read ReadOrder) {
	switch {
	case read.Reference != c.shown.order.Reference || !c.current():
	case read.Err == nil:
		c.shown.stale = false
		c.adopt(read.Order)
	case errors.Is(read.Err, payments.ErrNotFound):
		// The database was replaced by another one, which lacks the order. The state of the order
		// is therefore unknown. The customer may have paid, so the till offers no new order.
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

// Leave stops waiting for a running order call. If no call is running, it closes the shown
// order; while the customer can still pay that order, Leave asks first.
func (c *Counter) Leave() {
	switch {
	case c.call.waited:
		c.SetAside()
		c.charged(cart.SaleOf(c.call.terms), false)
		c.tell(OrderLeft{})
	case c.shown.order.Payable(c.Picture().Now):
		c.ask(Question{Kind: AskLeave, Order: c.shown.order})
	default:
		c.leave()
	}
}

// leave closes the shown order. If [Counter.ShowNews] had replaced a payable order, that
// order is shown again.
func (c *Counter) leave() {
	paid := c.shown.order.Facts.Acknowledged && c.shown.order.Paid()
	parked := c.shown.parked
	c.SetAside()
	c.tell(OrderLeft{Paid: paid})
	code, found := c.Picture().Find(parked)
	if found && code.Live(c.Picture().Now) {
		c.open(code, "")
		c.tell(Opened{Order: code, Back: true})
	}
}

// Done acknowledges the outcome of an order. If the customer can still pay the order, Done
// asks first.
func (c *Counter) Done(order payments.Order) {
	isShown := order.Reference == c.shown.order.Reference
	switch {
	case isShown && c.early(): // The outcome has not been visible for long enough.
	case isShown && c.shown.missing:
		c.leave()
	case order.Payable(c.Picture().Now):
		c.ask(Question{Kind: AskDone, Order: order, seen: c.acknowledgement(order)})
	default:
		c.do(c.acknowledgement(order))
	}
}

// acknowledgement returns the effect that acknowledges an order with the verdict that the cashier
// saw.
func (c *Counter) acknowledgement(order payments.Order) Acknowledge {
	seen := c.Verdict()
	if order.Reference != c.shown.order.Reference {
		seen = c.watch.announced[order.Reference].verdict
	}
	return Acknowledge{Reference: order.Reference, Seen: seen, Conditions: c.Picture().Reach.Conditions()}
}

// acknowledged handles the result of an acknowledgement. If the verdict has changed since the
// cashier saw it, the order stays unacknowledged. If the order is on the screen, its new verdict
// appears.
func (c *Counter) acknowledged(done Acknowledge) {
	isShown := c.current() && done.Reference == c.shown.order.Reference
	switch {
	case done.Err != nil:
		c.tell(StoreFailed{})
		return
	case done.Order.Facts.Acknowledged:
		c.watch.seen(done.Order)
		c.reopen(done.Order)
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

// reopen puts the lines of an order that will not be paid back into the sale, if the order is a rest. The
// cashier then charges the rest again, or drops the sale and gives the first part back.
func (c *Counter) reopen(order payments.Order) {
	now := c.Picture().Now
	if order.RestOf == "" || order.Gross() > 0 || order.Facts.Superseded || order.MayBePaid(now) || order.Reference != c.shown.order.Reference {
		return
	}
	c.takeBack(c.shown.order.Terms(), true)
}

// Repeatable reports whether another order can be made with the lines of an order, or the
// order can be sent again.
func (c *Counter) Repeatable(order payments.Order) bool {
	if order.Reference == c.shown.order.Reference && c.shown.missing {
		return false
	}
	unsent := order.Facts.NotSent && !order.Facts.Superseded
	return unsent || order.Repeatable(c.Picture().Reach.Conditions(), c.Picture().Now)
}

// TakeBack puts the lines of an order back into the sale, so that the cashier can correct them. A
// payable order stays payable. If the next sale was begun while the order was shown, TakeBack adds
// the lines of that sale.
func (c *Counter) TakeBack(order payments.Order) {
	joins := c.shown.nextBegun && order.Sale == c.shown.order.Sale
	c.backToSale(order)
	if joins {
		c.join(order.Terms())
	} else {
		c.takeBack(order.Terms(), true)
	}
}

// backToSale closes the shown order, because its lines return to the sale. It acknowledges the
// order's outcome, unless the order can still be paid.
func (c *Counter) backToSale(order payments.Order) {
	if order.Reference == c.shown.order.Reference && c.Final() && !order.Payable(c.Picture().Now) {
		c.do(c.acknowledgement(order)) // The cashier has read the order's outcome.
	}
	c.SetAside()
	c.tell(TookBack{})
}

// Tenderable reports whether the customer may pay the lines of an order in cash instead.
func (c *Counter) Tenderable(order payments.Order) bool {
	rejected := order.Status == payments.StatusRejected && !order.Facts.Superseded
	down := c.Picture().Reach.Conditions().StoreDown
	return len(c.Ways()) > 0 && (rejected || c.Repeatable(order)) && !down && !c.call.waited && !c.Charging()
}

// TenderFor puts the lines of an order back into the sale, and asks how much cash the customer
// gives for them. If another sale was begun, TenderFor puts that sale on hold. A payable order
// stays payable, so TakeCash asks again before it takes cash.
func (c *Counter) TenderFor(order payments.Order) {
	isShown := order.Reference == c.shown.order.Reference
	switch {
	case isShown && !c.Ready(): // The outcome has not been visible for long enough.
		return
	case !c.Tenderable(order):
		c.tell(Refused{NoRetry})
		return
	}
	c.backToSale(order)
	recalled, heldAs := c.cart.Recall(order.Terms(), c.Now())
	c.keep(recalled)
	c.Tender()
	if heldAs != "" {
		c.tell(SaleHeld{heldAs})
	}
}

// Awaited returns how many payments may still come. It adds what [Picture.Awaited] lacks:
// running order calls, and shown or acknowledged orders that can still be paid.
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
