package counter

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cart"
)

// DoneCash closes the shown cash sale, unless it has been visible for less than [Config.Grace].
func (c *Counter) DoneCash() {
	if c.shown.Cash.Number != "" && !c.early() {
		c.SetAside()
		c.tell(OrderLeft{Paid: true})
	}
}

// Ready reports whether keys act on the shown order or cash sale. A final outcome and a cash sale
// must first be visible for [Config.Grace].
func (c *Counter) Ready() bool { return !c.Shown().Final() && c.shown.Cash.Number == "" || !c.early() }

func (c *Counter) early() bool { return c.Now().Before(c.shown.graceEnds) }

// Answerable identifies what a key press would answer or close now: the open question, as in
// "question 7", or the shown outcome. It returns "" if there is neither, and while a confirmed
// charge is under way. An outcome, or a question that is [Question.Unbidden], counts only after it
// has been visible for [Config.Grace].
func (c *Counter) Answerable() string {
	switch question := c.question; {
	case c.Charging(), c.early() && (question == nil || question.Unbidden):
		return ""
	case question != nil:
		return fmt.Sprint("question ", c.asked)
	case c.shown.Cash.Number != "":
		return "outcome: " + c.shown.Cash.Number
	case c.Shown().Final():
		return "outcome: " + c.shown.Order.Reference + " " + string(c.Shown().Verdict())
	}
	return ""
}

// Show shows an order that was made before, and queues a read of its current state. The QR code
// stays hidden until that read ends, because another order of the same sale may have been paid.
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

// ShowNews shows the oldest outcome that the cashier has not seen. If it replaces an order that can
// still be paid, that order is shown again after the cashier closes the outcome.
func (c *Counter) ShowNews() {
	news := c.Picture().News()
	switch {
	case c.charging.waiting():
		c.tell(Refused{Busy})
	case len(news) == 0:
		c.tell(Refused{NoNews})
	default:
		parked := c.shown.parked
		if c.shown.Order.Live(c.Picture().Now) && c.shown.Order.Reference != news[0].Reference {
			parked = c.shown.Order.Reference
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

// SetAside closes the shown order, or stops waiting for the order call, without asking first. The
// call continues, and the order can still be paid.
func (c *Counter) SetAside() {
	c.shown = Shown{}
	c.charging.stopWaiting()
	c.DismissQuestion()
}

// TypeNext closes the shown order, because the cashier types the next sale. If a single letter was
// a mistake, [Counter.BackToCode] shows the order again.
func (c *Counter) TypeNext() {
	left := c.shown.Order.Reference
	c.SetAside()
	c.leftCode = left
}

// LeftCode reports whether [Counter.BackToCode] can show an order: its customer can still pay, and
// the next sale is empty.
func (c *Counter) LeftCode() bool {
	order, found := c.Picture().Find(c.leftCode)
	return found && order.Live(c.Picture().Now)
}

// BackToCode shows the order that [Counter.TypeNext] closed. It does nothing if [Counter.LeftCode]
// returns false.
func (c *Counter) BackToCode() {
	if c.LeftCode() {
		order, _ := c.Picture().Find(c.leftCode)
		c.ShowAgain(order)
	}
}

// adopt replaces the shown order by its current state. If the verdict is final, and the verdict or
// the status has changed, adopt starts [Config.Grace] and closes an open question about an order.
func (c *Counter) adopt(order payments.Order) {
	before := c.shown
	c.shown.Order = order
	c.shown.Missing = false
	c.shown.graceFor = ""
	if !c.Shown().Final() {
		return
	}
	c.shown.graceFor = c.Shown().Verdict()
	if c.shown.graceFor == before.graceFor && order.Status == before.Order.Status {
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

// refresh updates the shown order from the [Picture] of the store. If the picture does not contain
// the order, refresh queues a read of it.
func (c *Counter) refresh() {
	if !c.Shown().Current() {
		return
	}
	order, open := c.Picture().Find(c.shown.Order.Reference)
	if !open || order.Status == payments.StatusCreating && c.shown.Order.Status != payments.StatusCreating {
		order = c.shown.Order // The picture does not contain the order, or contains its state from before the answer to the call.
	}
	if open || !c.shown.Missing {
		c.adopt(order)
	}
	if c.Picture().Changed && (!open || c.shown.stale) {
		c.do(ReadOrder{Reference: c.shown.Order.Reference})
	}
}

func (c *Counter) reread(read ReadOrder) {
	switch {
	case read.Reference != c.shown.Order.Reference || !c.Shown().Current():
	case read.Err == nil:
		c.shown.stale = false
		c.adopt(read.Order)
	case errors.Is(read.Err, payments.ErrNotFound):
		// The database was replaced by another one, which does not have the order, so its state is unknown.
		// The customer may have paid, so the till offers no new order.
		lost := c.shown.Order
		lost.Status = payments.StatusUnknown
		lost.Reason = payments.Reason{}
		lost.Facts = payments.Facts{}
		lost.Finding = nil
		lost.Link = payments.Link{}
		c.adopt(lost)
		c.shown.Missing = true
	}
}

// Leave stops waiting for a running order call. If no call is running, it closes the shown order;
// if the customer can still pay that order, Leave asks first. It acknowledges PAID, because that
// outcome needs no decision.
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

// leave closes the shown order. If [Counter.ShowNews] had replaced a payable order, leave shows
// that order again.
func (c *Counter) leave() {
	paid := c.shown.Order.Facts.Acknowledged && c.shown.Order.Paid()
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
	isShown := order.Reference == c.shown.Order.Reference
	switch {
	case isShown && c.early(): // The outcome has not been visible for long enough.
	case isShown && c.shown.Missing:
		c.leave()
	case order.Payable(c.Picture().Now):
		c.ask(Question{Kind: AskDone, Order: order, seen: c.acknowledgement(order)})
	default:
		c.do(c.acknowledgement(order))
	}
}

// acknowledgement returns the effect that acknowledges an order, with the verdict that the cashier
// saw.
func (c *Counter) acknowledgement(order payments.Order) Acknowledge {
	seen := c.Shown().Verdict()
	if order.Reference != c.shown.Order.Reference {
		seen = c.announcer.announced[order.Reference].verdict
	}
	return Acknowledge{Reference: order.Reference, Seen: seen, Conditions: c.Picture().Reach.Conditions()}
}

// acknowledged handles the result of an acknowledgement. If the verdict had changed after the
// cashier saw it, the order is not acknowledged. If that order is on the screen, the screen shows
// the new verdict.
func (c *Counter) acknowledged(done Acknowledge) {
	isShown := c.Shown().Current() && done.Reference == c.shown.Order.Reference
	switch {
	case done.Err != nil:
		c.tell(StoreFailed{})
		return
	case done.Order.Facts.Acknowledged:
		c.watch.seen(done.Order)
		delete(c.announcer.announced, done.Order.Reference)
		c.tell(Acknowledged{done.Order})
		if isShown {
			c.shown.Order = done.Order
			c.leave()
		}
	case isShown:
		c.adopt(done.Order)
	}
	c.read()
}

// Repeatable reports whether another order can be made with the lines of an order, or the order
// itself can be sent again.
func (c *Counter) Repeatable(order payments.Order) bool {
	if order.Reference == c.shown.Order.Reference && c.shown.Missing {
		return false
	}
	unsent := order.Facts.NotSent && !order.Facts.Superseded
	return unsent || order.Repeatable(c.Picture().Reach.Conditions(), c.Picture().Now)
}

// PutBack puts the lines of an order back into the sale, so that the cashier can correct them. A
// payable order stays payable. If the next sale was begun while the order was shown, PutBack keeps
// the lines of that sale, too.
func (c *Counter) PutBack(order payments.Order) {
	joins := c.shown.NextBegun && order.Sale == c.shown.Order.Sale
	c.backToSale(order)
	if joins {
		c.join(order.Terms())
	} else {
		c.putBack(order.Terms(), true)
	}
}

// backToSale closes the shown order, because its lines return to the sale. It acknowledges the
// order's outcome, unless the order can still be paid.
func (c *Counter) backToSale(order payments.Order) {
	if order.Reference == c.shown.Order.Reference && c.Shown().Final() && !order.Payable(c.Picture().Now) {
		c.do(c.acknowledgement(order)) // The cashier has seen the outcome.
	}
	c.SetAside()
	c.tell(BackToSale{})
}

// Tenderable reports whether the customer can pay for the lines of an order at the counter instead.
func (c *Counter) Tenderable(order payments.Order) bool {
	rejected := order.Status == payments.StatusRejected && !order.Facts.Superseded
	down := c.Picture().Reach.Conditions().StoreDown
	return len(c.Ways()) > 0 && (rejected || c.Repeatable(order)) && !down && !c.charging.waiting() && !c.Charging()
}

// TenderFor puts the lines of an order back into the sale, and asks how the customer pays for them
// at the counter. If another sale was begun, TenderFor holds that sale. A payable order stays
// payable, so TakeCash asks again before it takes cash.
func (c *Counter) TenderFor(order payments.Order) {
	isShown := order.Reference == c.shown.Order.Reference
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

// Add adds items to the sale. Like the other methods that change a line, it returns the
// errors of [cart.Cart.Add].
func (c *Counter) Add(items ...payments.Item) (cart.Line, error) {
	if c.shown.Order.Reference != "" && c.cart.Untouched() {
		c.shown.NextBegun = true
	}
	return c.change(c.cart.Add(items...))
}

// Awaited returns how many payments may still come. It adds what [Picture.Awaited] lacks:
// running order calls, and shown or acknowledged orders that can still be paid.
func (c *Counter) Awaited() int {
	awaited := c.Picture().Awaited()
	others := c.watch.acknowledged
	if c.Shown().Current() {
		others = append(slices.Clip(others), c.shown.Order)
	}
	for _, order := range others {
		listed := slices.ContainsFunc(awaited, func(other payments.Order) bool { return other.Reference == order.Reference })
		if order.Payable(c.Picture().Now) && !listed {
			awaited = append(awaited, order)
		}
	}
	return len(awaited) + c.charging.running
}
